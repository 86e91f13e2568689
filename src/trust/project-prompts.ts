import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import { promptsIn } from '../prompts/source.ts';
import { contentHash } from './approval.ts';
import { readProjectFile } from './project-file.ts';

/** A repository's own prompts, from its top. */
export const PROMPTS_FOLDER = 'prompts';

const FOLDERS = ['', 'partials'];
const MAX_FILES = 200;

/** The prompts of a repository as they lie there: what was hashed is what is used. */
export interface ProjectPrompts {
  /** By name below the folder: `review.md`, `partials/quoted.md`. */
  texts: ReadonlyMap<string, string>;
  /** What an approval is bound to: name and hash of every file, a line each. */
  bytes: Buffer;
}

/**
 * Reads the prompts of a repository; null where it has none. Throws a BatonError `project-file` for one that is reached
 * through a link, is no regular file, is larger than 1 MiB, or is one too many.
 */
export function readProjectPrompts(top: string): ProjectPrompts | null {
  const names = projectPromptNames(top).map((name) => `${PROMPTS_FOLDER}/${name}`);
  if (names.length === 0) return null;
  if (names.length > MAX_FILES)
    throw new BatonError(
      'project-file',
      `${PROMPTS_FOLDER}/ has more than ${MAX_FILES} prompts: none is used`,
    );
  const texts = new Map<string, string>();
  const lines: string[] = [];
  for (const path of names) {
    const content = readProjectFile(top, path);
    if (content === null) continue;
    const name = path.slice(PROMPTS_FOLDER.length + 1);
    texts.set(name, content.toString('utf8'));
    lines.push(`${contentHash(content)} ${name}\n`);
  }
  return { texts, bytes: Buffer.from(lines.join('')) };
}

/** The names below the folder, whether they can be used or not; sorted. */
export function projectPromptNames(top: string): string[] {
  return FOLDERS.flatMap((folder) =>
    promptsIn(join(top, PROMPTS_FOLDER, folder)).map((name) => (folder === '' ? name : `${folder}/${name}`)),
  ).sort();
}
