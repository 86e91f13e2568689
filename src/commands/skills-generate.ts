import type { Command } from '@commander-js/extra-typings';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { visible } from './summary.ts';

export function configureSkillsGenerate(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      "Ask an implementer, read-only, for this repository's skills and instruction files; show what would change, and write it after a yes.",
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--target <target>', 'for whom: claude, codex or all (default: all)', value)
    .option('--domain <name>', 'only this skill; base is the one about the whole (repeatable)', values)
    .option('--implementer <id>', 'who is asked (default: claude)', value)
    .option('--model <name>', 'model of the implementer', value)
    .option('--effort <level>', 'effort of the model', value)
    .option(
      '--timeout <dur>',
      'limit of each question (default: $BATON_TIMEOUT, else by size: 2m, 5m, 10m or 15m)',
      value,
    )
    .option('--prompts <dir>', 'a folder of prompts that come first (default: your own)', value)
    .option('--dry-run', 'ask, and show what would be written')
    .option('--yes', 'write without asking')
    .option('--force', 'also write over files that a person wrote or edited')
    .option('--json', 'everything as one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ domain, ...flags }) => {
      const { runGeneration } = await import('./generation.ts');
      const { generateSkills } = await import('../verbs/skills-generate.ts');
      const code = await runGeneration(flags, io, ({ options, say }) =>
        generateSkills({
          ...options,
          domains: domain ?? null,
          onDomains: (domains) =>
            say(
              `baton: skills for ${domains.map(({ name }) => visible(name)).join(', ') || 'the whole only'}\n`,
            ),
        }),
      );
      done(code);
    });
}

const HELP = `
Without --domain a first question finds the parts of the repository that deserve a skill (8 at most); then each file is a
question of its own, three at a time. AGENTS.md holds the instructions, and CLAUDE.md takes them in by @AGENTS.md.
Files that a person wrote or edited are left as they are without --force. \`baton skills undo\` takes all of it back.

Exit code: 0 everything that was asked for is used; 1 something is missing, was left out or declined; 2 usage; where the
first question fails, and where you interrupt it, as \`baton ask\`.

Examples:
  baton skills generate --dry-run
  baton skills generate --target claude --domain billing --domain base --yes
`;
