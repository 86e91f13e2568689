import type { Command } from '@commander-js/extra-typings';
import { values } from './flags.ts';
import { withGenerationFlags } from './generation-flags.ts';
import type { ExitCode, Io } from './io.ts';
import { visible } from './summary.ts';

export function configureSkillsGenerate(command: Command, io: Io, done: (code: ExitCode) => void): void {
  withGenerationFlags(command)
    .description(
      "Ask an implementer, read-only, for this repository's skills and instruction files; show what would change, and write it after a yes.",
    )
    .option('--domain <name>', 'only this skill; base is the one about the whole (repeatable)', values)
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
