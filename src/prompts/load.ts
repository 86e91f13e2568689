import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, systemCode, UsageError } from '../core/errors.ts';
import { packageRoot } from '../core/package-root.ts';
import { expand, isPlainName, type Vars } from './expand.ts';

export interface PromptOptions {
  /** A folder whose prompts and partials come before those that baton ships. */
  dir?: string;
}

/**
 * The prompt `<dir>/<name>.md`, or else the shipped one, filled with partials (`partials/<name>.md`, looked for in the
 * same order) and values. Throws a UsageError that names the prompt, and the file or variable that is missing.
 */
export function loadPrompt(name: string, vars: Vars = {}, { dir }: PromptOptions = {}): string {
  const folders = [...(dir === undefined ? [] : [dir]), ...shipped()];
  if (!isPlainName(name)) {
    throw new UsageError(
      `the prompt ${JSON.stringify(name)} is not a plain name: write letters, digits, _ and -`,
    );
  }
  const template = readFirst(folders, `${name}.md`);
  if (template === null) {
    throw new UsageError(`there is no prompt ${JSON.stringify(name)}: looked in ${folders.join(' and ')}`);
  }
  return fill(template, `the prompt ${name}`, vars, folders);
}

/** The same for a file that somebody named: partials come from the folder beside it, or else from the shipped ones. */
export function loadPromptFile(path: string, vars: Vars): string {
  const template = read(path);
  if (template === null) throw new UsageError(`there is no prompt file ${path}`);
  return fill(template, path, vars, [dirname(path), ...shipped()]);
}

function fill(template: string, what: string, vars: Vars, folders: readonly string[]): string {
  return expand(template, what, vars, (name) => readFirst(folders, join('partials', `${name}.md`)));
}

function shipped(): string[] {
  const root = packageRoot();
  return root === null ? [] : [join(root, 'prompts')];
}

function readFirst(folders: readonly string[], file: string): string | null {
  for (const folder of folders) {
    const text = read(join(folder, file));
    if (text !== null) return text;
  }
  return null;
}

/** Null where there is no such file; anything else that keeps it from being read is told. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
