import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../src/landing/conflict-error.ts';
import { BatonError } from '../../src/core/errors.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { apply, baseFiles, committedTree, edits, readTree, type Tree } from './edits.ts';
import { landRuns, runOf, workshopAt } from './landing.ts';

const staging = fc.subarray(['some', 'all', 'intent', 'removed'] as const, { minLength: 0, maxLength: 2 });

describe('land', () => {
  it('commits the edits of the run and leaves all else as dirty as it was, or names what is in the way', {
    timeout: 3_600_000,
  }, async () => {
    const seen = { landed: 0, merged: 0, conflict: 0, nothing: 0 };
    await fc.assert(
      fc.asyncProperty(
        baseFiles,
        edits('s', 5),
        staging,
        edits('u', 5),
        edits('r', 6),
        async (base, staged, how, unstaged, run) => {
          const repository = makeRepository({ files: base });
          apply(repository.dir, staged);
          stage(repository, how);
          apply(repository.dir, unstaged);
          const before = {
            tree: readTree(repository.dir),
            index: committedTree(repository, ''),
            head: committedTree(repository, 'HEAD'),
          };
          const ran = await runOf(repository, () => apply(repository.dir, run));
          const after = readTree(repository.dir);
          const untouched = repository.fingerprint();
          const flags = entries(repository);
          const workshop = await workshopAt(repository, [ran]);

          const outcome = await landRuns(workshop, [ran]).catch((error: unknown) => error);

          expect(readTree(repository.dir)).toEqual(after);
          if (outcome instanceof Error) {
            expect(repository.fingerprint()).toEqual(untouched);
            if (outcome instanceof ConflictError) {
              seen.conflict += 1;
              for (const { path } of outcome.conflicts) expect(isDirty(path, before)).toBe(true);
              return;
            }
            expect(outcome).toBeInstanceOf(BatonError);
            expect(outcome).toMatchObject({ code: 'nothing-to-land' });
            seen.nothing += 1;
            for (const path of paths(before.tree, after)) {
              if (before.tree.get(path) !== after.get(path)) expect(isDirty(path, before)).toBe(true);
            }
            return;
          }
          seen.landed += 1;
          const commit = committedTree(repository, 'HEAD');
          const index = committedTree(repository, '');
          for (const path of paths(before.tree, before.index, before.head, after, commit, index)) {
            const [h, b, a, c] = [before.head, before.tree, after, commit].map((tree) => tree.get(path));
            const [i, now] = [before.index.get(path), index.get(path)];
            if (a === b) expect([path, c]).toEqual([path, h]);
            else if (b === h) expect([path, c]).toEqual([path, a]);
            else if (c !== h) {
              seen.merged += 1;
              expectSameLines([h, c], [b, a]);
            }
            if (c === h) expect([path, now]).toEqual([path, i]);
            else if (i === h) expect([path, now]).toEqual([path, c]);
            else if (i === undefined) expect([path, now]).toEqual([path, undefined]);
            else expectSameLines([c, now], [h, i]);
          }
          expect(entries(repository).filter((entry) => flags.includes(entry)).length).toBeGreaterThanOrEqual(
            flags.length -
              paths(before.head, commit).filter((path) => before.head.get(path) !== commit.get(path)).length,
          );
          expect(repository.git('fsck', '--strict', '--no-dangling')).toBe('');
        },
      ),
      { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 40) },
    );
    // A test in which nothing ever lands would prove nothing.
    expect(seen.landed).toBeGreaterThan(0);
    if (process.env['BATON_PROPERTY_RUNS']) process.stderr.write(`${JSON.stringify(seen)}\n`);
  });
});

function stage(repository: TestRepository, how: readonly string[]): void {
  if (how.includes('all')) repository.git('add', '-A');
  if (how.includes('some')) repository.git('add', '-u');
  if (how.includes('intent')) repository.git('add', '-N', '.');
  if (how.includes('removed')) repository.git('rm', '-q', '--cached', '--ignore-unmatch', '--', 'a', 'sub/a');
}

function paths(...trees: readonly Tree[]): string[] {
  return [...new Set(trees.flatMap((tree) => [...tree.keys()]))];
}

/** Whether the path, one above it or one below it was not as HEAD has it, on disk or in the index. */
function isDirty(path: string, { tree, index, head }: { tree: Tree; index: Tree; head: Tree }): boolean {
  return paths(tree, index, head)
    .filter((other) => `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`))
    .some((other) => tree.get(other) !== head.get(other) || index.get(other) !== head.get(other));
}

type Pair = readonly [from: string | undefined, to: string | undefined];

/** Both changes add and remove the same lines, but for those that the other side of the merge had already. */
function expectSameLines(made: Pair, meant: Pair): void {
  for (const line of new Set([...made, ...meant].flatMap((side) => linesOf(side)))) {
    const delta = ([from, to]: Pair): number => countOf(to, line) - countOf(from, line);
    const already = countOf(made[0], line) - countOf(meant[0], line);
    const both = Math.sign(already) === Math.sign(delta(meant)) && already !== 0;
    if (!both) expect({ line, by: delta(made) }).toEqual({ line, by: delta(meant) });
  }
}

function linesOf(content: string | undefined): string[] {
  return content?.slice('file - '.length).split('\n').slice(0, -1) ?? [];
}

function countOf(content: string | undefined, line: string): number {
  return linesOf(content).filter((one) => one === line).length;
}

/** The index with its flags, one entry a text. */
function entries(repository: TestRepository): string[] {
  return repository.git('ls-files', '-z', '--stage', '-v').split('\0').filter(Boolean);
}
