import { UsageError } from '../core/errors.ts';
import { BEGIN_MARKER, END_MARKER } from './bash-patterns.ts';

/**
 * The text with the block (as `generateDomainPatterns` makes it) in the place of the one that it holds. Everything
 * outside of the marker lines, and these lines themselves, stay as they are. Throws a UsageError unless the text has each
 * marker exactly once, in this order, alone on its line.
 */
export function replaceBetweenMarkers(text: string, block: string): string {
  const begin = onlyLine(text, BEGIN_MARKER);
  const end = onlyLine(text, END_MARKER);
  if (end.start < begin.end)
    throw new UsageError(`the line \`${END_MARKER}\` stands before \`${BEGIN_MARKER}\``, {
      hint: 'the first marker opens the place that is replaced',
    });
  const inner = block.slice(onlyLine(block, BEGIN_MARKER).end, onlyLine(block, END_MARKER).start);
  return `${text.slice(0, begin.end)}${inner}${text.slice(end.start)}`;
}

/** Where the one line with this marker starts, and where the next one does. */
function onlyLine(text: string, marker: string): { start: number; end: number } {
  const found = [...text.matchAll(new RegExp(`^[ \\t]*${marker}[ \\t]*\\r?(?:\\n|$(?![^]))`, 'gm'))];
  const [line] = found;
  if (line && found.length === 1) return { start: line.index, end: line.index + line[0].length };
  throw new UsageError(
    found.length === 0
      ? `there is no line \`${marker}\``
      : `the line \`${marker}\` is there ${found.length} times`,
    { hint: `the file needs the lines \`${BEGIN_MARKER}\` and \`${END_MARKER}\`, once each` },
  );
}
