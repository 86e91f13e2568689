import { type ChangedFile, findingAt } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import type { Assertion, TestCase } from '../test-case.ts';
import { helperAssertionsIn } from '../tests.ts';
import type { Detector } from './detector.ts';
import { looseningOf } from './loosening.ts';
import { pairTests } from './pair-tests.ts';

/** Assertions of tests that are still there: gone without another in their place, or weaker than before. */
export const assertionChanges: Detector = ({ files }) => {
  const pairs = pairTests(files);
  /** An assertion that moved to another test, or was taken into a helper, is still made. */
  const made = new Map<string, number>();
  for (const { after } of pairs.values())
    for (const test of after) for (const assertion of test.assertions) count(made, contentOf(assertion), 1);
  for (const { pairs: both, gone } of pairs.values()) {
    for (const test of [...both.map(([before]) => before), ...gone])
      for (const assertion of test.assertions) count(made, contentOf(assertion), -1);
  }
  return [...pairs].flatMap(([file, paired]) =>
    // A test that became a note is reported as such.
    paired.pairs.flatMap(([before, after]) =>
      after.modifiers.includes('todo') ? [] : compare(file, before, after, made),
    ),
  );
};

const HELPERS = new WeakMap<ChangedFile, Assertion[]>();

/** Assertions that are new in functions beside the tests; read once, also where many tests of a file call them. */
function newHelpers(file: ChangedFile): Assertion[] {
  const known = HELPERS.get(file) ?? readNewHelpers(file);
  HELPERS.set(file, known);
  return known;
}

function readNewHelpers({ before, after }: ChangedFile): Assertion[] {
  if (!after) return [];
  const known = new Set(before ? helperAssertionsIn(before).map(({ text }) => text) : []);
  return helperAssertionsIn(after).filter(({ text }) => !known.has(text));
}

/** Whether another assertion stands for it: in a helper, or as part of a larger one, such as an expected error. */
function livesOn(old: Assertion, { assertions }: TestCase, helpers: readonly Assertion[]): boolean {
  const args = old.args.join();
  return (
    helpers.some(
      (helper) => helper.args.join() === args || (old.subject.length > 3 && helper.subject === old.subject),
    ) || old.args.some((arg) => arg.length > 8 && assertions.some(({ text }) => text.includes(arg)))
  );
}

/** The same under another framework: `t.equal(a, 1)` and `assert.strictEqual(a, 1)`. */
function contentOf({ subject, args }: Assertion): string {
  return [subject, ...args].join('\0').replace(/\s+/g, '').replaceAll('"', "'");
}

/** Their loss takes nothing away: an error that nobody looks at fails a test by itself, and `pass` and `fail` only mark a place. */
const SAYS_LITTLE = /^(?:error|ifError|ifErr|pass|fail|unreachable|doesNotThrow|not\.toThrow|notThrows)$/;

function saysLittle({ matcher, subject }: Assertion): boolean {
  return SAYS_LITTLE.test(matcher) || (matcher === 'ok' && /^(?:e|err|error)$|^["'`]/.test(subject));
}

function count(bag: Map<string, number>, key: string, by: number): void {
  bag.set(key, (bag.get(key) ?? 0) + by);
}

/** `assertRaisesRegex(E, 'x')` became `assertRaises(E)`, and an assertion about its message below. */
function looksAtErrorBelow(now: Assertion, written: readonly Assertion[]): boolean {
  return (
    /raises|throw|reject/i.test(now.matcher) &&
    written.some(
      ({ line, subject }) =>
        line > now.line && line <= now.line + 8 && /\b\w*(?:exc|err)\w*\b/i.test(subject),
    )
  );
}

function compare(
  file: ChangedFile,
  before: TestCase,
  after: TestCase,
  made: ReadonlyMap<string, number>,
): Finding[] {
  const [gone, fresh] = unlike(before.assertions, after.assertions);
  const written = [...fresh];
  const found: Finding[] = [];
  const left: Assertion[] = [];
  for (const old of gone) {
    const at = closest(old, fresh);
    const [now] = at < 0 ? [] : fresh.splice(at, 1);
    if (!now) {
      left.push(old);
      continue;
    }
    const why = looseningOf(old, now);
    if (why !== null && !looksAtErrorBelow(now, written))
      found.push(
        findingAt(file, 'assertion-loosened', 'after', now.line, `${why}; it was: ${clip(old.text)}`),
      );
  }
  // What is left on both sides has another subject: as many as came stand in for as many as went.
  const helpers = left.length > fresh.length ? newHelpers(file) : [];
  const lost = left
    .filter((old) => (made.get(contentOf(old)) ?? 0) < 0 && !saysLittle(old) && !livesOn(old, after, helpers))
    .slice(fresh.length);
  for (const old of lost) {
    found.push(
      findingAt(
        file,
        'assertion-removed',
        'before',
        old.line,
        `the test "${after.name}" no longer asserts this`,
      ),
    );
  }
  return found;
}

/** What each has and the other has not; the same text twice counts twice. */
function unlike(before: readonly Assertion[], after: readonly Assertion[]): [Assertion[], Assertion[]] {
  const fresh = [...after];
  const gone = before.filter((old) => {
    const at = fresh.findIndex((now) => now.text === old.text);
    if (at >= 0) fresh.splice(at, 1);
    return at < 0;
  });
  return [gone, fresh];
}

/** The one about the same subject; else the one that expects the same of another. */
function closest(old: Assertion, fresh: readonly Assertion[]): number {
  const same = fresh.findIndex((now) => now.subject === old.subject && now.matcher === old.matcher);
  if (same >= 0) return same;
  const subject = fresh.findIndex((now) => now.subject === old.subject);
  if (subject >= 0) return subject;
  const expects =
    old.args.join().length > 2 ? fresh.findIndex((now) => now.args.join() === old.args.join()) : -1;
  if (expects >= 0) return expects;
  // `assert f(1) == 2` to `assert f(1)`, `expect(a.b)` to `expect(a)`.
  return fresh.findIndex(
    (now) =>
      now.subject !== '' &&
      old.subject !== '' &&
      (now.subject.includes(old.subject) || old.subject.startsWith(now.subject)),
  );
}

function clip(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
