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
  readonly #openerAt: readonly (number | null)[];
  readonly #tags: TagPairs;
  /** From each mark on, outside of fences: the next tag. */
  readonly #tagAt: Int32Array;

  constructor(marks: readonly Mark[]) {
    this.#closerAt = firstAfter(marks, (fence) => fence.canClose);
    this.#openerAt = firstAfter(marks, (fence) => !fence.canClose);
    this.#tags = new TagPairs(marks);
    this.#tagAt = this.#findTags(marks);
  }

  /** The index of the next tag from `index` on, for a reader who has no fence open there; past the end for none. */
  tagFrom(index: number): number {
    return this.#tagAt[index] ?? Infinity;
  }

  /**
   * The index of the mark that closes the fence at `index`. Null where nothing closes it, or where what lies between
   * says that it was not meant to: the fence is broken, and hides nothing.
   */
  closerOf(index: number): number | null {
    const closer = this.#closerAt[index] ?? null;
    if (closer === null || !this.#tags.anyIn(index + 1, closer)) return closer;
    // A fence that could only begin a block, within a block, with tags: rather two blocks of two files than one.
    const opener = this.#openerAt[index] ?? Infinity;
    return opener > closer && this.#tags.belongTogether(index + 1, closer) ? closer : null;
  }

  #findTags(marks: readonly Mark[]): Int32Array {
    const found = new Int32Array(marks.length + 1).fill(marks.length);
    let next = marks.length;
    for (let at = marks.length - 1; at >= 0; at -= 1) {
      const mark = marks[at];
      if (mark && stepOf(mark) !== 0) next = at;
      const closer = mark?.kind === 'fence' ? this.closerOf(at) : at;
      // Behind a fence that is broken, every tag counts.
      found[at] = closer === null || next === at ? next : (found[closer + 1] ?? marks.length);
    }
    return found;
  }
}

/** For each fence, the first one after it of its sign, at least as long, and of this kind. */
function firstAfter(marks: readonly Mark[], isOfKind: (fence: FenceMark) => boolean): (number | null)[] {
  const found = Array.from<number | null>({ length: marks.length }).fill(null);
  // Those ahead, the nearest last, each longer than those nearer than it: no other can be the first.
  const ahead = { '`': [] as Ahead[], '~': [] as Ahead[] };
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index];
    if (mark?.kind !== 'fence') continue;
    const fences = ahead[mark.sign];
    found[index] = firstOfLength(fences, mark.length);
    if (!isOfKind(mark)) continue;
    while ((fences.at(-1)?.length ?? Infinity) <= mark.length) fences.pop();
    fences.push({ index, length: mark.length });
  }
  return found;
}

interface Ahead {
  index: number;
  length: number;
}

/** The nearest that is long enough, by halving. */
function firstOfLength(fences: readonly Ahead[], length: number): number | null {
  let [low, high] = [0, fences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fences[middle]?.length ?? 0) >= length) low = middle + 1;
    else high = middle;
  }
  return fences[low - 1]?.index ?? null;
}

/** Answers for any range of marks whether its tags pair up, but for closers that no opener follows. */
class TagPairs {
  /** Before each mark: tags so far. */
  readonly #count: Int32Array;
  /** Before each mark: openers less closers so far. */
  readonly #depth: Int32Array;
  /** From each mark on: the end of the first closer that has no opener. */
  readonly #strayEnd: Int32Array;
  /** From each mark on: the next opener. */
  readonly #opener: Int32Array;

  constructor(marks: readonly Mark[]) {
    const never = marks.length + 1;
    this.#depth = new Int32Array(never);
    this.#count = new Int32Array(never);
    let [depth, count] = [0, 0];
    for (const [at, mark] of marks.entries()) {
      this.#depth[at + 1] = depth += stepOf(mark);
      this.#count[at + 1] = count += Math.abs(stepOf(mark));
    }
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
  anyIn(from: number, to: number): boolean {
    return this.#count[from] !== this.#count[to];
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
