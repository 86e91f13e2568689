import type { Env } from '../core/environment.ts';
import { UsageError } from '../core/errors.ts';
import { diffSince, type History } from '../generate/changed-since.ts';
import { existingSkills, fileToday } from '../generate/existing-skills.ts';
import {
  type Generation,
  type GenerationOptions,
  type GenerationReport,
  settleQuestions,
  withGeneration,
} from '../generate/generation.ts';
import type { Question } from '../generate/question.ts';
import { printOf } from '../publishing/ownership.ts';
import { isTold } from '../generate/scan/in-words.ts';
import { requireSince, type SkillState, skillStates } from '../generate/stale-skills.ts';
import { formatSkillRules, rulesOf } from '../skills/extract-rules.ts';
import type { Target } from '../targets/target.ts';
import { treeAt } from './run-at.ts';

const MAX_LISTED = 100;

/** A skill, and what it is to be compared with. */
export interface SkillFreshness {
  name: string;
  /** Relative to the top. */
  path: string;
  /** `unwatched`: its triggers name no files. `uncommitted`: it is being written just now. */
  state: 'fresh' | 'stale' | 'unwatched' | 'uncommitted';
  /** The commit that it is compared with. */
  since: string | null;
  /** Files that its triggers name and that changed since. */
  changed: string[];
}

export interface SyncCheck {
  skills: SkillFreshness[];
  /** Whether `skill-rules.json` is what the skills make; null for a target without rules, or without skills. */
  rules: { path: string; state: 'same' | 'other' | 'none' } | null;
  /** Nothing is stale, and the rules are right. */
  ok: boolean;
}

export interface SyncChoice {
  cd: string;
  env: Env;
  targets: readonly Target[];
  /** `--since`; null: each skill since it was last written. */
  since: string | null;
}

/** Which skills speak of files that changed. Asks no model and writes nothing. */
export async function checkSkills({ cd, env, targets, since }: SyncChoice): Promise<SyncCheck> {
  const { repository } = await treeAt({ cd, env });
  if ('problem' in repository) throw new UsageError(repository.detail, { hint: repository.hint });
  const history = { repository, env };
  const skills: SkillFreshness[] = [];
  for (const target of targets) {
    const states = await skillStates(history, existingSkills(repository.top, target), since);
    skills.push(...states.map(freshnessOf));
  }
  const rules = rulesState(repository.top, targets);
  const stale = skills.some(({ state }) => state === 'stale');
  return { skills, rules, ok: !stale && (rules === null || rules.state === 'same') };
}

export interface SyncReport extends GenerationReport {
  /** As they were before. */
  skills: SkillFreshness[];
}

export interface SyncOptions extends GenerationOptions {
  since: string | null;
  /** Told which skills are stale, before they are asked for. */
  onStale: (skills: readonly SkillFreshness[]) => void;
}

/**
 * Asks an implementer to bring the skills up to date whose files changed, and publishes them where `agree` says yes.
 * Rejects with a UsageError where nothing says since when a skill holds.
 */
export async function syncSkills(options: SyncOptions): Promise<SyncReport> {
  return withGeneration(options, async (generation) => {
    const { scan, source, history } = generation;
    const states = await skillStates(history, existingSkills(scan.top, source), options.since);
    requireSince(states);
    const stale = states.filter(({ changed }) => changed.length > 0);
    options.onStale(stale.map(freshnessOf));
    const questions: Question[] = [];
    for (const state of stale) questions.push(await askSync(state, history));
    const report = await settleQuestions(questions, generation, () => ({ files: [], notes: [] }));
    return { ...report, notes: [...unlike(generation), ...report.notes], skills: states.map(freshnessOf) };
  });
}

async function askSync({ skill, since, changed }: SkillState, history: History): Promise<Question> {
  const { name, path, content } = skill;
  const listed = changed
    .filter(isTold)
    .slice(0, MAX_LISTED)
    .map((file) => `- \`${file}\``);
  const more = changed.length - listed.length;
  const vars = {
    name,
    file: path,
    changed: [...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    today: content,
    diff: await diffSince(history, since ?? 'HEAD', changed),
  };
  return { name: `skill ${name}`, prompt: 'skills-sync', vars, file: path, skill: name };
}

/** Skills that the targets do not have in common: the text of the first is what all of them get. */
function unlike({ scan: { top }, source, targets }: Generation): string[] {
  const names = new Set(existingSkills(top, source).map(({ name }) => name));
  return targets.flatMap((target) => {
    const others = existingSkills(top, target).flatMap(({ name }) => (names.has(name) ? [] : [name]));
    return others.length === 0
      ? []
      : [
          `only ${target.id} has ${others.join(', ')}: \`--target ${target.id}\` looks at ${others.length === 1 ? 'it' : 'them'}`,
        ];
  });
}

function freshnessOf({
  skill: { name, path },
  since,
  committed,
  changed,
  unwatched,
}: SkillState): SkillFreshness {
  const state = unwatched ? 'unwatched' : !committed ? 'uncommitted' : changed.length > 0 ? 'stale' : 'fresh';
  return { name, path, state, since, changed };
}

function rulesState(top: string, targets: readonly Target[]): SyncCheck['rules'] {
  for (const target of targets) {
    if (target.rules === null) continue;
    const skills = existingSkills(top, target);
    const today = fileToday(top, target.rules);
    if (skills.length === 0 && today === null) continue;
    const right = formatSkillRules(rulesOf(new Map(skills.map(({ name, content }) => [name, content]))));
    // However its lines end: git may have changed that when it checked the file out.
    const state = today === null ? 'none' : printOf(today) === printOf(right) ? 'same' : 'other';
    return { path: target.rules, state };
  }
  return null;
}
