import type { Command } from '@commander-js/extra-typings';
import type { LandingRecord } from '../landing/record.ts';
import { undo } from '../verbs/undo.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { answer, tellRecovery } from './landing-text.ts';

export function configureUndo(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Take the last landing back, while its commit is HEAD and was not pushed, or the last discard. Files keep their edits.',
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'what was undone as JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 undone; 1 refused or in conflict, and nothing was changed; 2 usage.\n',
    )
    .action(async (run, flags) => {
      const work = () =>
        undo({ cd: flags.cd ?? process.cwd(), run: run ?? null, env: io.env, onRecovered: tellRecovery(io) });
      done(await answer(io, flags.json ?? false, work, ({ record }) => undoneText(record)));
    });
}

function undoneText(record: LandingRecord): string {
  const undid = record.state === 'undone' ? record.undid : record;
  return undid.state === 'landed'
    ? `Took commit ${undid.commit.slice(0, 12)} back: its changes are uncommitted again\n`
    : `Put back what was discarded of run ${undid.runIds.join(', ')}\n`;
}
