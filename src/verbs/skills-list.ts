import { join, relative } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { findSkillFiles } from '../skills/find.ts';
import { readFrontmatter } from '../skills/frontmatter.ts';
import { readSkillText } from '../skills/read-skill.ts';
import type { Triggers } from '../skills/skill-rules.ts';
import { parseTriggers } from '../skills/triggers.ts';
import { type Target, type TargetId, targetsOf } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';

/** A skill of the repository, as it is written. */
export interface ListedSkill {
  target: TargetId;
  /** The name of its folder. */
  name: string;
  /** From the top of the repository, with `/`. */
  path: string;
  /** Null where it has none, or cannot be read. */
  description: string | null;
  /** Null where it cannot be read. */
  triggers: Triggers | null;
  /** What is wrong with it, for a person. */
  notes: string[];
}

export interface SkillList {
  skills: ListedSkill[];
  /** What could not be looked at. */
  problems: string[];
}

/** The skills that a repository has for these targets (`claude`, `codex` or `all`). */
export async function listSkills({
  cd,
  env,
  target,
}: Pick<RunChoice, 'cd' | 'env'> & { target: string }): Promise<SkillList> {
  const targets = targetsOf(target);
  const { treeTop } = await treeAt({ cd, env });
  const lists = targets.map((one) => skillsOf(one, treeTop));
  return {
    skills: lists.flatMap(({ skills }) => skills),
    problems: lists.flatMap(({ problems }) => problems),
  };
}

function skillsOf(target: Target, top: string): SkillList {
  const folder = join(top, target.skills);
  const found = findSkillFiles(folder);
  const missed = findSkillFiles(folder, { skillFilename: 'skill.md' });
  const skills = [...found.files, ...missed.files].map(({ name, path, within }) => {
    const notes = path.endsWith('SKILL.md') ? [] : ['not-discovered: rename it with `baton skills migrate`'];
    if (within !== null) notes.push(`phantom: it lies in the folder of ${within}`);
    return { target: target.id, name, path: below(top, path), ...contentOf(path, name, notes) };
  });
  const problems = [
    ...found.problems.map(({ path, reason }) => `${below(top, path)}: ${reason}`),
    ...found.duplicates.map(
      ({ name, paths }) =>
        `${name} is there several times: ${paths.map((path) => below(top, path)).join(', ')}`,
    ),
  ];
  return { skills, problems };
}

function contentOf(
  path: string,
  folder: string,
  notes: readonly string[],
): Pick<ListedSkill, 'description' | 'triggers' | 'notes'> {
  try {
    const content = readSkillText(path);
    const read = readFrontmatter(content);
    const [name, description] = ['name', 'description'].map((key) => read?.fields.get(key));
    const own = [
      ...(read ? [...read.problems, ...read.warnings] : ['no frontmatter']),
      ...(name !== undefined && name !== folder ? [`name differs from folder: ${JSON.stringify(name)}`] : []),
    ];
    return {
      description: typeof description === 'string' ? description.trim() || null : null,
      triggers: parseTriggers(content),
      notes: [...notes, ...own],
    };
  } catch (error) {
    return { description: null, triggers: null, notes: [...notes, messageOf(error)] };
  }
}

function below(top: string, path: string): string {
  return relative(top, path).replaceAll('\\', '/');
}
