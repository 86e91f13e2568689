import { childrenOf, endOf, type JsonNode } from './json-text.ts';

/** A new child of an object (with a key) or of an array (without). */
export interface NewChild {
  key?: string;
  value: object;
}

/**
 * The text with new children after the last one of a container: one span is put in, every other byte stays. The span
 * looks like its surroundings: one child a line where they stand so, with their indentation and line ends.
 */
export function append(
  text: string,
  root: JsonNode,
  container: JsonNode,
  added: readonly NewChild[],
): string {
  const last = childrenOf(container).at(-1);
  const look = lookOf(text, root, container);
  const children = added.map((child) => write(child, look)).join(`,${look.between}`);
  return last
    ? insert(text, endOf(last), `,${look.between}${children}`)
    : insert(text, container.offset + 1, `${look.between}${children}${look.closing}`);
}

/** The text without one child of a container, and without the comma that belonged to it. */
export function cut(text: string, container: JsonNode, child: JsonNode): string {
  const children = childrenOf(container);
  const at = children.indexOf(child);
  const [before, after] = [children[at - 1], children[at + 1]];
  if (before) return without(text, endOf(before), endOf(child));
  if (after) return without(text, child.offset, after.offset);
  return without(text, container.offset + 1, endOf(child));
}

/** The text with another value in the place of one. */
export function replaceValue(text: string, node: JsonNode, value: string): string {
  return text.slice(0, node.offset) + value + text.slice(endOf(node));
}

/** How children of a container are set. */
interface Look {
  /** What stands between the comma before a child and the child. */
  between: string;
  /** What stands after an only child. */
  closing: string;
  /** `multi`: one a line, each level indented by `unit` more than `indent`. */
  lines: 'multi' | 'spaced' | 'minified';
  indent: string;
  unit: string;
  eol: string;
}

function lookOf(text: string, root: JsonNode, container: JsonNode): Look {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const rootLead = leadOf(text, root);
  const unit = (rootLead === null ? undefined : indentIn(rootLead)) ?? '  ';
  const lead = leadOf(text, container);
  if (lead === null) return emptyLook(text, container, { eol, unit, rootLead });
  const [first, second] = childrenOf(container);
  const gap = first && second ? text.slice(text.indexOf(',', endOf(first)) + 1, second.offset) : lead;
  const indent = indentIn(lead) ?? indentIn(gap);
  if (indent !== undefined) return { between: eol + indent, closing: '', lines: 'multi', indent, unit, eol };
  const spaced = gap !== '' || /"\s*:[ \t]/.test(text);
  return {
    between: spaced ? ' ' : '',
    closing: '',
    lines: spaced ? 'spaced' : 'minified',
    indent: '',
    unit,
    eol,
  };
}

/** An empty container is opened up where the file has lines, or has nothing else that could be a model. */
function emptyLook(
  text: string,
  container: JsonNode,
  { eol, unit, rootLead }: { eol: string; unit: string; rootLead: string | null },
): Look {
  if (rootLead !== null && indentIn(rootLead) === undefined)
    return { between: '', closing: '', lines: 'minified', indent: '', unit, eol };
  const lineStart =
    Math.max(text.lastIndexOf('\n', container.offset), text.lastIndexOf('\r', container.offset)) + 1;
  const outer = /^[ \t]*/.exec(text.slice(lineStart, container.offset))?.[0] ?? '';
  const inner = text.slice(container.offset + 1, endOf(container) - 1);
  const closing = /[\r\n]/.test(inner) ? '' : eol + outer;
  return { between: eol + outer + unit, closing, lines: 'multi', indent: outer + unit, unit, eol };
}

/** What stands between the opening bracket and the first child; null where there is no child. */
function leadOf(text: string, container: JsonNode): string | null {
  const [first] = childrenOf(container);
  return first ? text.slice(container.offset + 1, first.offset) : null;
}

/** The indentation after the last line end of white space; undefined where it has none. */
function indentIn(space: string): string | undefined {
  return /[\r\n]([ \t]*)$/.exec(space)?.[1];
}

function write({ key, value }: NewChild, { lines, indent, unit, eol }: Look): string {
  const colon = lines === 'minified' || (lines === 'multi' && unit === '') ? ':' : ': ';
  const name = key === undefined ? '' : `${JSON.stringify(key)}${colon}`;
  if (lines === 'minified') return name + JSON.stringify(value);
  // No string holds a raw line end, so each one is between two tokens.
  const laid = JSON.stringify(value, null, lines === 'multi' ? unit : ' ');
  return name + laid.replace(lines === 'multi' ? /\n/g : /\n */g, lines === 'multi' ? eol + indent : ' ');
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

function without(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}
