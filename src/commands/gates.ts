import type { Command } from '@commander-js/extra-typings';
import { approveGates, detect, listGates } from '../verbs/gates.ts';
import { value } from './flags.ts';
import { configText } from './gate-text.ts';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureGates(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command.description('List, approve or find the commands of this project that must pass.');
  configureList(quiet(command.command('list'), io), io, done);
  configureApprove(quiet(command.command('approve'), io), io, done);
  configureDetect(quiet(command.command('detect'), io), io, done);
}

function configureList(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Show the gates of this project, and whether their commands are approved.')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--run <run>', 'the configuration as it was before this run', value)
    .option('--json', 'configuration, hash and approval as JSON')
    .action(async ({ cd = process.cwd(), run = null, json }) => {
      const config = await listGates({ cd, run, env: io.env });
      if (json) {
        const { path, hash, approved, gates } = config ?? {
          path: null,
          hash: null,
          approved: null,
          gates: [],
        };
        io.stdout.write(`${JSON.stringify({ path, hash, approved, gates })}\n`);
      } else io.stdout.write(configText(config, styleFor(io.colour)));
      done(0);
    });
}

function configureApprove(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Approve the gates as they are now: from then on, baton runs their commands until the file changes.',
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--run <run>', 'the configuration as it was before this run', value)
    .option('--json', 'configuration, hash and the files that were written as JSON')
    .action(async ({ cd = process.cwd(), run = null, json }) => {
      const { config, files } = await approveGates({ cd, run, env: io.env });
      const { path, hash, gates } = config;
      io.stdout.write(
        json ? `${JSON.stringify({ path, hash, gates, files })}\n` : configText(config, styleFor(io.colour)),
      );
      done(0);
    });
}

function configureDetect(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      "Propose gates from the project's own files: scripts, Makefile, pyproject, Cargo, go.mod, notes for agents.",
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--write', 'make a baton.config.json of them (it is not approved yet)')
    .option('--json', 'the proposals as JSON')
    .action(async ({ cd = process.cwd(), write = false, json }) => {
      const { proposals, written } = await detect({ cd, env: io.env, write });
      if (json) io.stdout.write(`${JSON.stringify({ proposals, written })}\n`);
      else {
        const { bold, dim } = styleFor(io.colour);
        for (const { name, command: text, from } of proposals)
          io.stdout.write(`${bold(name)}  ${visible(text)}  ${dim(visible(from))}\n`);
        if (written !== null)
          io.stdout.write(
            `written to ${written}: read it, change it, and approve it with \`baton gates approve\`\n`,
          );
        else if (proposals.length === 0) io.stdout.write('nothing was found that could be a gate\n');
        else io.stdout.write(dim('nothing was written: --write makes a baton.config.json of these\n'));
      }
      done(0);
    });
}
