import { UsageError } from '../core/errors.ts';
import { readFrontmatter } from '../skills/frontmatter.ts';
import { compileGlob } from '../skills/glob.ts';
import { rulesOf } from '../skills/extract-rules.ts';
import { TARGET_IDS, findTarget } from '../targets/target.ts';
import {
  changedSince,
  commitOf,
  type History,
  lastChanged,
  sinceCommit,
  uncommitted,
} from './changed-since.ts';
import type { ExistingSkill } from './existing-skills.ts';
import { STAMP } from './proposed-files.ts';

/** How a skill stands to the files that its triggers name. */
export interface SkillState {
  skill: ExistingSkill;
  /** What it is compared with; null where it was not committed yet and carries no commit either. */
  since: string | null;
  /** It lies in a commit as it is; where it does not, it is being written just now. */
  committed: boolean;
  /** Files that its triggers name and that changed since; empty is up to date. */
  changed: string[];
  /** Its triggers name no files, so no change can make it stale. */
  unwatched: boolean;
}

/** Skills and instructions do not make skills stale: they are what is being written. */
const WRITTEN = new RegExp(
  `^(?:${TARGET_IDS.map((id) => findTarget(id).skills.replaceAll('.', '\\.')).join('|')})/|(?:^|/)(?:CLAUDE|AGENTS)\\.md$`,
);

/**
 * Which skills speak of files that changed: since the commit that was named, or for each skill since the commit that
 * last changed it, which every clone knows. One that is not committed as it lies there has the commit that it was
 * generated for. Throws a UsageError for a `since` that is no commit.
 */
export async function skillStates(
  history: History,
  skills: readonly ExistingSkill[],
  since: string | null,
): Promise<SkillState[]> {
  const named = since === null ? null : await sinceCommit(history, since);
  const beingWritten =
    named === null
      ? await uncommitted(
          history,
          skills.flatMap(({ place }) => place ?? []),
        )
      : new Set();
  const changes = new Map<string, string[]>();
  const { skills: rules } = rulesOf(new Map(skills.map(({ name, content }) => [name, content])));
  const states: SkillState[] = [];
  for (const skill of skills) {
    const patterns = Object.hasOwn(rules, skill.name) ? (rules[skill.name]?.filePatterns ?? []) : [];
    const last = named ?? (await writtenIn(history, skill, beingWritten));
    const commit = last ?? (await stampedCommit(history, skill));
    if (commit !== null && !changes.has(commit)) changes.set(commit, await changedSince(history, commit));
    const all = commit === null ? [] : (changes.get(commit) ?? []);
    const globs = patterns.map(compileGlob);
    states.push({
      skill,
      since: commit,
      committed: last !== null,
      changed: all.filter((path) => !WRITTEN.test(path) && globs.some((matches) => matches(path))),
      unwatched: patterns.length === 0,
    });
  }
  return states;
}

/** Null where no commit has the skill as it lies there, or where a link leads to it from outside. */
async function writtenIn(
  history: History,
  { place }: ExistingSkill,
  beingWritten: ReadonlySet<unknown>,
): Promise<string | null> {
  return place === null || beingWritten.has(place) ? null : lastChanged(history, place);
}

/** For a sync every skill needs something to be compared with. */
export function requireSince(states: readonly SkillState[]): void {
  const unknown = states
    .filter(({ since, unwatched }) => since === null && !unwatched)
    .map(({ skill }) => skill.name);
  if (unknown.length === 0) return;
  throw new UsageError(`nothing says since when these skills hold: ${unknown.join(', ')}`, {
    hint: 'commit them, or name a commit with --since',
  });
}

async function stampedCommit(history: History, { content }: ExistingSkill): Promise<string | null> {
  const metadata = readFrontmatter(content)?.fields.get('metadata');
  const stamp: unknown = metadata instanceof Map ? metadata.get(STAMP) : undefined;
  return typeof stamp === 'string' && /^[0-9a-f]{7,64}$/.test(stamp) ? commitOf(history, stamp) : null;
}
