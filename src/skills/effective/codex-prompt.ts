import { isAbsolute, join } from 'node:path';
import { arrayOf, isObject } from '../../core/json.ts';

/** One line of the list of skills that codex puts before its model. */
export interface CodexLine {
  name: string;
  description: string;
  /** Absolute, as codex names it. */
  path: string;
}

const BLOCK = /^<skills_instructions>\n([\s\S]*?)\n<\/skills_instructions>/;
const ROOT = /^- `([^`]+)` = `(.+)`$/;
/** A description may hold anything, ` (file: ` too: the last one counts. */
const LINE = /^- (.*) \(file: (.+)\)$/;

/**
 * The skills in the output of `codex debug prompt-input`; null where that has no such list, or is no output of that
 * command.
 */
export function parseCodexPrompt(output: string): CodexLine[] | null {
  const block = texts(parsed(output))
    .map((text) => BLOCK.exec(text)?.[1])
    .find((found) => found !== undefined);
  if (block === undefined) return null;
  const lines = block.split('\n');
  const from = lines.indexOf('### Available skills');
  const roots = new Map<string, string>();
  for (const line of lines.slice(0, Math.max(from, 0))) {
    const [, name, path] = ROOT.exec(line) ?? [];
    if (name !== undefined && path !== undefined) roots.set(name, path);
  }
  return lines.slice(from + 1).flatMap((line) => {
    const [, told, place] = LINE.exec(line) ?? [];
    if (told === undefined || place === undefined) return [];
    const colon = told.indexOf(': ');
    const [name, description] =
      colon === -1 ? [told.replace(/:$/, ''), ''] : [told.slice(0, colon), told.slice(colon + 2)];
    return { name, description, path: placeOf(place, roots) };
  });
}

function placeOf(place: string, roots: ReadonlyMap<string, string>): string {
  const slash = place.indexOf('/');
  const root = roots.get(place.slice(0, slash));
  return root === undefined || isAbsolute(place) ? place : join(root, place.slice(slash + 1));
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

/** Every text in a JSON document. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (isObject(value)) return Object.values(value).flatMap(texts);
  return arrayOf(value).flatMap(texts);
}
