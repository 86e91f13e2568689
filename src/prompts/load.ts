import { dirname } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { expand, isPlainName, type Vars } from './expand.ts';
import { folderSource, type PromptSource, readPrompt, shippedSources } from './source.ts';

export interface PromptOptions {
  /** A folder whose prompts and partials come before those that baton ships. */
  dir?: string;
}

/**
 * The prompt `<dir>/<name>.md`, or else the shipped one, filled with partials (`partials/<name>.md`, looked for in the
 * same order) and values. Throws a UsageError that names the prompt, and the file or variable that is missing.
 */
export function loadPrompt(name: string, vars: Vars = {}, { dir }: PromptOptions = {}): string {
  return loadPromptFrom([...(dir === undefined ? [] : [folderSource(dir)]), ...shippedSources()], name, vars);
}

/** The same, from the first of these sources that has it. */
export function loadPromptFrom(sources: readonly PromptSource[], name: string, vars: Vars): string {
  return fill(findPrompt(sources, name).template, `the prompt ${name}`, vars, sources);
}

/** The same for a file that somebody named: partials come from the folder beside it, or else from the shipped ones. */
export function loadPromptFile(path: string, vars: Vars): string {
  const template = readPrompt(path);
  if (template === null) throw new UsageError(`there is no prompt file ${path}`);
  return fill(template, path, vars, [folderSource(dirname(path)), ...shippedSources()]);
}

/** The template as it stands, and where it was found. Throws a UsageError where there is none. */
export function findPrompt(
  sources: readonly PromptSource[],
  name: string,
): { template: string; source: PromptSource } {
  if (!isPlainName(name)) {
    throw new UsageError(
      `the prompt ${JSON.stringify(name)} is not a plain name: write letters, digits, _ and -`,
    );
  }
  for (const source of sources) {
    const template = source.read(`${name}.md`);
    if (template !== null) return { template, source };
  }
  const looked = sources.map(({ where }) => where).join(' and ');
  throw new UsageError(`there is no prompt ${JSON.stringify(name)}: looked in ${looked}`);
}

/** The text of a partial, from the first of these sources that has it. */
export function partialsOf(sources: readonly PromptSource[]): (name: string) => string | null {
  return (name) => {
    for (const source of sources) {
      const text = source.read(`partials/${name}.md`);
      if (text !== null) return text;
    }
    return null;
  };
}

function fill(template: string, what: string, vars: Vars, sources: readonly PromptSource[]): string {
  return expand(template, what, vars, partialsOf(sources));
}
