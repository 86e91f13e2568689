import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import { BatonError } from '../core/errors.ts';
import {
  checkYaml,
  type FrontmatterParts,
  quoted,
  quoteValues,
  readFrontmatter,
  splitFrontmatter,
} from './frontmatter.ts';

/** Where a value stands: a key at the top, or a key of the mapping below a key at the top. */
export type FrontmatterKey = readonly [key: string] | readonly [key: string, below: string];

type Fields = ReadonlyMap<string, unknown>;
type MapNode = YAMLMap.Parsed;
type PairNode = Pair<ParsedNode, ParsedNode | null>;

/** A key that needs no quotes. */
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

/**
 * Sets a value, in double quotes on one line, and leaves the rest of the text as it is. Frontmatter that is not there
 * yet is made, and values that need quotes to be YAML get them. Throws a BatonError `frontmatter` where the text cannot
 * be edited in this way.
 */
export function setFrontmatterKey(content: string, key: FrontmatterKey, value: string): string {
  const odd = key.find((name) => !PLAIN_KEY.test(name));
  if (odd !== undefined) throw refusal(`the key ${JSON.stringify(odd)} is not written`);
  const { parts, map, fields } = editable(content);
  return edited(parts, withKey(parts, map, key, value), withField(fields, key, value));
}

/** Takes a key and its value away. Throws a BatonError `frontmatter` where the text cannot be edited in this way. */
export function removeFrontmatterKey(content: string, key: string): string {
  if (!splitFrontmatter(content)) return content;
  const { parts, map, fields } = editable(content);
  const pair = map && pairOf(map, key);
  if (!pair) return content;
  const { yaml } = parts;
  const end = yaml[endOf(pair) - 1] === '\n' ? endOf(pair) : lineEnd(yaml, endOf(pair));
  const rest = new Map([...fields].filter(([name]) => name !== key));
  return edited(parts, yaml.slice(0, pair.key.range[0]) + yaml.slice(end), rest);
}

/** Quotes the values that YAML refuses as they stand; the content itself where that does not help or is not needed. */
export function quoteFrontmatter(content: string): string {
  const parts = splitFrontmatter(content);
  if (!parts || !readFrontmatter(content)?.warnings.length) return content;
  return joined(parts, quoteValues(parts.yaml).text);
}

/** The parts of a text whose frontmatter is YAML, or made so. */
function editable(content: string): { parts: FrontmatterParts; map: MapNode | null; fields: Fields } {
  const found = splitFrontmatter(quoteFrontmatter(content));
  const parts = found ?? newParts(content);
  if (parts.close === '') throw refusal('the frontmatter is not closed by a line `---`');
  const checked = checkYaml(parts.yaml);
  if (checked.problem !== null) throw refusal(checked.problem);
  return { parts, map: checked.map, fields: checked.fields };
}

function newParts(content: string): FrontmatterParts {
  const bom = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const eol = /\r?\n/.exec(content)?.[0] ?? '\n';
  return { bom, open: `---${eol}`, yaml: '', close: `---${eol}`, body: content.slice(bom.length) };
}

function withKey(parts: FrontmatterParts, map: MapNode | null, key: FrontmatterKey, value: string): string {
  const { yaml } = parts;
  const eol = parts.open.endsWith('\r\n') ? '\r\n' : '\n';
  const [name, below] = key;
  const pair = map && pairOf(map, name);
  if (below === undefined) {
    if (pair) return replaceValue(yaml, pair, value);
    const line = `${name}: ${quoted(value)}`;
    return map?.flow ? insertFirst(yaml, map, line, eol) : `${yaml}${line}${eol}`;
  }
  const line = `${below}: ${quoted(value)}`;
  if (!pair) {
    if (map?.flow) return insertFirst(yaml, map, `${name}: {${line}}`, eol);
    return `${yaml}${name}:${eol}  ${line}${eol}`;
  }
  if (isMap<ParsedNode, ParsedNode | null>(pair.value)) {
    const inner = pairOf(pair.value, below);
    return inner ? replaceValue(yaml, inner, value) : insertFirst(yaml, pair.value, line, eol);
  }
  if (pair.value !== null && !(isScalar(pair.value) && pair.value.value === null))
    throw refusal(`\`${name}\` is no mapping`);
  const end = lineEnd(yaml, pair.key.range[1]);
  return `${yaml.slice(0, end)}  ${line}${eol}${yaml.slice(end)}`;
}

function replaceValue(yaml: string, pair: PairNode, value: string): string {
  const [start, keyEnd] = pair.key.range;
  const end = endOf(pair);
  const ending = /\r?\n$/.exec(yaml.slice(start, end))?.[0] ?? '';
  return `${yaml.slice(0, keyEnd)}: ${quoted(value)}${ending}${yaml.slice(end)}`;
}

/** Before the first key: what comes after the last may be anything, comments and blank lines among it. */
function insertFirst(yaml: string, map: MapNode, entry: string, eol: string): string {
  const first = map.items[0]?.key.range[0];
  const at = first ?? map.range[0] + 1;
  const indent = yaml.slice(yaml.lastIndexOf('\n', at - 1) + 1, at);
  const after = first === undefined ? '' : map.flow ? ', ' : `${eol}${indent}`;
  return yaml.slice(0, at) + entry + after + yaml.slice(at);
}

function withField(fields: Fields, [name, below]: FrontmatterKey, value: string): Fields {
  if (below === undefined) return new Map(fields).set(name, value);
  const inner = fields.get(name);
  return new Map(fields).set(name, new Map(inner instanceof Map ? inner : []).set(below, value));
}

/** The content with this YAML: only where it reads as exactly these fields, for an edit of text can go astray. */
function edited(parts: FrontmatterParts, yaml: string, fields: Fields): string {
  const after = checkYaml(yaml);
  if (after.problem !== null || !isDeepStrictEqual(after.fields, fields))
    throw refusal('the frontmatter is written in a way that cannot be edited');
  return joined(parts, yaml);
}

function joined({ bom, open, close, body }: FrontmatterParts, yaml: string): string {
  return bom + open + yaml + close + body;
}

function pairOf(map: MapNode, key: string): PairNode | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function endOf({ key, value }: PairNode): number {
  return Math.max(key.range[1], value?.range[1] ?? 0);
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}

function refusal(why: string): BatonError {
  return new BatonError('frontmatter', why, { hint: 'mend the lines between the two `---` by hand' });
}
