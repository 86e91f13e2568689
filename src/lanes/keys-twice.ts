/** A file, its lanes, their dials: below that nothing has a meaning. */
const DEPTH = 3;

/**
 * The paths of keys that stand more than once in the same object of a valid JSON text, as keys from the top down. A
 * reader takes the last, a person may see the first: what is approved must mean one thing.
 */
export function keysTwice(json: string): string[][] {
  const found: string[][] = [];
  const open: Level[] = [];
  for (const [token] of json.matchAll(TOKEN)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ keys: token === '{' ? new Set() : null, key: null });
    else if (token === '}' || token === ']') open.pop();
    else if (level?.keys && token === ',') level.key = null;
    else if (level?.keys && level.key === null && token.startsWith('"')) {
      const key: unknown = JSON.parse(token);
      level.key = String(key);
      if (open.length <= DEPTH && level.keys.has(level.key)) found.push(open.map((one) => one.key ?? '[]'));
      level.keys.add(level.key);
    }
  }
  return found;
}

/** An object or array that is not closed yet. */
interface Level {
  /** The keys so far; null for an array. */
  keys: Set<string> | null;
  /** The key whose value is being read; null before it, and in arrays. */
  key: string | null;
}

/** A string, or one of the signs that open, close or separate. Numbers and words are nobody's key. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],]/g;
