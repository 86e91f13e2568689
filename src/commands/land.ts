import type { Command } from '@commander-js/extra-typings';
import { BatonError } from '../core/errors.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import { land, type Landed } from '../verbs/land.ts';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { answer, changesText, hooksText, tellRecovery } from './landing-text.ts';
import { errorLine } from './parse.ts';
import { visible } from './summary.ts';

export function configureLand(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Commit exactly what a run changed: the newest run of this repository, or the one that is named. Other edits, staged or not, stay as they are.',
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('-m, --message <text>', 'the commit message', value)
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--only <path>', 'this file or folder alone, from the top (repeatable)', values)
    .option(
      '--take-whole <path>',
      'this file as the run left it, with edits from before (repeatable)',
      values,
    )
    .option('--include-my-edits', 'also what was edited since the run')
    .option('--take-commits', 'take commits that the implementer made in as changes')
    .option('--accept-hook-changes', 'commit what the hook pre-commit makes of it')
    .option(
      '--accept-violations <kinds>',
      'land though the run broke these bounds, such as scope,index',
      value,
    )
    .option('--without-gates <reason>', 'land though its gates did not pass; the reason is recorded', value)
    .option('--no-trailers', 'leave Baton-Run and Baton-Implementer out of the message')
    .option('--dry-run', 'show the commit, and change nothing')
    .option('--json', 'the landing as JSON')
    .addHelpText('after', HELP)
    .action(async (run, flags) => {
      const { signal } = io.interruptible();
      const work = (): Promise<Landed> =>
        land({
          cd: flags.cd ?? process.cwd(),
          run: run ?? null,
          env: io.env,
          message: flags.message ?? null,
          only: flags.only ?? [],
          takeWhole: flags.takeWhole ?? [],
          dryRun: flags.dryRun ?? false,
          trailers: flags.trailers,
          includeMyEdits: flags.includeMyEdits ?? false,
          takeCommits: flags.takeCommits ?? false,
          acceptHookChanges: flags.acceptHookChanges ?? false,
          acceptViolations: flags.acceptViolations?.split(',') ?? [],
          withoutGates: flags.withoutGates ?? null,
          signal,
          onRecovered: tellRecovery(io),
        });
      try {
        done(await answer(io, flags.json ?? false, work, landedText));
      } catch (error) {
        if (!signal.aborted || !(error instanceof BatonError)) throw error;
        io.stderr.write(`${errorLine(error)}\n`);
        done(judgeAbort(abortCause(signal)).exitCode);
      }
    });
}

function landedText({ record, changes, myEdits, leftOut, gates, decidedBy, runIds }: Landed): string {
  const runs = runIds.length === 1 ? `run ${runIds[0]}` : `${runIds.length} runs (${runIds.join(', ')})`;
  const head = record
    ? `Landed ${runs} as ${record.commit.slice(0, 12)}${record.ref === null ? ' (detached HEAD)' : ` on ${record.ref.replace('refs/heads/', '')}`}\n`
    : `A commit of ${runs} would change:\n`;
  const edits =
    myEdits.length === 0
      ? ''
      : `Edited since the run, ${record && record.includedEdits.length > 0 ? 'and in the commit' : 'not in the commit (--include-my-edits)'}:\n${changesText(myEdits)}`;
  return [
    head,
    changesText(changes),
    edits,
    leftOut.length === 0
      ? ''
      : `Not in the commit (too large, or another repository's): ${leftOut.map(visible).join(', ')}\n`,
    record && record.hookRewrote.length > 0
      ? `Rewritten by a hook: ${record.hookRewrote.map(visible).join(', ')}\n`
      : '',
    record ? hooksText(record.hooks) : '',
    decidedBy.length === 0
      ? ''
      : `The run changed what decides about the gates: ${decidedBy.map(visible).join(', ')}\n`,
    gatesText(gates),
  ].join('');
}

function gatesText({ state, bound, without }: Landed['gates']): string {
  if (state === 'none-configured') return '';
  const where = bound === 'working-tree-only' ? ', in a working tree with other edits in it' : '';
  return `Gates: ${state}${where}${without === null ? '' : `; landed without them: ${without}`}\n`;
}

const HELP = `
Exit code: 0 landed; 1 refused or in conflict, and nothing was changed; 2 usage; 128+n stopped by signal n.

Hooks of yours run (pre-commit, prepare-commit-msg, commit-msg, post-commit). Nothing is stashed and nothing pushed.
What was interrupted, by a kill or a power cut, is completed or taken back by the next command here.

Examples:
  baton land -m "Read the limit from the environment"
  baton land --dry-run
  baton land 20261130-1645 -m "Fix the parser" --only src/parser.ts
`;
