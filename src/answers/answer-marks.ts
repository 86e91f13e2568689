/** A line of an answer that means something to its reader. */
export type Mark =
  | (Place & { kind: 'open'; path: string })
  | (Place & { kind: 'malformed' })
  | (Place & { kind: 'close' })
  | FenceMark
  /** What the fallback reads. */
  | (Place & { kind: 'marker'; path: string });

export interface FenceMark extends Place {
  kind: 'fence';
  sign: '`' | '~';
  length: number;
  /** Nothing else is in the line. */
  canClose: boolean;
}

interface Place {
  /** From 1. */
  line: number;
  /** Where the line begins, in UTF-16 units. */
  start: number;
  /** Where the next one begins. */
  next: number;
}

/** Finds the marks of a text, in a time that grows with its length and nothing else. */
export function findMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line += 1;
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    const mark = mayMean(text, start, next)
      ? markOf(text.slice(start, next).trimEnd(), line, start, next)
      : null;
    if (mark) marks.push(mark);
    start = next;
  }
  return marks;
}

/** Whether the line begins with a sign that a mark begins with. Most do not, and are not looked at further. */
function mayMean(text: string, start: number, next: number): boolean {
  for (let at = start; at < next; at += 1) {
    const sign = text.charAt(at);
    if (sign === '<' || sign === '`' || sign === '~') return true;
    if (sign.trim() !== '') return false;
  }
  return false;
}

/** No path is as long. The patterns below would need too much of the stack on a line of megabytes. */
const MAX_TAG_LINE = 8192;

const OPEN = /^ {0,3}<file((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))+)\s*>$/;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const MARKER = /^ {0,3}<!--\s*file:(.*)-->$/;
const OPENER_START = /^ {0,3}<file/;
/** An opener in capitals, or too far to the right: as plain text it would put two files into one. */
const ODD_OPENER = /^\s*<file\s[^>]*\bpath\s*=/i;

// The place comes in three parts: answers may have millions of marks, and one object is enough for each.
function markOf(text: string, line: number, start: number, next: number): Mark | null {
  const bare = text.trimStart();
  if (!bare.startsWith('<')) return fenceOf(bare, line, start, next);
  if (bare === '</file>') return { kind: 'close', line, start, next };
  const head = text.slice(0, MAX_TAG_LINE);
  if (head === text) {
    const [, attributes] = OPEN.exec(text) ?? [];
    const path = attributes === undefined ? null : pathIn(attributes);
    if (path !== null) return { kind: 'open', path, line, start, next };
    const [, marked] = MARKER.exec(text) ?? [];
    if (marked !== undefined) return { kind: 'marker', path: marked.trim(), line, start, next };
  }
  return OPENER_START.test(head) || ODD_OPENER.test(head) ? { kind: 'malformed', line, start, next } : null;
}

/** The one `path` among attributes; null where there is none, or where two make it a riddle. */
function pathIn(attributes: string): string | null {
  const paths = [...attributes.matchAll(ATTRIBUTE)].flatMap(([, name, double, single]) =>
    name === 'path' ? [double ?? single ?? ''] : [],
  );
  return paths.length === 1 ? (paths[0] ?? null) : null;
}

function fenceOf(bare: string, line: number, start: number, next: number): FenceMark | null {
  const sign = bare.startsWith('~') ? '~' : '`';
  let length = 0;
  while (bare.charAt(length) === sign) length += 1;
  if (length < 3) return null;
  const info = bare.slice(length);
  // With more back-ticks behind them, three of them are code within a line of text.
  if (sign === '`' && info.includes('`')) return null;
  return { kind: 'fence', sign, length, canClose: info === '', line, start, next };
}
