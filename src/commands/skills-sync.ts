import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import type { SkillFreshness, SyncCheck } from '../verbs/skills-sync.ts';
import { value } from './flags.ts';
import { type GenerationFlags, withGenerationFlags } from './generation-flags.ts';
import type { ExitCode, Io } from './io.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';

const MAX_SHOWN = 10;

export function configureSkillsSync(command: Command, io: Io, done: (code: ExitCode) => void): void {
  withGenerationFlags(command)
    .description(
      'Bring the skills up to date whose files changed: ask an implementer, read-only, show what would change, and write it after a yes.',
    )
    .option('--check', 'ask nobody, write nothing: list what is out of date, exit 1 if anything is (for CI)')
    .option(
      '--since <commit>',
      'what changed since this commit (default: since each skill was last written)',
      value,
    )
    .addHelpText('after', HELP)
    .action(async ({ check = false, since = null, ...flags }) => {
      done(check ? await checkAndShow(flags, since, io) : await sync(flags, since, io));
    });
}

async function sync(flags: GenerationFlags, since: string | null, io: Io): Promise<ExitCode> {
  const { runGeneration } = await import('./generation.ts');
  const { syncSkills } = await import('../verbs/skills-sync.ts');
  const style = styleFor(io.colour);
  return runGeneration(flags, io, ({ options, say }) =>
    syncSkills({
      ...options,
      since,
      onStale: (skills) => {
        for (const skill of skills) say(staleText(skill, style));
      },
    }),
  );
}

async function checkAndShow(flags: GenerationFlags, since: string | null, io: Io): Promise<ExitCode> {
  const { cd = process.cwd(), target = 'all', json } = flags;
  const odd = (
    ['implementer', 'model', 'effort', 'timeout', 'prompts', 'dryRun', 'yes', 'force'] as const
  ).find((name) => flags[name] !== undefined);
  if (odd !== undefined)
    throw new UsageError(
      `--${odd === 'dryRun' ? 'dry-run' : odd} does not belong to --check, which asks nobody`,
    );
  const { checkSkills } = await import('../verbs/skills-sync.ts');
  const { targetsOf } = await import('../targets/target.ts');
  const found = await checkSkills({ cd, env: io.env, targets: targetsOf(target), since });
  io.stdout.write(json ? `${JSON.stringify(found)}\n` : checkText(found, styleFor(io.colour)));
  return found.ok ? 0 : 1;
}

function checkText({ skills, rules, ok }: SyncCheck, style: Style): string {
  const stale = skills.filter(({ state }) => state === 'stale').map((skill) => staleText(skill, style));
  const count = (state: SkillFreshness['state']): number =>
    skills.filter((one) => one.state === state).length;
  const kinds = (['fresh', 'stale', 'uncommitted', 'unwatched'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${WORDS[state]}`);
  const lines = [
    kinds.length === 0 ? 'there are no skills' : kinds.join(', '),
    ...(rules === null ? [] : [`${rules.path}: ${RULES[rules.state]}`]),
    ...(stale.length > 0 ? ['`baton skills sync` brings them up to date'] : []),
  ];
  const paint = ok ? style.green : style.red;
  return `${stale.join('')}${lines.map((line) => `${paint(line)}\n`).join('')}`;
}

const WORDS: { [state in SkillFreshness['state']]: string } = {
  fresh: 'up to date',
  stale: 'out of date',
  uncommitted: 'not committed yet',
  unwatched: 'without file patterns',
};

const RULES = {
  same: 'up to date',
  other: 'out of date; `baton skills rules --out` writes it',
  none: 'not there; `baton skills rules --out` writes it',
} as const;

function staleText({ path, since, changed }: SkillFreshness, { bold, dim }: Style): string {
  const shown = changed.slice(0, MAX_SHOWN).map((file) => `  ${visible(file)}\n`);
  const more = changed.length > MAX_SHOWN ? `  and ${changed.length - MAX_SHOWN} more\n` : '';
  return `${bold(visible(path))}: files changed since ${dim((since ?? 'unknown').slice(0, 12))}\n${shown.join('')}${more}`;
}

const HELP = `
A skill's files are those that its triggers name. It is compared with the commit that last changed it, so that --check
needs the history (\`fetch-depth: 0\` in CI). A skill that is not committed as it lies there counts as being written.
Files that a person edited are left as they are without --force. \`baton skills undo\` takes a sync back.

Exit code: 0 all is up to date, or everything that was asked for is used; 1 otherwise; 2 usage.

Examples:
  baton skills sync --check
  baton skills sync --since origin/main --dry-run
`;
