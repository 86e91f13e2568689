import { oneLine, truncate } from '../core/text.ts';

/** All values of each key in the order of the file; keys as `core.hookspath`, a subsection keeps its case (`remote.Fork.url`). */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** Keys whose values may be credentials: they are named in a report, never shown. */
const SECRET_KEY = /extraheader|password|passwd|token|secret|cookie/i;
const SECRET_VALUE = /:\/\/[^/@\s]+@/;

/**
 * Reads a git configuration file as git would, without git: what an implementer wrote must not be run to be read.
 * Lines that git would refuse are skipped.
 */
export function parseConfig(text: string): ConfigValues {
  const values = new Map<string, string[]>();
  let section = '';
  for (const line of logicalLines(text)) {
    const header = /^\s*\[\s*([-.A-Za-z0-9]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header) {
      const subsection = header[2]?.replace(/\\(.)/g, '$1');
      section = (header[1] ?? '').toLowerCase() + (subsection === undefined ? '' : `.${subsection}`);
    }
    const entry = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=(.*))?$/s.exec(
      header ? line.slice(header[0].length) : line,
    );
    if (!entry || section === '') continue;
    const key = `${section}.${(entry[1] ?? '').toLowerCase()}`;
    const value = entry[2] === undefined ? 'true' : unquote(entry[2]);
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

/** Each setting that differs, as a phrase such as `core.hookspath is now "/x" (was unset)`. */
export function describeConfigChanges(before: ConfigValues, after: ConfigValues): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const old = before.get(key);
    const now = after.get(key);
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    const name = key.replace(/:\/\/[^/@\s]+@/, '://***@');
    return [`${name} is now ${show(key, now)} (was ${show(key, old)})`];
  });
}

function show(key: string, values: readonly string[] | undefined): string {
  if (!values) return 'unset';
  if (SECRET_KEY.test(key) || values.some((value) => SECRET_VALUE.test(value)))
    return 'a value that is not shown';
  return values.map((value) => JSON.stringify(truncate(oneLine(value), 200))).join(', ');
}

/** Lines with their continuations joined and their comments cut; quotes and escapes stay for `unquote`. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let quoted = false;
  let comment = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') {
      lines.push(line);
      line = '';
      quoted = false;
      comment = false;
    } else if (comment) {
      continue;
    } else if (char === '\\') {
      const next = text[at + 1] === '\r' && text[at + 2] === '\n' ? '\r\n' : (text[at + 1] ?? '');
      at += next.length;
      if (!next.endsWith('\n')) line += char + next;
    } else if ((char === '#' || char === ';') && !quoted) {
      comment = true;
    } else {
      if (char === '"') quoted = !quoted;
      line += char;
    }
  }
  return [...lines, line];
}

const ESCAPES: { [char: string]: string } = { n: '\n', t: '\t', b: '\b' };

/** The value between its outer blanks, quotes taken off and escapes resolved. Blanks inside quotes stay. */
function unquote(raw: string): string {
  let value = '';
  let solid = 0;
  let quoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw[at] ?? '';
    if (char === '"') {
      quoted = !quoted;
      solid = value.length;
    } else if (char === '\\') {
      at += 1;
      const next = raw[at] ?? '';
      value += ESCAPES[next] ?? next;
      solid = value.length;
    } else if (quoted || !/\s/.test(char)) {
      value += char;
      solid = value.length;
    } else if (value !== '') {
      value += char;
    }
  }
  return value.slice(0, solid);
}
