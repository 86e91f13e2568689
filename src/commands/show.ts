import type { Command } from '@commander-js/extra-typings';
import { show } from '../verbs/show.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { styleFor } from './style.ts';
import { summaryOf } from './summary.ts';

export function configureShow(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Show the result of a run, and with --profile what the implementer was allowed to do.')
    .argument('[run]', 'run id, or the beginning of one')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--profile', 'profile.json as the implementer read it')
    .option('--json', 'the result as JSON')
    .action(async (run, flags) => {
      const { result, profile } = await show({
        cd: flags.cd ?? process.cwd(),
        run: run ?? null,
        env: io.env,
      });
      if (flags.profile) io.stdout.write(profile ?? '');
      else if (flags.json) io.stdout.write(`${JSON.stringify(result)}\n`);
      else io.stdout.write(summaryOf(result, styleFor(io.colour), { resumable: true }));
      done(0);
    });
}
