import { type Document, isAlias, isMap, parseDocument, visit, type YAMLMap } from 'yaml';
import { messageOf } from '../core/errors.ts';

/** What a Markdown file says of itself between two `---` lines at its very top. */
export interface Frontmatter {
  /** By key, in the order of the text. Maps within are Maps too: a key named `__proto__` is a key like any other. */
  fields: ReadonlyMap<string, unknown>;
  /** All that follows the closing line, byte for byte. */
  body: string;
  /** Why it cannot be relied on: `fields` is empty then. */
  problems: string[];
  /** What is read only because the CLIs are lenient: `needs quotes: description`. */
  warnings: string[];
}

/** The parts of a file with frontmatter: one after the other they are the file again. */
export interface FrontmatterParts {
  /** A byte order mark, or nothing. */
  bom: string;
  open: string;
  yaml: string;
  /** The closing line; empty where there is none. */
  close: string;
  body: string;
}

/**
 * YAML that holds what is asked of it: `map` knows the places of its nodes in the text, null where there is nothing. Or
 * what is wrong with it, and whether it is no YAML at all (`syntax`) rather than YAML of a kind that is not read.
 */
export type CheckedYaml =
  | { problem: string; syntax: boolean }
  | { problem: null; map: YAMLMap.Parsed | null; fields: ReadonlyMap<string, unknown> };

const MAX_BYTES = 64 * 1024;
/** Every opening bracket may nest. Driven too deep, the parser does not throw: the whole process is aborted. */
const MAX_BRACKETS = 500;
const DEEP_LINE = /(?:[-?][ \t]+){64}/;
/** Each line is parsed for itself, and a person does not write that many that need it. */
const MAX_MENDED = 64;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/** A key at the left edge and a value on its line that is not quoted yet. */
const PLAIN_LINE = /^([A-Za-z_][\w-]*):[ \t]+([^\s"'|>].*?)[ \t]*(\r?)$/;

/** Takes a file apart; null where it does not begin with frontmatter. */
export function splitFrontmatter(content: string): FrontmatterParts | null {
  const bom = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const open = /^---[ \t]*\r?(?:\n|$)/.exec(content.slice(bom.length))?.[0];
  if (open === undefined) return null;
  const rest = content.slice(bom.length + open.length);
  const end = /(^|\n)(---[ \t]*\r?(?:\n|$))/.exec(rest);
  if (!end) return { bom, open, yaml: rest, close: '', body: '' };
  const [whole, newline = '', close = ''] = end;
  const yaml = rest.slice(0, end.index + newline.length);
  return { bom, open, yaml, close, body: rest.slice(end.index + whole.length) };
}

/**
 * Reads the frontmatter of a file; null where it has none. YAML that the parser refuses is tried once more as the CLIs
 * do it, with the values of single lines (`description: Use when: a, b`) taken literally.
 */
export function readFrontmatter(content: string): Frontmatter | null {
  const parts = splitFrontmatter(content);
  if (!parts) return null;
  const { yaml, close, body } = parts;
  const refused = (problem: string): Frontmatter => ({
    fields: new Map(),
    body,
    problems: [problem],
    warnings: [],
  });
  if (close === '') return refused('the frontmatter is not closed by a line `---`');
  const strict = checkYaml(yaml);
  if (strict.problem === null) return { fields: strict.fields, body, problems: [], warnings: [] };
  const { text, keys } = strict.syntax ? quoteValues(yaml) : { text: yaml, keys: [] };
  const lenient = keys.length > 0 ? checkYaml(text) : strict;
  if (lenient.problem !== null) return refused(strict.problem);
  const warnings = keys.map((key) => `needs quotes: ${key}`);
  return { fields: lenient.fields, body, problems: [], warnings };
}

/** Parses YAML as strictly as it can be: one mapping of at most 64 KiB, no alias, no tag, no key twice. */
export function checkYaml(text: string): CheckedYaml {
  const unsafe = unsafeToParse(text);
  if (unsafe !== null) return { problem: unsafe, syntax: false };
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: true,
      stringKeys: true,
      strict: true,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error?.code === 'DUPLICATE_KEY') return { problem: 'a key is there twice', syntax: false };
    if (error) return { problem: `not YAML: ${error.message}`, syntax: true };
    const problem = refusalOf(document);
    if (problem !== null) return { problem, syntax: false };
    const map = isMap(document.contents) ? document.contents : null;
    const fields: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
    return { problem: null, map, fields: fields instanceof Map ? fields : new Map() };
  } catch (error) {
    return { problem: `not YAML: ${messageOf(error)}`, syntax: false };
  }
}

/** Quotes the values of single lines that YAML refuses as they stand. Returns the new text, and their keys. */
export function quoteValues(yaml: string): { text: string; keys: string[] } {
  const keys: string[] = [];
  const lines = yaml.split('\n').map((line) => {
    const [, key, value = '', cr = ''] = PLAIN_LINE.exec(line) ?? [];
    if (key === undefined || keys.length === MAX_MENDED || !isNoYaml(line)) return line;
    keys.push(key);
    return `${key}: ${quoted(value)}${cr}`;
  });
  return { text: lines.join('\n'), keys };
}

/** A YAML scalar on one line that reads back as exactly this text. */
export function quoted(text: string): string {
  // JSON is YAML, but for signs that YAML does not print or reads as ends of lines.
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function unsafeToParse(text: string): string | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return `the frontmatter is larger than ${MAX_BYTES / 1024} KiB`;
  if (CONTROL.test(text)) return 'the frontmatter has control characters';
  const brackets = text.match(/[[{]/g)?.length ?? 0;
  return brackets > MAX_BRACKETS || DEEP_LINE.test(text) ? 'the frontmatter is nested too deep' : null;
}

function isNoYaml(text: string): boolean {
  const checked = checkYaml(text);
  return checked.problem !== null && checked.syntax;
}

function refusalOf(document: Document.Parsed): string | null {
  const [warning] = document.warnings;
  if (warning) return `not plain YAML: ${warning.message}`;
  const { docStart, docEnd, yaml } = document.directives;
  if (docStart || docEnd || yaml.explicit) return 'YAML directives and document markers are not read';
  let found: string | null = null;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) found = `the YAML alias *${node.source} is not followed`;
      else if (node.tag !== undefined) found = `the YAML tag ${node.tag} is not read`;
      return found === null ? undefined : visit.BREAK;
    },
  });
  if (found !== null) return found;
  return document.contents === null || isMap(document.contents)
    ? null
    : 'the frontmatter is no list of `key: value`';
}
