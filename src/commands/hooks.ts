import type { Command } from '@commander-js/extra-typings';
import { type HookChoice, type HooksChanged, installHooks, uninstallHooks } from '../verbs/hooks-change.ts';
import { hooksStatus } from '../verbs/hooks-status.ts';
import { value } from './flags.ts';
import { changesText, doneText, statusText, trustText } from './hooks-text.ts';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { confirm } from './questions.ts';
import { styleFor } from './style.ts';

export function configureHooks(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command.description('The hooks by which a prompt or an edit tells the model which skills to read.');
  configureChange(quiet(command.command('install'), io), io, done, INSTALL);
  configureChange(quiet(command.command('uninstall'), io), io, done, UNINSTALL);
  configureStatus(quiet(command.command('status'), io), io, done);
}

interface Change {
  description: string;
  question: string;
  verb: typeof installHooks;
  /** What a person still has to do. */
  afterwards: (changed: HooksChanged) => string;
  help: string;
}

function configureChange(
  command: Command,
  io: Io,
  done: (code: ExitCode) => void,
  { description, question, verb, afterwards, help }: Change,
): void {
  command
    .description(description)
    .option('--target <name>', 'claude, codex or all (default: all)', value)
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--yes', 'write without asking')
    .option('--json', 'files, differences and what was done as JSON')
    .addHelpText('after', help)
    .action(async ({ cd = process.cwd(), target = 'all', dryRun = false, yes = false, json = false }) => {
      const choice: HookChoice = { cd, target, env: io.env };
      // What is asked about must be seen, and stdout is the JSON's.
      const shown = json ? io.stderr : io.stdout;
      let refused = false;
      const changed = await verb(choice, async (planned) => {
        if (!json || !(yes || dryRun)) shown.write(await changesText(planned, styleFor(io.colour && !json)));
        if (dryRun) return false;
        const agreed = yes || (await confirm(io, question, '--yes'));
        refused = !agreed;
        return agreed;
      });
      io.stdout.write(
        json ? `${JSON.stringify(changed)}\n` : doneText(changed, { dryRun }, styleFor(io.colour)),
      );
      if (!json && changed.written) io.stdout.write(afterwards(changed));
      done(refused ? 1 : 0);
    });
}

const INSTALL: Change = {
  description: 'Install the activation hooks: a script in the project, and entries in its settings.',
  question: 'Install the hooks?',
  verb: installHooks,
  afterwards: trustText,
  help: `
Claude: .claude/settings.json starts .claude/hooks/baton-activation.cjs. Codex: .codex/hooks.json starts
.codex/hooks/baton-activation.cjs, once you trust it. What others have in these files stays byte for byte. Files with
comments or other faults are refused, with the line. Installing again mends and changes nothing else.

Exit code: 0 installed, or nothing to do; 1 refused, or you said no; 2 usage.

Examples:
  baton hooks install --dry-run
  baton hooks install --target claude --yes
`,
};

const UNINSTALL: Change = {
  description:
    'Take the activation hooks out: settings that nobody touched since get their original bytes back.',
  question: 'Take the hooks out?',
  verb: uninstallHooks,
  afterwards: () => '',
  help: `
Settings that were changed since lose only baton's own entries, and its script goes if it is as baton left it.

Exit code: 0 taken out, or nothing to do; 1 refused, or you said no; 2 usage.
`,
};

function configureStatus(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Ask each CLI what it does with the activation hooks. No model is asked.')
    .option('--target <name>', 'claude, codex or all (default: all)', value)
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'one object a target as JSON')
    .addHelpText(
      'after',
      `
in-force      the CLI starts them
not-trusted   the CLI skips them until you trust them (codex)
file-ignored  the CLI does not take the file that they stand in
disabled      a setting turns hooks off
absent        they are not installed, or not all of them

Exit code: 0 in force for each target asked about, with the script of this version; 1 otherwise; 2 usage.
`,
    )
    .action(async ({ cd = process.cwd(), target = 'all', json = false }) => {
      const statuses = await hooksStatus({ cd, target, env: io.env });
      io.stdout.write(
        json
          ? `${JSON.stringify({ targets: statuses })}\n`
          : statuses.map((status) => statusText(status, styleFor(io.colour))).join(''),
      );
      done(statuses.every(({ state, script }) => state === 'in-force' && script === 'current') ? 0 : 1);
    });
}
