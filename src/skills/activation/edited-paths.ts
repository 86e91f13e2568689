import { isObject, stringOf } from '../../core/json.ts';

/** A patch of codex names its files on lines of their own, and nowhere else. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm;
const MAX_DEPTH = 4;

/** The paths of the files that a tool edited, as its input names them: in a field, or in the text of a patch. */
export function editedPaths(toolInput: unknown): string[] {
  const fields = isObject(toolInput)
    ? [stringOf(toolInput['file_path']), stringOf(toolInput['notebook_path'])].filter((path) => path !== null)
    : [];
  // What was written into a file may hold a patch: where a field names the file, no text is looked into.
  return fields.length > 0 ? fields : [...new Set(patchedIn(toolInput, MAX_DEPTH))];
}

function patchedIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') {
    if (!value.includes('*** Begin Patch')) return [];
    return [...value.matchAll(PATCHED)].flatMap(([, path]) => (path === undefined ? [] : [path.trim()]));
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part) => patchedIn(part, depth - 1));
}
