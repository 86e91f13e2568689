import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { generateDomainPatterns } from '../../src/skills/bash-patterns.ts';
import { compileGlob } from '../../src/skills/glob.ts';
import { rulesOf } from './rules-support.ts';

const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 20);
/** So many globs and paths in one bash: each pair of them is compared. */
const GLOBS = 40;
const PATHS = 60;

describe('a glob', () => {
  it.each([
    ['packages/*/src/pay*.ts', 'packages/a/src/payment.ts', true],
    ['packages/*/src/pay*.ts', 'packages/a/b/src/payment.ts', false],
    ['packages/*/src/pay*.ts', 'packages/a/src/pay/ment.ts', false],
    ['**/*.test.ts', 'a.test.ts', true],
    ['**/*.test.ts', 'a/b/c.test.ts', true],
    ['**/*.test.ts', 'a/b/ctest.ts', false],
    ['src/**', 'src/a/b', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs/a', false],
    ['*/**', 'a', false],
    ['**', 'a/.b/c', true],
    ['*', '.env', true],
    ['*.MD', 'a.md', false],
    ['a**c', 'abc', true],
    ['a**c', 'a/c', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['app/[id]/(group)/{a,b}.ts', 'app/[id]/(group)/{a,b}.ts', true],
    ['app/[id].ts', 'app/i.ts', false],
    ['{a,b}.ts', 'a.ts', false],
    ['!a', 'b', false],
    ['a\\*', 'a\\b', true],
    ['a+', 'aa', false],
    ['"a"*', '"a"b', true],
    ['?', 'é', true],
    ['?', '😀', true],
    ['?', 'éé', false],
    ['?', '/', false],
    ['x?y', 'x°y', true],
    ['x?', 'é°', false],
  ])('%s on %s: %s, in bash too', (glob, path, expected) => {
    expect([compileGlob(glob)(path), matchedInBash([glob], [path])]).toEqual([expected, [[expected]]]);
  });

  it('means to us and to bash what it means to picomatch, where all but `*`, `?` and `**` is literal', () => {
    fc.assert(
      fc.property(
        fc.array(globs(), { minLength: GLOBS, maxLength: GLOBS }),
        fc.array(paths(), { minLength: PATHS, maxLength: PATHS }),
        (globs, paths) => {
          const expected = globs.map((glob) => {
            const matches = picomatch(escaped(glob), { dot: true, windows: false });
            return paths.map((path) => matches(path));
          });
          const differences = [
            ...differing(
              'ours',
              globs,
              paths,
              expected,
              globs.map((glob) => paths.map(compileGlob(glob))),
            ),
            ...differing('bash', globs, paths, expected, matchedInBash(globs, paths)),
          ];
          expect(differences).toEqual([]);
        },
      ),
      // Each step of shrinking is a bash of its own, and the difference names its one pair already.
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 300_000);

  it('ends in no time on what makes a backtracking engine run for minutes', () => {
    const path = `${'a'.repeat(2000)}/${'a/'.repeat(1000)}b`;
    for (const glob of ['*a'.repeat(200), `${'**/a/'.repeat(200)}c`, `${'**/*a*/'.repeat(100)}c`])
      expect(compileGlob(glob)(path)).toBe(false);
  });
});

/**
 * Few signs, so that globs and paths meet; the special ones of regular expressions, globs and the shell among them. The
 * double quote and the backslash are not: picomatch drops some of them, escaped or not.
 */
const SIGNS = Array.from(`abB.-é°中'$()[]{}+|^!,@ #~\`;&`);

function paths(): fc.Arbitrary<string> {
  const name = fc
    .array(fc.constantFrom('a', 'a', 'b', 'a.b', ...SIGNS), { minLength: 1, maxLength: 3 })
    .map((signs) => signs.join(''))
    .filter((name) => name !== '.' && name !== '..');
  return fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
}

function globs(): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 2, arbitrary: fc.constant('**') },
    { weight: 2, arbitrary: fc.constantFrom('*', '?', '*.*', 'a*', '*b', '**a', 'a**') },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.constantFrom('*', '?', 'a', 'a', ...SIGNS), { minLength: 1, maxLength: 3 })
        .map((signs) => signs.join('')),
    },
  );
  return (
    fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join('/'))
      // Three stars are no part of the dialect (picomatch reads them now so, now so), and `.` and `..` are in no path.
      .filter((glob) => !/(?:^|\/)\.\.?(?:\/|$)|\*{3}/.test(glob))
  );
}

/** For picomatch: everything but `*`, `?` and `/` as a literal. */
function escaped(glob: string): string {
  return glob.replace(/[^*?/\p{L}\p{N}]/gu, '\\$&');
}

function differing(
  who: string,
  globs: readonly string[],
  paths: readonly string[],
  expected: readonly boolean[][],
  found: readonly boolean[][],
): string[] {
  return globs.flatMap((glob, row) =>
    paths.flatMap((path, column) =>
      expected[row]?.[column] === found[row]?.[column]
        ? []
        : [`${who}: ${glob} on ${path}: ${found[row]?.[column]}`],
    ),
  );
}

/** Whether each glob (row) matches each path (column), by the function in one real bash. */
function matchedInBash(globs: readonly string[], paths: readonly string[]): boolean[][] {
  const rules = rulesOf(Object.fromEntries(globs.map((glob, row) => [`g${row}`, { filePatterns: [glob] }])));
  const script = `${generateDomainPatterns(rules)}
for path in "$@"; do detect_skill_domain "$path"; echo =; done`;
  const run = spawnSync('bash', ['-s', '--', ...paths], { input: script, encoding: 'utf8' });
  if (run.status !== 0 || run.stderr !== '') throw new Error(`bash ended with ${run.status}: ${run.stderr}`);
  const printed = run.stdout.split('=\n').map((names) => new Set(names.split('\n')));
  return globs.map((_, row) => paths.map((_, column) => printed[column]?.has(`g${row}`) ?? false));
}
