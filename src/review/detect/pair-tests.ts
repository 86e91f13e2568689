import type { ChangedFile } from '../changed-file.ts';
import { isTest } from '../paths.ts';
import type { Source } from '../source.ts';
import type { TestCase } from '../test-case.ts';
import { testsIn } from '../tests.ts';

/** The tests of one changed file on both sides, brought together. */
export interface PairedTests {
  pairs: [before: TestCase, after: TestCase][];
  /** In no changed file of the run any more. */
  gone: TestCase[];
  fresh: TestCase[];
  after: TestCase[];
}

/** Of two bodies with this share of lines in common, one is taken for the other under a new name. */
const ALIKE = 0.5;
const MAX_COMPARED = 250_000;
/** And of two names with this share of pairs of letters. */
const SAME_NAME = 0.85;

/**
 * Pairs by full name, then by the test's own name, then by what is in it; last over all changed files, since a test
 * that moved to another file is not gone.
 */
export function pairTests(files: readonly ChangedFile[]): Map<ChangedFile, PairedTests> {
  const all = new Map<ChangedFile, PairedTests>();
  for (const file of files) {
    if ((isTest(file.path) || isTest(file.oldPath)) && (file.before || file.after))
      all.set(file, pairOne(file));
  }
  const elsewhere = [...all].flatMap(([file, { fresh }]) => fresh.map((test) => ({ file, test })));
  for (const [file, paired] of all) {
    paired.gone = paired.gone.filter(
      (test) =>
        !elsewhere.some(
          (other) =>
            ownName(other.test) === ownName(test) ||
            (file.before &&
              other.file.after &&
              alike(bodyOf(file.before, test), bodyOf(other.file.after, other.test))),
        ),
    );
  }
  return all;
}

function pairOne({ before, after }: ChangedFile): PairedTests {
  const old = before ? testsIn(before) : [];
  const now = after ? testsIn(after) : [];
  const paired: PairedTests = { pairs: [], gone: [...old], fresh: [...now], after: now };
  pairWhere(paired, (a, b) => a.name === b.name);
  pairWhere(paired, (a, b) => ownName(a) === ownName(b));
  // Comparing every test with every other one is for what people write.
  if (paired.gone.length * paired.fresh.length > MAX_COMPARED) return paired;
  if (before && after)
    pairWhere(paired, (a, b) => a.isGroup === b.isGroup && alike(bodyOf(before, a), bodyOf(after, b)));
  pairWhere(paired, (a, b) => a.isGroup === b.isGroup && alike(wordsOf(a), wordsOf(b), SAME_NAME));
  return paired;
}

function pairWhere(paired: PairedTests, same: (before: TestCase, after: TestCase) => boolean): void {
  if (paired.fresh.length === 0) return;
  paired.gone = paired.gone.filter((before) => {
    const at = paired.fresh.findIndex((after) => same(before, after));
    const [after] = at < 0 ? [] : paired.fresh.splice(at, 1);
    if (after) paired.pairs.push([before, after]);
    return !after;
  });
}

function ownName({ name }: TestCase): string {
  return name.slice(name.lastIndexOf(' > ') + 1);
}

/** Of a name reworded or spelled right: the words of a name, letter by letter in pairs. */
function wordsOf(test: TestCase): Set<string> {
  const name = ownName(test).toLowerCase();
  return new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2)));
}

const BODIES = new WeakMap<TestCase, Set<string>>();

/** The lines of a test without its first one, which names it. */
function bodyOf({ text }: Source, test: TestCase): Set<string> {
  const known = BODIES.get(test);
  if (known) return known;
  const lines = text.slice(test.start, test.end).split('\n').slice(1);
  const body = new Set(lines.map((line) => line.trim()).filter((line) => line.length > 3));
  BODIES.set(test, body);
  return body;
}

function alike(a: Set<string>, b: Set<string>, share = ALIKE): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  if (few.size === 0 || few.size < many.size * share) return false;
  let common = 0;
  for (const line of few) if (many.has(line)) common += 1;
  return common >= many.size * share;
}
