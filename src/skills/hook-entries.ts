import { type HookMarkers, type Ours, oursIn } from './hook-marker.ts';
import { cut } from './json-splice.ts';
import { childrenOf, type JsonNode, propertyOf, requireType, stringUnder, valueOf } from './json-text.ts';

/** One hook of ours where it stands. */
export interface HookEntry {
  event: string;
  ours: Ours;
  command: string;
  /** From the hook up to the root: what holds what. */
  places: readonly Place[];
}

/** A child in its container; `key` is the child's, where it is a property. */
interface Place {
  container: JsonNode;
  child: JsonNode;
  key: string | null;
}

/** What is in the file of ours, in the order in which it stands there. */
export interface OwnEntries {
  hooks: HookEntry[];
  /** The status line, where it is ours. */
  statusLine: JsonNode | null;
}

/**
 * Finds our hooks. `events` are the ones that are about to be written to: their shape must be right, and no key on the way
 * may stand twice. What other events hold is looked at as far as it can be read. Throws a JsonRefused.
 */
export function ownEntries(
  text: string,
  root: JsonNode,
  markers: HookMarkers,
  events: readonly string[],
): OwnEntries {
  requireType(text, root, 'object', 'the whole file');
  const hooks = propertyOf(text, root, 'hooks');
  return {
    hooks: hooks ? hooksIn(text, root, hooks, markers, events) : [],
    statusLine: ownStatusLine(text, root, markers),
  };
}

/** The hook itself. */
export function hookOf({ places: [innermost] }: HookEntry): JsonNode {
  if (innermost) return innermost.child;
  throw new TypeError('a hook stands nowhere');
}

/**
 * The text without one hook, and without what would be empty after it: its group, the event, `hooks` itself. Keys that
 * are named to stay do so.
 */
export function cutEntry(text: string, { places }: HookEntry, staying: readonly string[]): string {
  const top = places.findIndex(({ container }, level) => {
    const above = places[level + 1];
    return childrenOf(container).length > 1 || !above || (above.key !== null && staying.includes(above.key));
  });
  const place = places[top];
  return place ? cut(text, place.container, place.child) : text;
}

/** The array of an event's groups; null where there is none. */
export function groupsOf(text: string, root: JsonNode, event: string): JsonNode | null {
  const hooks = objectUnder(text, root, 'hooks');
  const property = hooks && propertyOf(text, hooks, event);
  return (property && valueOf(property)) ?? null;
}

/** The object under a key; null where there is nothing. */
export function objectUnder(text: string, object: JsonNode, key: string): JsonNode | null {
  const property = propertyOf(text, object, key);
  const value = property && valueOf(property);
  return value ? requireType(text, value, 'object', JSON.stringify(key)) : null;
}

function hooksIn(
  text: string,
  root: JsonNode,
  property: JsonNode,
  markers: HookMarkers,
  events: readonly string[],
): HookEntry[] {
  const object = valueOf(property);
  if (!object) return [];
  requireType(text, object, 'object', '"hooks"');
  for (const event of events) propertyOf(text, object, event);
  return childrenOf(object).flatMap((one) => {
    const event: unknown = one.children?.[0]?.value;
    const groups = valueOf(one);
    if (typeof event !== 'string' || !groups) return [];
    const strict = events.includes(event);
    if (strict) requireType(text, groups, 'array', `"hooks".${JSON.stringify(event)}`);
    if (groups.type !== 'array') return [];
    return childrenOf(groups).flatMap((group) =>
      entriesOf(text, group, markers, strict).map(({ hook, list, command, ours }) => ({
        event,
        ours,
        command,
        places: [
          { container: list, child: hook, key: null },
          { container: groups, child: group, key: null },
          { container: object, child: one, key: event },
          { container: root, child: property, key: 'hooks' },
        ],
      })),
    );
  });
}

interface Found {
  hook: JsonNode;
  /** The array of the group that it stands in. */
  list: JsonNode;
  command: string;
  ours: Ours;
}

function entriesOf(text: string, group: JsonNode, markers: HookMarkers, strict: boolean): Found[] {
  if (strict) requireType(text, group, 'object', 'a group of hooks');
  if (group.type !== 'object') return [];
  const property = propertyOf(text, group, 'hooks');
  const array = property && valueOf(property);
  if (!array) return [];
  if (strict) requireType(text, array, 'array', 'the "hooks" of a group');
  if (array.type !== 'array') return [];
  return childrenOf(array).flatMap((hook) => {
    if (strict) requireType(text, hook, 'object', 'a hook');
    if (hook.type !== 'object' || stringUnder(text, hook, 'type') !== 'command') return [];
    const command = stringUnder(text, hook, 'command');
    const ours = command === null ? null : oursIn(command, markers);
    return command === null || !ours ? [] : [{ hook, list: array, command, ours }];
  });
}

function ownStatusLine(text: string, root: JsonNode, markers: HookMarkers): JsonNode | null {
  const property = propertyOf(text, root, 'statusLine');
  const value = property && valueOf(property);
  if (!property || value?.type !== 'object') return null;
  const command = stringUnder(text, value, 'command');
  return command !== null && oursIn(command, markers) ? property : null;
}
