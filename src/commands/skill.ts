import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import type { AgreeToSkill, SkillChanged } from '../verbs/skill-change.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { styleFor } from './style.ts';

export function configureSkill(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('The skill `delegate`, which teaches an agent to hand tasks over with baton.')
    .addHelpText('after', '\n`baton skills` is about the skills of your own repository.\n');
  configureInstall(quiet(command.command('install'), io), io, done);
  configureUninstall(quiet(command.command('uninstall'), io), io, done);
  configureStatus(quiet(command.command('status'), io), io, done);
}

function configureInstall(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Put the skill where claude and codex look for it, or bring it to this version.')
    .option('--target <name>', 'claude, codex or all (default: all)', value)
    .option('--project', 'in this repository, for whoever works in it (the default)')
    .option('--user', 'in your home, for you, in every repository')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--yes', 'write without asking')
    .option('--force', 'also write over what a person edited, and over a newer version')
    .option('--json', 'what was done as JSON')
    .addHelpText('after', INSTALL_HELP)
    .action(async ({ force = false, ...flags }) => {
      const { installSkill } = await import('../verbs/skill-change.ts');
      const question = 'Install the skill?';
      done(await carryOut(flags, io, question, (choice, agree) => installSkill({ ...choice, force }, agree)));
    });
}

const INSTALL_HELP = `
           claude                       codex
--project  .claude/skills/delegate      .agents/skills/delegate
--user     ~/.claude/skills/delegate    ~/.agents/skills/delegate

What you edited, and what baton did not write, is left as it is without --force. An older version is updated.
\`baton skill status\` shows whether each CLI really sees it. (\`baton skills\` is about your repository's own skills.)

Exit code: 0 installed, or nothing to do; 1 something was left as it is, or you said no; 2 usage.

Examples:
  baton skill install --dry-run
  baton skill install --target claude --user --yes
`;

function configureUninstall(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Take the skill out again: what baton wrote and nobody edited, and folders that are empty then.',
    )
    .option('--target <name>', 'claude, codex or all (default: all)', value)
    .option('--project', 'in this repository (the default)')
    .option('--user', 'in your home')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--dry-run', 'show what would be removed, and remove nothing')
    .option('--yes', 'remove without asking')
    .option('--json', 'what was done as JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 taken out, or nothing to do; 1 something was left as it is, or you said no; 2 usage.\n',
    )
    .action(async (flags) => {
      const { uninstallSkill } = await import('../verbs/skill-change.ts');
      done(await carryOut(flags, io, 'Take the skill out?', uninstallSkill));
    });
}

interface ChangeFlags {
  target?: string | undefined;
  project?: boolean | undefined;
  user?: boolean | undefined;
  cd?: string | undefined;
  dryRun?: boolean | undefined;
  yes?: boolean | undefined;
  json?: boolean | undefined;
}

type Choice = { cd: string; target: string; scope: 'project' | 'user'; env: Io['env'] };

async function carryOut(
  {
    cd = process.cwd(),
    target = 'all',
    project,
    user,
    dryRun = false,
    yes = false,
    json = false,
  }: ChangeFlags,
  io: Io,
  question: string,
  verb: (choice: Choice, agree: AgreeToSkill) => Promise<SkillChanged>,
): Promise<ExitCode> {
  if (project && user) throw new UsageError('--project and --user exclude each other');
  const [{ confirm }, { skillChangesText }, { tellPublishRecovery }] = await Promise.all([
    import('./questions.ts'),
    import('./skill-text.ts'),
    import('./publish-text.ts'),
  ]);
  // What is asked about must be seen, and stdout is the JSON's.
  const shown = json ? io.stderr : io.stdout;
  let refused = false;
  const changed = await verb(
    { cd, target, scope: user ? 'user' : 'project', env: io.env },
    async (planned) => {
      if (dryRun || yes) return !dryRun;
      shown.write(skillChangesText(planned.changes, styleFor(io.colour && !json)));
      const agreed = await confirm(io, question, '--yes');
      refused = !agreed;
      return agreed;
    },
  );
  for (const recovery of changed.recovered) tellPublishRecovery(io, recovery);
  if (json) io.stdout.write(`${JSON.stringify(forMachines(changed))}\n`);
  else if (refused) io.stdout.write('nothing was written\n');
  else io.stdout.write(skillChangesText(changed.changes, styleFor(io.colour)));
  const incomplete = changed.changes.some(
    ({ left, files }) => left !== null || files.some(({ status }) => status === 'skipped'),
  );
  return refused || incomplete ? 1 : 0;
}

/** Without the texts of whole files: two of them are programs. */
function forMachines({ changes, written }: SkillChanged): object {
  return {
    written,
    changes: changes.map((change) => ({
      ...change,
      files: change.files.map((file) => ({ ...file, content: undefined })),
    })),
  };
}

function configureStatus(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Show where the skill lies, and whether each CLI tells its model of it. No model is asked.')
    .option('--target <name>', 'claude, codex or all (default: all)', value)
    .option('--cd <dir>', 'where the CLIs would be started (default: here)', value)
    .option('--json', 'one object a target as JSON')
    .addHelpText('after', STATUS_HELP)
    .action(async ({ cd = process.cwd(), target = 'all', json = false }) => {
      const [{ skillStatus }, { skillStatusText }] = await Promise.all([
        import('../verbs/skill-status.ts'),
        import('./skill-text.ts'),
      ]);
      const statuses = await skillStatus({ cd, target, env: io.env });
      io.stdout.write(
        json
          ? `${JSON.stringify({ targets: statuses })}\n`
          : statuses.map((status) => skillStatusText(status, styleFor(io.colour))).join(''),
      );
      const ready = statuses.every(({ places }) =>
        places.some(({ state, seen }) => state === 'installed' && seen === true),
      );
      done(ready ? 0 : 1);
    });
}

const STATUS_HELP = `
absent     it is not there
installed  as this version of baton brings it
older      an earlier version, or parts are missing: \`baton skill install\` mends it
newer      a later version of baton installed it
edited     a person changed it, or wrote another one there

Codex itself is asked what it tells its model (\`codex debug prompt-input\`); claude cannot be asked without a request, so
there it follows from the rules that claude was seen to follow.

Exit code: 0 each CLI asked about tells its model of this version; 1 otherwise; 2 usage.
`;
