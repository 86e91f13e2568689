import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode, UsageError } from '../core/errors.ts';
import { packageRoot } from '../core/package-root.ts';
import { isPlainName } from './expand.ts';

/** Where prompts come from. */
export interface PromptSource {
  /** For messages: a folder, or whose prompts these are. */
  where: string;
  /** The text of `<name>.md` or `partials/<name>.md`; null where there is none. */
  read(file: string): string | null;
  /** All such files, sorted. */
  files(): string[];
}

/** The prompts of a folder. One that is not there has none. */
export function folderSource(folder: string): PromptSource {
  return {
    where: folder,
    read: (file) => readFile(join(folder, file)),
    files: () => [
      ...promptsIn(folder),
      ...promptsIn(join(folder, 'partials')).map((name) => `partials/${name}`),
    ],
  };
}

/** The prompts that baton ships; none where the bundle was copied out of the package. */
export function shippedSources(): PromptSource[] {
  const root = packageRoot();
  return root === null ? [] : [folderSource(join(root, 'prompts'))];
}

/** Prompts that were read before: an approval holds for what was read, not for what lies there a moment later. */
export function textSource(where: string, texts: ReadonlyMap<string, string>): PromptSource {
  return { where, read: (file) => texts.get(file) ?? null, files: () => [...texts.keys()].sort() };
}

/** Names of files that can be asked for by a plain name. A folder that is not there, or cannot be read, has none. */
export function promptsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPromptFile).sort();
  } catch {
    return [];
  }
}

function isPromptFile(name: string): boolean {
  return name.endsWith('.md') && isPlainName(name.slice(0, -'.md'.length));
}

/** A folder is read as a whole: a pipe in it would be waited for, for ever. */
function readFile(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw new UsageError(`${path} cannot be read: it is not a file`);
  return readPrompt(path);
}

/** Null where there is no such file; anything else that keeps it from being read is told. */
export function readPrompt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
