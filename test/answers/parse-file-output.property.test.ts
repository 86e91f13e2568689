import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFileOutput } from '../../src/answers/parse-file-output.ts';
import { getAllowedPaths } from '../../src/targets/sanitize-path.ts';
import { answers, soup } from './answers.ts';

const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 400);
const allowed = getAllowedPaths(['claude', 'codex']);

describe('an answer, however it came out', () => {
  it.each([
    { openers: 1 },
    { fences: 1 },
    // Cut within what it shows, an answer ends as if that were its last file.
    { any: 1, shownPath: 'example.md' },
    { tags: 1, openers: 1, shownPath: 'example.md' },
    { fences: 1, openers: 1 },
  ])('gives no file a text that was not meant for it, with faults of %j', (faults) => {
    fc.assert(
      fc.property(answers(faults), ({ text, meant }) => {
        for (const { path, content } of parseFileOutput(text, allowed).files)
          expect({ path, content }).toEqual({ path, content: meant.get(path) });
      }),
      { numRuns: RUNS },
    );
  });

  it('gives every file where nothing is wrong', () => {
    fc.assert(
      fc.property(answers({}), ({ text, meant }) => {
        const { files, rejected, problems } = parseFileOutput(text, allowed);
        expect(files).toEqual([...meant].map(([path, content]) => ({ path, content })));
        expect(rejected).toEqual([]);
        expect(problems.filter(({ kind }) => kind !== 'no-file')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([1, 3, 6])('answers for every opener, with %i faults', (faults) => {
    fc.assert(
      fc.property(answers({ any: faults }), ({ text }) => {
        const { openers, answered } = accountOf(text);
        expect(answered).toBe(openers);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('lines in any order', () => {
  it('answers for every opener', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const { openers, answered } = accountOf(text);
        expect(answered).toBe(openers);
      }),
      { numRuns: RUNS },
    );
  });

  it('puts no line into two files, and none that is not between the tags of that file', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const { files, usedFallback } = parseFileOutput(text, allowed);
        if (usedFallback) return;
        let from = 0;
        for (const { path, content } of files) {
          const found = placesOf(text, path, content).find((at) => at >= from);
          expect({ path, content, found }).not.toMatchObject({ found: undefined });
          from = (found ?? 0) + content.length;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('is a problem where nothing comes of it', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (text) => {
        const { files, problems } = parseFileOutput(text, allowed);
        expect(problems.some(({ kind }) => kind === 'no-file')).toBe(
          files.length === 0 && text.trim() !== '',
        );
      }),
      { numRuns: RUNS },
    );
  });
});

/** Counted by other means than the parser's: by the look of each line. */
function openersIn(text: string, fallback: boolean): number {
  const looks = fallback ? [/^ {0,3}<!-- *file:.*-->\s*$/] : [/^ {0,3}<file/, /^\s*<file .*path=/i];
  return text.split('\n').filter((line) => looks.some((look) => look.test(line))).length;
}

const ABOUT_NO_OPENER = new Set(['stray-closer', 'no-file']);

/** How many openers an answer has, and how many the parser answers for: never twice for one. */
function accountOf(text: string): { openers: number; answered: number } {
  const { files, rejected, problems, usedFallback } = parseFileOutput(text, allowed);
  const within = files.reduce((sum, { content }) => sum + openersIn(content, usedFallback), 0);
  const reported = problems.filter(({ kind }) => !ABOUT_NO_OPENER.has(kind)).map(({ line }) => line);
  return {
    openers: openersIn(text, usedFallback),
    answered: files.length + rejected.length + new Set(reported).size + within,
  };
}

/** Where a text stands between an opener with this path and a closer. */
function placesOf(text: string, path: string, content: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(content); at !== -1; at = text.indexOf(content, at + 1)) {
    const before = text.slice(0, at).split('\n').at(-2) ?? '';
    const after = text.slice(at + content.length).split('\n')[0] ?? '';
    if (/^ {0,3}<file /.test(before) && before.includes(path) && after.trim() === '</file>') places.push(at);
  }
  return places;
}
