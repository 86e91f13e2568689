import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The text of a patch as `codex` takes it: whole lines, found by their content. A script names a piece of text, so the
 * file is looked at, as a model would have read it. What is not in the file is asked for as it stands: the CLI refuses it.
 */
export function editPatch(cwd: string, edit: { path: string; old: string; new: string }): string {
  const text = contentOf(resolve(cwd, edit.path));
  const at = text?.indexOf(edit.old) ?? -1;
  if (text === null || at < 0) return updatePatch(edit.path, edit.old, edit.new);
  const start = text.slice(0, at).lastIndexOf('\n') + 1;
  const lineEnd = text.indexOf('\n', at + edit.old.length);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const before = text.slice(start, end);
  const after = text.slice(start, at) + edit.new + text.slice(at + edit.old.length, end);
  // The last line's own end is no line of its own.
  return lineEnd < 0
    ? updatePatch(edit.path, withoutLastEnd(before), after === '' ? null : withoutLastEnd(after))
    : updatePatch(edit.path, before, after);
}

/** A file with this content, whatever stood there; null where a patch cannot say it: it has lines only, each with its end. */
export function addPatch(path: string, content: string): string | null {
  if (!content.endsWith('\n') || content.includes('\r')) return null;
  return wrap(`*** Add File: ${path}`, marked('+', withoutLastEnd(content)));
}

/** `after` is null where the lines go. */
function updatePatch(path: string, before: string, after: string | null): string {
  const lines = [marked('-', before), ...(after === null ? [] : [marked('+', after)])];
  return wrap(`*** Update File: ${path}\n@@`, lines.join('\n'));
}

function withoutLastEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function wrap(head: string, body: string): string {
  return `*** Begin Patch\n${head}\n${body}\n*** End Patch`;
}

function marked(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
