/** A line of an answer that means something to its reader. Offsets are UTF-16 units of the text. */
export type Mark = MarkForm & {
  /** From 1. */
  line: number;
  start: number;
  /** Where the next line begins. */
  next: number;
};

export type MarkForm =
  | { kind: 'open'; path: string }
  | { kind: 'malformed' }
  | { kind: 'close' }
  | { kind: 'fence'; sign: '`' | '~'; length: number; canClose: boolean }
  /** What the fallback reads. */
  | { kind: 'marker'; path: string };

export type FenceMark = Extract<Mark, { kind: 'fence' }>;

/** Finds the marks of a text, in a time that grows with its length and nothing else. */
export function findMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line += 1;
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    const form = mayMean(text, start, next) ? formOf(text.slice(start, next).trimEnd()) : null;
    if (form) marks.push({ ...form, line, start, next });
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

function formOf(line: string): MarkForm | null {
  const bare = line.trimStart();
  if (!bare.startsWith('<')) return fenceOf(bare);
  if (bare === '</file>') return { kind: 'close' };
  const head = line.slice(0, MAX_TAG_LINE);
  if (head === line) {
    const [, attributes] = OPEN.exec(line) ?? [];
    const path = attributes === undefined ? null : pathIn(attributes);
    if (path !== null) return { kind: 'open', path };
    const [, marked] = MARKER.exec(line) ?? [];
    if (marked !== undefined) return { kind: 'marker', path: marked.trim() };
  }
  return OPENER_START.test(head) || ODD_OPENER.test(head) ? { kind: 'malformed' } : null;
}

/** The one `path` among attributes; null where there is none, or where two make it a riddle. */
function pathIn(attributes: string): string | null {
  const paths = [...attributes.matchAll(ATTRIBUTE)].flatMap(([, name, double, single]) =>
    name === 'path' ? [double ?? single ?? ''] : [],
  );
  return paths.length === 1 ? (paths[0] ?? null) : null;
}

function fenceOf(bare: string): MarkForm | null {
  const sign = bare.startsWith('~') ? '~' : '`';
  let length = 0;
  while (bare.charAt(length) === sign && length < bare.length) length += 1;
  if (length < 3) return null;
  const info = bare.slice(length);
  // With more back-ticks behind them, three of them are code within a line of text.
  if (sign === '`' && info.includes('`')) return null;
  return { kind: 'fence', sign, length, canClose: info === '' };
}
