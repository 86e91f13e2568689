import type { Command } from '@commander-js/extra-typings';
import { discard } from '../verbs/discard.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { answer, tellRecovery } from './landing-text.ts';
import { visible } from './summary.ts';

export function configureDiscard(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Take exactly what a run changed back out of the working tree: edits from before and since stay. `baton undo` takes the discard back.',
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'the discard as JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 discarded; 1 refused or in conflict, and nothing was changed; 2 usage.\n',
    )
    .action(async (run, flags) => {
      const work = () =>
        discard({
          cd: flags.cd ?? process.cwd(),
          run: run ?? null,
          env: io.env,
          onRecovered: tellRecovery(io),
        });
      const code = await answer(io, flags.json ?? false, work, ({ record: { runIds, paths } }) =>
        [`Discarded run ${runIds.join(', ')}:\n`, ...paths.map((path) => ` ${visible(path)}\n`)].join(''),
      );
      done(code);
    });
}
