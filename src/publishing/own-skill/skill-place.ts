import { existsSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Env } from '../../core/environment.ts';
import { OWN_SKILL } from '../../skills/own-skill.ts';
import { findTarget, TARGET_IDS, type TargetId } from '../../targets/target.ts';
import { realPlace } from '../real-place.ts';
import { homeOf, personalSkillFolders } from '../../targets/skill-folders.ts';

/** For one repository, and whoever clones it, or for one person everywhere. */
export type SkillScope = 'project' | 'user';

/** Where the skill lies for one agent product. */
export interface SkillPlace {
  target: TargetId;
  scope: SkillScope;
  /**
   * The folder that is published into. In a repository nothing is written through a link; a person's own folder of
   * skills may be one, or lie behind one, as it does for people who keep their settings elsewhere.
   */
  root: string;
  /** The skill's folder, from the root with `/`. */
  below: string;
  /** The root and folders above it that come to be with the skill, and go where they are empty; the deepest first. */
  made: string[];
}

export function projectPlace(target: TargetId, top: string): SkillPlace {
  const usual = belowOf(target);
  const real = realPlace(top, usual);
  // `.agents/skills` is often a link to `.claude/skills`: what lies in one of them is in both.
  const below = TARGET_IDS.map(belowOf).find((folder) => folder === real) ?? usual;
  return { target, scope: 'project', root: top, below, made: [] };
}

function belowOf(target: TargetId): string {
  return `${findTarget(target).skills}/${OWN_SKILL}`;
}

export function userPlace(target: TargetId, env: Env): SkillPlace {
  const [root] = personalSkillFolders(target, env);
  const home = homeOf(env);
  // What an environment variable names is there for other reasons.
  const made = [root, dirname(root)].filter((folder, index) => index === 0 || dirname(folder) === home);
  return { target, scope: 'user', root, below: OWN_SKILL, made };
}

/** The skill's folder; absolute. */
export function folderOf({ root, below }: SkillPlace): string {
  return join(root, below);
}

/** Where to look, and plan, as long as the root may not be there: the next folder above that is. */
export function standing({ root, below }: Standing): Standing {
  if (isFolder(root) || dirname(root) === root) return { root, below };
  return standing({ root: dirname(root), below: `${basename(root)}/${below}` });
}

type Standing = Pick<SkillPlace, 'root' | 'below'>;

/** Removes the folders that came with the skill, where nothing is left in them. */
export function removeMade({ made }: SkillPlace): void {
  for (const folder of made) {
    try {
      rmdirSync(folder);
    } catch {
      // It holds something, or is a link of somebody's.
    }
  }
}

/** Where a file really lies; null where there is none. */
export function realFile(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Below a file (`~/.agents` may be one) there is none either.
    return false;
  }
}
