import { cutEntry, ownEntries } from './hook-entries.ts';
import type { HookMarkers } from './hook-marker.ts';
import { cut, replaceValue } from './json-splice.ts';
import {
  childrenOf,
  endOf,
  type JsonNode,
  JsonRefused,
  propertyOf,
  readJsonText,
  valueOf,
} from './json-text.ts';

export interface UnmergeOptions {
  markers: HookMarkers;
  /** The text before ours first came in: objects and lists that were empty in it become what they were. */
  original?: string | null;
}

/**
 * The text of settings without any hook of ours, and without what only held ours. All else stays byte for byte. Throws a
 * JsonRefused for a text that must not be edited.
 */
export function unmergeSettings(existing: string, { markers, original = null }: UnmergeOptions): string {
  const before = original === null ? null : treeOrNull(original);
  const staying = before && original !== null ? emptyPlaces(original, before) : new Map<string, string>();
  let text = existing;
  for (;;) {
    const root = readJsonText(text);
    const { hooks, statusLine } = ownEntries(text, root, markers, []);
    const [hook] = hooks;
    if (hook) text = cutEntry(text, hook, [...staying.keys()]);
    else if (statusLine) text = cut(text, root, statusLine);
    else return refilled(text, staying);
  }
}

/** The white space in `hooks` and in its events where they were empty, by key; the root's own under the empty key. */
function emptyPlaces(text: string, root: JsonNode): Map<string, string> {
  return new Map(
    places(text, root)
      .filter(([, node]) => childrenOf(node).length === 0)
      .map(([key, node]) => [key, text.slice(node.offset, endOf(node))]),
  );
}

function refilled(text: string, empty: ReadonlyMap<string, string>): string {
  const place = places(text, readJsonText(text)).find(([key, node]) => {
    const before = empty.get(key);
    return (
      before !== undefined && childrenOf(node).length === 0 && before !== text.slice(node.offset, endOf(node))
    );
  });
  return place ? refilled(replaceValue(text, place[1], empty.get(place[0]) ?? ''), empty) : text;
}

/** The root, `hooks` and its events, as far as they are objects and lists. */
function places(text: string, root: JsonNode): [key: string, node: JsonNode][] {
  if (root.type !== 'object') return [];
  const property = propertyOf(text, root, 'hooks');
  const hooks = property && valueOf(property);
  const found: [string, JsonNode][] = [['', root]];
  if (hooks?.type !== 'object') return found;
  found.push(['hooks', hooks]);
  for (const event of childrenOf(hooks)) {
    const key: unknown = event.children?.[0]?.value;
    const groups = valueOf(event);
    if (typeof key === 'string' && groups?.type === 'array') found.push([key, groups]);
  }
  return found;
}

function treeOrNull(text: string): JsonNode | null {
  try {
    return readJsonText(text);
  } catch (error) {
    if (error instanceof JsonRefused) return null;
    throw error;
  }
}
