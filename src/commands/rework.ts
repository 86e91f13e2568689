import type { Command } from '@commander-js/extra-typings';
import type { DispatchOptions } from '../dispatch/options.ts';
import type { Result } from '../rundir/result.ts';
import { rework } from '../verbs/rework.ts';
import { readBrief } from './brief.ts';
import { withGateFlags } from './dials.ts';
import { runAndShow } from './dispatch.ts';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { tellRecovery } from './landing-text.ts';

export function configureRework(command: Command, io: Io, done: (code: ExitCode) => void): void {
  const dialled = command
    .description(
      'Go on with the session of a run, in the same sandbox, with a brief that says what is still wrong. The runs are then shown, landed and discarded together.',
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('--brief <file>', 'what is to be different; without it, stdin', value)
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--timeout <dur>', 'limit of the whole run (default: as before)', value)
    .option('--max-turns <n>', 'most turns (default: as before)', value)
    .option('--max-budget-usd <amount>', 'most US dollars (default: as before)', value)
    .option('--touch <glob>', 'declared scope; a change outside is reported (repeatable)', values)
    .option('--dangerously-skip-permissions', 'as before, where the run was without permission checks')
    .option('--json', 'the result on stdout, nothing else')
    .option('--quiet', 'only the summary');
  const gated = withGateFlags(command);
  dialled
    .addHelpText('after', '\nExit code: as of `baton dispatch`; 1 also where the run cannot be reworked.\n')
    .action(async (run, { brief: file, cd = process.cwd(), json = false, quiet = false, ...dials }) => {
      const { check, baseline, gate } = gated.opts();
      const options = { ...dials, cd, brief: await readBrief(file, io), env: io.env };
      const start = (shown: DispatchOptions): Promise<Result> =>
        rework({ ...shown, cd, run: run ?? null, env: io.env, onRecovered: tellRecovery(io) });
      const show = { json, quiet, resumable: true };
      if (!check && !baseline && !gate) return done(await runAndShow(options, start, io, show));
      const { runWithGates } = await import('./gated-dispatch.ts');
      done(await runWithGates(options, gated.opts(), io, show, start));
    });
}
