import type { FenceMark, Mark } from './answer-marks.ts';

/** Whether `closer` ends a code block that `opener` begins. */
export function closesFence(opener: FenceMark, closer: Mark): boolean {
  return (
    closer.kind === 'fence' &&
    closer.canClose &&
    closer.sign === opener.sign &&
    closer.length >= opener.length
  );
}

/**
 * Knows for each fence of an answer where it closes, and whether it may hide what lies within. All is counted once,
 * from the end: an answer with many fences that do not close would be read over and over otherwise.
 */
export class Fences {
  readonly #closerAt: readonly (number | null)[];
  readonly #tags: TagPairs;

  constructor(marks: readonly Mark[]) {
    this.#closerAt = findClosers(marks);
    this.#tags = new TagPairs(marks);
  }

  /**
   * The index of the mark that closes the fence at `index`. Null where nothing closes it, or where the tags between
   * say that it was not meant to: the fence is broken, and hides nothing.
   */
  closerOf(index: number): number | null {
    const closer = this.#closerAt[index] ?? null;
    return closer !== null && this.#tags.belongTogether(index + 1, closer) ? closer : null;
  }
}

/** For each mark that is a fence, the first one after it that closes it. */
function findClosers(marks: readonly Mark[]): (number | null)[] {
  const found = Array.from<number | null>({ length: marks.length }).fill(null);
  // The closers ahead, the nearest last, each longer than those nearer than it: no other can be the first.
  const ahead = { '`': [] as Closer[], '~': [] as Closer[] };
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index];
    if (mark?.kind !== 'fence') continue;
    const closers = ahead[mark.sign];
    found[index] = firstOfLength(closers, mark.length);
    if (!mark.canClose) continue;
    while ((closers.at(-1)?.length ?? Infinity) <= mark.length) closers.pop();
    closers.push({ index, length: mark.length });
  }
  return found;
}

interface Closer {
  index: number;
  length: number;
}

/** The nearest closer that is long enough, by halving. */
function firstOfLength(closers: readonly Closer[], length: number): number | null {
  let [low, high] = [0, closers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((closers[middle]?.length ?? 0) >= length) low = middle + 1;
    else high = middle;
  }
  return closers[low - 1]?.index ?? null;
}

/** Answers for any range of marks whether its tags pair up, but for closers that no opener follows. */
class TagPairs {
  /** Before each mark: openers less closers so far. */
  readonly #depth: Int32Array;
  /** From each mark on: the end of the first closer that has no opener. */
  readonly #strayEnd: Int32Array;
  /** From each mark on: the next opener. */
  readonly #opener: Int32Array;

  constructor(marks: readonly Mark[]) {
    const never = marks.length + 1;
    this.#depth = new Int32Array(never);
    let depth = 0;
    for (const [at, mark] of marks.entries()) this.#depth[at + 1] = depth += stepOf(mark);
    this.#strayEnd = new Int32Array(never);
    this.#opener = new Int32Array(never);
    const nextAtDepth = new Map<number, number>();
    let opener = never;
    for (let at = marks.length; at >= 0; at -= 1) {
      const mark = marks[at];
      if (mark) depth -= stepOf(mark);
      if (mark && stepOf(mark) === 1) opener = at;
      this.#opener[at] = opener;
      this.#strayEnd[at] = nextAtDepth.get(depth - 1) ?? never;
      nextAtDepth.set(depth, at);
    }
  }

  /** Of the marks from `from` up to, not with, `to`. */
  belongTogether(from: number, to: number): boolean {
    const strayEnd = this.#strayEnd[from] ?? Infinity;
    if (strayEnd > to) return this.#depth[from] === this.#depth[to];
    return (this.#opener[strayEnd] ?? Infinity) >= to;
  }
}

function stepOf(mark: Mark): -1 | 0 | 1 {
  if (mark.kind === 'open' || mark.kind === 'malformed') return 1;
  return mark.kind === 'close' ? -1 : 0;
}
