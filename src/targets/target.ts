import { UsageError } from '../core/errors.ts';

/** The agent products whose files are written. */
export const TARGET_IDS = ['claude', 'codex'] as const;

export type TargetId = (typeof TARGET_IDS)[number];

/** Where an agent product looks. Paths are relative to the top of the repository, with `/`. */
export interface Target {
  readonly id: TargetId;
  /** The file with instructions for the whole repository. */
  readonly instructions: 'CLAUDE.md' | 'AGENTS.md';
  /** The folder of skills: `<skills>/<name>/SKILL.md`. */
  readonly skills: string;
  /** The file that holds hooks. */
  readonly settings: string;
  /** The folder of scripts that those hooks start. */
  readonly hooks: string;
  /** The rules by which skills are activated; null where the product has no place for them. */
  readonly rules: string | null;
}

const TARGETS: readonly Target[] = [
  {
    id: 'claude',
    instructions: 'CLAUDE.md',
    skills: '.claude/skills',
    settings: '.claude/settings.json',
    hooks: '.claude/hooks',
    rules: '.claude/skills/skill-rules.json',
  },
  {
    id: 'codex',
    instructions: 'AGENTS.md',
    skills: '.agents/skills',
    settings: '.codex/hooks.json',
    hooks: '.codex/hooks',
    rules: null,
  },
];

/** The target of this name. Throws a UsageError for a name that is none. */
export function findTarget(id: string): Target {
  const target = TARGETS.find((one) => one.id === id);
  if (target) return target;
  throw new UsageError(`the target ${JSON.stringify(id)} is not known`, {
    hint: `known targets: ${TARGET_IDS.join(', ')}`,
  });
}

/** The targets that `claude`, `codex` or `all` names, in a fixed order. Throws a UsageError for anything else. */
export function targetsOf(name: string): readonly Target[] {
  return name === 'all' ? TARGETS : [findTarget(name)];
}
