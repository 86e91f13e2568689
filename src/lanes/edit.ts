import { type Node, parseTree } from 'jsonc-parser';
import { messageOf, UsageError } from '../core/errors.ts';
import { asText } from './as-text.ts';
import { readBinding } from './binding.ts';
import { documentOf, FLEET_VERSION, parseFleet } from './fleet-file.ts';
import { insertField, removeField, replaceValue } from './json-edit.ts';
import { keysTwice } from './keys-twice.ts';
import { type Binding, DIAL_NAMES, LANE_NAME } from './lane.ts';

const BOM = '\ufeff';

/** A new file without lanes. */
const EMPTY = `{\n  "version": "${FLEET_VERSION}",\n  "lanes": {}\n}\n`;

/**
 * The text of a file of lanes with this lane in it, in place of one of that name: its known fields are as in `binding`,
 * and all else is as it was, down to order, indentation, line ends and byte order mark. `text` null is a new file.
 *
 * Throws a UsageError for a file that is broken, a name that is none, and a lane that does not hold.
 */
export function setLane(text: string | null, name: string, binding: Binding): string {
  if (!LANE_NAME.test(name))
    throw new UsageError(
      `${asText(name)} is not the name of a lane: write letters, digits and . _ -, beginning with a letter or digit`,
    );
  const { problem } = readBinding({ implementer: binding.implementer, ...binding.dials });
  if (problem !== null) throw new UsageError(`the lane ${asText(name)} cannot be set: ${problem}`);
  const edited = edit(text ?? EMPTY, name, (json) => withFields(json, name, binding));
  const left = parseFleet(Buffer.from(edited)).lanes.find((lane) => lane.name === name)?.problem ?? null;
  if (left === null) return edited;
  throw new UsageError(`the lane ${asText(name)} has more in the file than baton knows: ${left}`, {
    hint: `take that out with \`baton lanes unset ${name} <field>\``,
  });
}

/**
 * The same without the lane, or with `fields` without these fields of it. Throws a UsageError for a file that is broken,
 * and for what is not there.
 */
export function unsetLane(text: string, name: string, fields: readonly string[] = []): string {
  return edit(text, name, (json) => {
    if (!find(json, 'lanes', name)) throw new UsageError(`there is no lane ${asText(name)} in it`);
    if (fields.length === 0) return without(json, name);
    return fields.reduce((left, field) => {
      if (find(left, 'lanes', name, field)) return without(left, name, field);
      throw new UsageError(`the lane ${asText(name)} has no ${asText(field)}`);
    }, json);
  });
}

/** Keeps the byte order mark away from the parser, and refuses what could be read in two ways. */
function edit(text: string, name: string, change: (json: string) => string): string {
  const mark = text.startsWith(BOM) ? BOM : '';
  const json = text.slice(mark.length);
  try {
    documentOf(json);
  } catch (error) {
    throw new UsageError(`the file of lanes is broken, and left as it is: ${messageOf(error)}`, {
      hint: 'mend it by hand first',
      cause: error,
    });
  }
  const twice = keysTwice(json).find(([, lane]) => lane === undefined || lane === name);
  if (twice)
    throw new UsageError(
      `${twice.map((key) => asText(key)).join('.')} stands twice in the file of lanes: mend it by hand first`,
    );
  try {
    return mark + change(json);
  } catch (error) {
    // The parser of places calls itself for each level: a file that is nested without end has too many.
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError('the file of lanes is nested too deeply to be edited', { cause: error });
  }
}

function withFields(json: string, name: string, { implementer, dials }: Binding): string {
  const fields = { implementer, ...dials };
  const ordered = (['implementer', ...DIAL_NAMES] as const).map((field) => [field, fields[field]] as const);
  const given = ordered.filter(([, value]) => value !== undefined);
  if (find(json, 'lanes', name)?.type !== 'object') {
    const rest = find(json, 'lanes', name) ? without(json, name) : json;
    return insertField(rest, required(rest, 'lanes'), name, Object.fromEntries(given));
  }
  return ordered.reduce((text, [field, value]) => {
    const there = find(text, 'lanes', name, field);
    if (value === undefined) return there ? without(text, name, field) : text;
    if (there) return replaceValue(text, there, value);
    return insertField(text, required(text, 'lanes', name), field, value);
  }, json);
}

function without(json: string, ...path: string[]): string {
  return removeField(json, required(json, 'lanes', ...path));
}

/** The value at this path; undefined where there is none. Keys are compared, never looked up in an object. */
function find(json: string, ...path: string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, key) =>
      node?.type === 'object'
        ? node.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1]
        : undefined,
    parseTree(json),
  );
}

function required(json: string, ...path: string[]): Node {
  const node = find(json, ...path);
  if (node) return node;
  throw new Error(`${path.join('.')} is not where it was read`);
}
