import type { Masked } from './spans.ts';

/** Finds comments and strings of Python. The holes of an f-string count as its inside. */
export function maskPython(text: string): Masked {
  const masked: Masked = { comments: [], strings: [], others: [] };
  for (let at = 0; at < text.length; ) {
    const sign = text[at];
    const start = at;
    if (sign === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
      masked.comments.push({ start, end: at });
    } else if (sign === '"' || sign === "'") {
      at = endOfString(text, at);
      masked.strings.push({ start, end: at });
    } else at += 1;
  }
  return masked;
}

function endOfString(text: string, start: number): number {
  const quote = text[start] ?? '';
  const triple = text.startsWith(quote.repeat(3), start);
  const mark = triple ? quote.repeat(3) : quote;
  for (let at = start + mark.length; at < text.length; at += 1) {
    if (text.startsWith(mark, at)) return at + mark.length;
    if (text[at] === '\\') at += 1;
    else if (text[at] === '\n' && !triple) return at;
  }
  return text.length;
}
