import type { Node } from 'jsonc-parser';

/** Edits of a valid JSON text that leave everything else byte for byte as it was. Nodes are of that same text. */

type Value = string | boolean | { [key: string]: string | boolean | undefined };

/** The text with another plain value in the place of this one. */
export function replaceValue(json: string, node: Node, value: string | boolean): string {
  return splice(json, node.offset, node.offset + node.length, JSON.stringify(value));
}

/** The text with one more field at the end of this object, set like the ones that are there. */
export function insertField(json: string, object: Node, key: string, value: Value): string {
  const last = object.children?.at(-1);
  const layout = layoutOf(json, object);
  const field = `${JSON.stringify(key)}: ${written(value, layout)}`;
  if (last) return splice(json, end(last), end(last), `,${layout.between}${field}`);
  return splice(json, object.offset, end(object), `{${layout.between}${field}${layout.after}}`);
}

/** The text without the field of which this is the value, and without the comma that it leaves over. */
export function removeField(json: string, value: Node): string {
  const field = value.parent;
  const siblings = field?.parent?.children ?? [];
  const at = field ? siblings.indexOf(field) : -1;
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (!field?.parent || at < 0) throw new Error('the value is not in an object');
  if (after) return splice(json, field.offset, after.offset, '');
  if (before) return splice(json, end(before), end(field), '');
  return splice(json, field.parent.offset, end(field.parent), '{}');
}

/** What stands between two fields of an object and behind the last one, and how values are set below it. */
interface Layout {
  between: string;
  after: string;
  /** One step of indentation; null where objects are on one line. */
  step: string | null;
  eol: string;
  indent: string;
}

function layoutOf(json: string, object: Node): Layout {
  const eol = /\r?\n/.exec(json)?.[0] ?? '\n';
  const first = object.children?.[0];
  const sample = first ?? object.parent?.parent?.children?.[0];
  const inline = sample ? !json.slice(startOf(sample), sample.offset).includes('\n') : false;
  const outer = indentAt(json, object.offset);
  const step = stepOf(json, object);
  if (inline) return { between: ' ', after: ' ', step: null, eol, indent: outer };
  const indent = first ? indentAt(json, first.offset) : outer + step;
  return {
    between: eol + indent,
    after: eol + outer,
    step: siblingsAreInline(json, object) ? null : step,
    eol,
    indent,
  };
}

function written(value: Value, { step, eol, indent }: Layout): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`);
  if (step === null) return `{ ${fields.join(', ')} }`;
  return `{${eol}${fields.map((field) => indent + step + field).join(`,${eol}`)}${eol}${indent}}`;
}

/** Where the object of a field begins: what lies between the two is how its fields are set. */
function startOf(field: Node): number {
  return field.parent?.offset ?? 0;
}

/** Objects in an object on several lines may each be on one. */
function siblingsAreInline(json: string, object: Node): boolean {
  const values = (object.children ?? []).map(({ children }) => children?.[1]);
  const last = values.findLast((value) => value?.type === 'object' && value.children?.length);
  return last !== undefined && !json.slice(last.offset, end(last)).includes('\n');
}

/** How much deeper a field is than its object, wherever that can be seen. */
function stepOf(json: string, object: Node): string {
  for (let node: Node | undefined = object; node; node = node.parent) {
    const first = node.type === 'object' ? node.children?.[0] : undefined;
    const [outer, inner] = [indentAt(json, node.offset), first ? indentAt(json, first.offset) : ''];
    if (inner.length > outer.length && inner.startsWith(outer)) return inner.slice(outer.length);
  }
  return '  ';
}

/** The white space that the line of this place begins with. */
function indentAt(json: string, offset: number): string {
  const line = json.slice(json.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function end(node: Node): number {
  return node.offset + node.length;
}

function splice(json: string, from: number, to: number, text: string): string {
  return json.slice(0, from) + text + json.slice(to);
}
