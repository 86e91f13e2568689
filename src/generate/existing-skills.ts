import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import { oneLine, truncate } from '../core/text.ts';
import { findSkillFiles } from '../skills/find.ts';
import { readFrontmatter } from '../skills/frontmatter.ts';
import { isOwnSkill } from '../skills/own-skill.ts';
import { readSkillText } from '../skills/read-skill.ts';
import type { Target } from '../targets/target.ts';
import { realPlace } from '../publishing/real-place.ts';
import { readProjectFile } from '../trust/project-file.ts';

/** A skill of a repository, as it lies there for one agent product. */
export interface ExistingSkill {
  name: string;
  /** As the product looks for it, relative to the top with `/`. */
  path: string;
  /** Where that leads, where a link is on the way; null outside the repository. */
  place: string | null;
  content: string;
  description: string;
}

const MAX_DESCRIPTION = 300;

/** The path of a skill's file for an agent product. */
export function skillPath({ skills }: Target, name: string): string {
  return `${skills}/${name}/SKILL.md`;
}

/** The repository's own skills that the product would find; what cannot be read is left out. */
export function existingSkills(top: string, target: Target): ExistingSkill[] {
  const { files } = findSkillFiles(join(top, target.skills));
  return files
    .filter(({ depth }) => depth === 1)
    .flatMap(({ name, path }): ExistingSkill[] => {
      const content = readOrNull(() => readSkillText(path));
      if (content === null || isOwnSkill(name, content)) return [];
      return [
        {
          name,
          path: skillPath(target, name),
          place: realPlace(top, skillPath(target, name)),
          content,
          description: descriptionOf(content),
        },
      ];
    });
}

/** A file as it lies there; null where there is none, or where it is reached through a link. */
export function fileToday(top: string, path: string): string | null {
  return readOrNull(() => readProjectFile(top, path)?.toString('utf8') ?? null);
}

function descriptionOf(content: string): string {
  const description = readFrontmatter(content)?.fields.get('description');
  return typeof description === 'string' ? truncate(oneLine(description), MAX_DESCRIPTION) : '';
}

function readOrNull(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BatonError) return null;
    throw error;
  }
}
