import { isObject, type JsonObject } from '../core/json.ts';
import { messageOf } from '../core/errors.ts';
import { asText } from './as-text.ts';
import { readBinding } from './binding.ts';
import { keysTwice } from './keys-twice.ts';
import { type Binding, LANE_NAME } from './lane.ts';

/** The version of the format, which every file says. */
export const FLEET_VERSION = 'delegate-fleet.v1';

/** One lane of a file. A lane with a problem is of no use, and spoils no other. */
export type FileLane =
  | ({ name: string; problem: null } & Binding)
  | { name: string; problem: string; implementer: null; dials: null };

/** What a file says. A file with a problem has no lanes. */
export interface FleetContent {
  lanes: readonly FileLane[];
  problem: string | null;
}

/** Reads a file of the format `delegate-fleet.v1`. Never throws: whatever is wrong is said in `problem`. */
export function parseFleet(bytes: Uint8Array): FleetContent {
  try {
    const text = decode(bytes);
    const document = documentOf(text);
    const twice = keysTwice(text);
    const named = twice.find(({ length }) => length === 1);
    if (named) return broken(`the field ${JSON.stringify(named[0])} stands there twice`);
    return { lanes: lanesOf(document, twice), problem: null };
  } catch (error) {
    return broken(messageOf(error));
  }
}

function broken(problem: string): FleetContent {
  return { lanes: [], problem };
}

/** The text without its byte order mark. Throws where the bytes are no UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8');
  }
}

/** The whole of a file, with `lanes` an object. Throws an Error that says what is wrong. */
export function documentOf(text: string): JsonObject & { lanes: JsonObject } {
  const document = parseStrictly(text);
  if (!isObject(document)) throw new Error('it is no JSON object');
  const { version, lanes } = own(document);
  if (version === undefined) throw new Error(`it has no version: write "version": "${FLEET_VERSION}"`);
  if (version !== FLEET_VERSION) throw new Error(`its version is ${asText(version)}, not "${FLEET_VERSION}"`);
  if (!isObject(lanes)) throw new Error('its field "lanes" is no object');
  return { ...document, lanes };
}

function own(document: JsonObject): { version: unknown; lanes: unknown } {
  const fields = new Map(Object.entries(document));
  return { version: fields.get('version'), lanes: fields.get('lanes') };
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const comment = hasComment(text) ? ' (comments are not allowed in it)' : '';
    throw new Error(`it is no strict JSON${comment}: ${messageOf(error)}`, { cause: error });
  }
}

/** A comment where no string is; a string ends with its line at the latest. */
function hasComment(text: string): boolean {
  for (const [found] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|\/[/*]/g)) if (found.startsWith('/')) return true;
  return false;
}

function lanesOf(document: { lanes: JsonObject }, twice: readonly (readonly string[])[]): FileLane[] {
  const ambiguous = new Map(
    twice.filter(([field]) => field === 'lanes').map((path) => [path[1] ?? '', path] as const),
  );
  return Object.entries(document.lanes).map(([name, value]) => {
    const again = ambiguous.get(name);
    const read = readBinding(value);
    const problem = !LANE_NAME.test(name)
      ? 'the name is not letters, digits and . _ -, beginning with a letter or digit'
      : again
        ? `${again.map((key) => JSON.stringify(key)).join('.')} stands there twice`
        : read.problem;
    if (problem !== null || read.binding === null)
      return { name, problem: problem ?? '', implementer: null, dials: null };
    return { name, problem: null, ...read.binding };
  });
}
