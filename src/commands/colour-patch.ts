import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** A patch for a terminal: coloured, and with control characters made visible, since the implementer wrote them. */
export async function* colourPatch(patch: Readable, style: Style): AsyncGenerator<string> {
  for await (const line of createInterface({ input: patch, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield `${paintPatchLine(line, style)}\n`;
  }
}

/** One line of a unified diff for a terminal. */
export function paintPatchLine(line: string, style: Style): string {
  const text = line.split('\t').map(visible).join('\t');
  if (
    /^(?:diff --git|index|--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity|rename )/.test(line)
  )
    return style.bold(text);
  if (line.startsWith('@@')) return style.cyan(text);
  if (line.startsWith('+')) return style.green(text);
  if (line.startsWith('-')) return style.red(text);
  return text;
}
