import { isObject, type JsonObject } from '../core/json.ts';

/**
 * What a line was: `records` when at least one object was taken from it and nothing was left over, `unreadable` when
 * some of it was no JSON, `ignored` when it was JSON without an object in it, `blank` when nothing but noise.
 */
export type LineKind = 'records' | 'unreadable' | 'ignored' | 'blank';

/**
 * Takes the JSON objects from one line of an agent CLI's output and never throws.
 *
 * Ordinarily that is one object. Recovered as well: objects behind a byte order mark or terminal escape sequences,
 * several objects with no newline between them, and the objects of one array (a CLI that was asked for a whole
 * document prints that). An object behind other text is not taken: a log line that quotes a result is no result.
 */
export function readLine(text: string, onRecord: (record: JsonObject) => void): LineKind {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readNoisyLine(text, onRecord);
  }
  return deliver(value, onRecord);
}

/** Whether a line that was cut off could have become a record: how an output that was cut differs from plain text. */
export function beginsLikeRecord(text: string): boolean {
  const start = skipNoise(text, 0);
  return /^(?:\{|\[\s*\{)/.test(text.slice(start, start + 64));
}

function deliver(value: unknown, onRecord: (record: JsonObject) => void): LineKind {
  const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
  for (const object of objects) onRecord(object);
  return objects.length > 0 ? 'records' : 'ignored';
}

function readNoisyLine(text: string, onRecord: (record: JsonObject) => void): LineKind {
  let kind: LineKind = 'blank';
  for (let at = skipNoise(text, 0); at < text.length; at = skipNoise(text, at)) {
    const end = text[at] === '{' ? endOfObject(text, at) : text.length;
    let value: unknown;
    try {
      value = JSON.parse(text.slice(at, end).trimEnd());
    } catch {
      return 'unreadable';
    }
    const piece = deliver(value, onRecord);
    if (kind !== 'records') kind = piece;
    at = end;
  }
  return kind;
}

/** One terminal escape sequence: CSI, a string (OSC, DCS ...) up to its terminator, or a short one. */
const ESCAPE =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]{1,8}[0-~]|[0-Z\\`-~])/y;

/** The index of the first character from `at` on that is neither white space, a control character, a BOM nor an escape sequence. */
function skipNoise(text: string, at: number): number {
  for (let index = at; index < text.length; ) {
    const code = text.charCodeAt(index);
    ESCAPE.lastIndex = index;
    if (code === 0x1b && ESCAPE.test(text)) index = ESCAPE.lastIndex;
    else if (code <= 0x20 || code === 0x7f || code === 0xfeff) index += 1;
    else return index;
  }
  return text.length;
}

/** Where the object that begins at `start` ends (after its brace), or the end of the text when it is not closed. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b) depth += 1;
    else if (code === 0x7d) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return text.length;
}
