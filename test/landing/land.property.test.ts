import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../src/landing/conflict-error.ts';
import { BatonError } from '../../src/core/errors.ts';
import { isLandingRecord } from '../../src/landing/record.ts';
import { changedFiles } from './landing.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { apply, baseFiles, committedTree, edits, readTree, type Tree } from './edits.ts';
import { landRuns, runOf, workshopAt } from './landing.ts';

const staging = fc.subarray(['some', 'all', 'intent', 'removed'] as const, { minLength: 0, maxLength: 2 });

describe('land', () => {
  it('commits the edits of the run and leaves all else as dirty as it was, or names what is in the way', {
    timeout: 3_600_000,
  }, async () => {
    const seen = { landed: 0, conflict: 0, nothing: 0 };
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
          const problems =
            outcome instanceof BatonError
              ? [
                  ...changedFiles(untouched, repository.fingerprint()),
                  ...wronglyRefused(outcome, before, after),
                ]
              : wronglyLanded(repository, before, after, flags);
          expect(problems).toEqual([]);
          seen[kindOf(outcome)] += 1;
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
  if (how.includes('removed'))
    repository.git('rm', '-r', '-q', '-f', '--cached', '--ignore-unmatch', '--', 'a', 'sub/a');
}

function paths(...trees: readonly Tree[]): string[] {
  return [...new Set(trees.flatMap((tree) => [...tree.keys()]))];
}

/** Whether the path, one above it or one below it was not as HEAD has it, on disk or in the index. */
function isDirty(path: string, { tree, index, head }: Before): boolean {
  return paths(tree, index, head)
    .filter((other) => `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`))
    .some((other) => tree.get(other) !== head.get(other) || index.get(other) !== head.get(other));
}

function kindOf(outcome: unknown): 'landed' | 'conflict' | 'nothing' {
  if (outcome instanceof ConflictError) return 'conflict';
  if (outcome instanceof BatonError) return 'nothing';
  if (isLandingRecord(outcome)) return 'landed';
  throw outcome;
}

function wronglyLanded(
  repository: TestRepository,
  before: Before,
  after: Tree,
  flags: readonly string[],
): string[] {
  const now = { head: committedTree(repository, 'HEAD'), index: committedTree(repository, '') };
  const changed = paths(before.head, now.head).filter((path) => before.head.get(path) !== now.head.get(path));
  const lost = flags.filter((flag) => !entries(repository).includes(flag));
  return [
    ...wronglyCommitted(before, after, now.head),
    ...wronglyStaged(before, now),
    ...(lost.length > changed.length ? lost : []),
    ...repository.git('fsck', '--strict', '--no-dangling').split('\n').filter(Boolean),
  ];
}

/** A refusal needs a reason: somebody else's edits in the same place. Where there is nothing to land, no clean path was edited. */
function wronglyRefused(error: BatonError, before: Before, after: Tree): string[] {
  if (error instanceof ConflictError)
    return error.conflicts.map(({ path }) => path).filter((path) => !isDirty(path, before));
  const edited = paths(before.tree, after).filter((path) => before.tree.get(path) !== after.get(path));
  return error.code === 'nothing-to-land' ? edited.filter((path) => !isDirty(path, before)) : [error.message];
}

/** Of a path without edits of others, the commit has what the run made of it; else the same lines are added and taken. */
function wronglyCommitted({ head, tree }: Before, after: Tree, commit: Tree): string[] {
  return paths(head, tree, after, commit).filter((path) => {
    const [h, b, a, c] = [head, tree, after, commit].map((one) => one.get(path));
    if (a === b) return c !== h;
    if (b === h) return c !== a;
    return c !== h && !sameLines([h, c], [b, a]);
  });
}

/** What was not committed is staged as before; of what was, the same lines are staged as before. */
function wronglyStaged({ head, index }: Before, now: { head: Tree; index: Tree }): string[] {
  return paths(head, index, now.head, now.index).filter((path) => {
    const [h, i, c, n] = [head, index, now.head, now.index].map((one) => one.get(path));
    if (c === h) return n !== i;
    if (i === h) return n !== c;
    return i === undefined ? n !== undefined : !sameLines([c, n], [h, i]);
  });
}

interface Before {
  head: Tree;
  index: Tree;
  tree: Tree;
}

type Pair = readonly [from: string | undefined, to: string | undefined];

/** Whether both changes add and take the same lines, but for those that the other side of the merge had already. */
function sameLines(made: Pair, meant: Pair): boolean {
  return [...new Set([...made, ...meant].flatMap((side) => linesOf(side)))].every((line) => {
    const delta = ([from, to]: Pair): number => countOf(to, line) - countOf(from, line);
    const already = countOf(made[0], line) - countOf(meant[0], line);
    const both = already !== 0 && Math.sign(already) === Math.sign(delta(meant));
    return both || delta(made) === delta(meant);
  });
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
