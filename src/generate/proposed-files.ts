import { BatonError } from '../core/errors.ts';
import { quoteFrontmatter, setFrontmatterKey } from '../skills/frontmatter-edit.ts';
import type { Target } from '../targets/target.ts';
import { skillPath } from './existing-skills.ts';
import type { FileBlock } from '../answers/file-block.ts';

/** Says for which commit a skill was written, so that one which had to change nothing is fresh as well. */
export const STAMP = 'baton-commit';

/** A skill as it is to be published: frontmatter that every reader takes, and the commit that it was written for. */
export function finishSkill(content: string, commit: string | null): string {
  try {
    const quoted = quoteFrontmatter(content);
    return commit === null ? quoted : setFrontmatterKey(quoted, ['metadata', STAMP], commit.slice(0, 12));
  } catch (error) {
    // What is wrong with it is for the validation to say.
    if (error instanceof BatonError) return content;
    throw error;
  }
}

/** The same skill for every target. */
export function skillForTargets(name: string, content: string, targets: readonly Target[]): FileBlock[] {
  return targets.map((target) => ({ path: skillPath(target, name), content }));
}
