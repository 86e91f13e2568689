import type { Command } from '@commander-js/extra-typings';
import { rehearse } from '../verbs/rehearse.ts';
import { readBrief } from './brief.ts';
import { optionsOf, withDials } from './dials.ts';
import { runAndShow } from './dispatch.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';

export function configureRehearse(command: Command, io: Io, done: (code: ExitCode) => void): void {
  withDials(command)
    .description(
      'Run the real CLI against a scripted model on loopback: the ordinary dispatch, at no cost and without an account.',
    )
    .requiredOption('--script <file>', 'what the model says and does, as YAML', value)
    .addHelpText('after', HELP)
    .action(async ({ brief: file, script, json = false, quiet = false, ...flags }) => {
      const brief = file === undefined ? Buffer.from('Play the script.\n') : await readBrief(file, io);
      const options = { ...optionsOf(flags), brief, env: io.env };
      done(
        await runAndShow(options, (checked) => rehearse({ ...checked, script }), io, {
          json,
          quiet,
          resumable: false,
        }),
      );
    });
}

const HELP = `
The CLI gets a home and an environment of its own (only PATH is kept), so your settings, sessions and keys stay out of it.

Example script:
  - bash: npm test
  - edit: { path: math.js, old: 'a - b', new: 'a + b' }
  - say: Fixed the sign.
`;
