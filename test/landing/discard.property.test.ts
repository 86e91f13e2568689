import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatonError } from '../../src/core/errors.ts';
import { discard, undoDiscard } from '../../src/landing/change-tree.ts';
import { ConflictError } from '../../src/landing/conflict-error.ts';
import { type DiscardedRecord, isLandingRecord } from '../../src/landing/record.ts';
import { makeRepository } from '../support/repository.ts';
import { apply, baseFiles, edits, readTree, type Tree } from './edits.ts';
import { runOf, workshopAt } from './landing.ts';

describe('discard', () => {
  it('gives the tree before the run again, with later edits in it, and can be undone', {
    timeout: 3_600_000,
  }, async () => {
    const seen = { discarded: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        baseFiles,
        edits('u', 6),
        fc.boolean(),
        edits('r', 6),
        edits('l', 4),
        async (base, dirt, staged, ran, later) => {
          const repository = makeRepository({ files: base });
          apply(repository.dir, dirt);
          if (staged) repository.git('add', '-A');
          const before = readTree(repository.dir);
          const run = await runOf(repository, () => apply(repository.dir, ran));
          const after = readTree(repository.dir);
          apply(repository.dir, later);
          const now = readTree(repository.dir);
          const untouched = repository.fingerprint();
          const workshop = await workshopAt(repository, [run]);

          const outcome = await discard(workshop, [run], []).catch((error: unknown) => error);

          expect(repository.fingerprint()).toEqual(untouched);
          const result = readTree(repository.dir);
          const record = outcome instanceof BatonError ? null : recordOf(outcome);
          const problems =
            outcome instanceof BatonError
              ? wronglyRefused(outcome, before, after, now)
              : wronglyDiscarded(before, after, now, result);
          expect(problems).toEqual([]);
          seen[record ? 'discarded' : 'refused'] += 1;
          // What was refused is as it was, and what was discarded comes back.
          if (record) await undoDiscard(await workshopAt(repository, [run]), [run], record);
          expect(readTree(repository.dir)).toEqual(now);
        },
      ),
      { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 30) },
    );
    expect(seen.discarded).toBeGreaterThan(0);
    if (process.env['BATON_PROPERTY_RUNS']) process.stderr.write(`${JSON.stringify(seen)}\n`);
  });
});

function recordOf(outcome: unknown): DiscardedRecord {
  if (isLandingRecord(outcome) && outcome.state === 'discarded') return outcome;
  throw outcome;
}

/** A refusal needs a reason: later edits in the same place. */
function wronglyRefused(error: BatonError, before: Tree, after: Tree, now: Tree): string[] {
  if (error instanceof ConflictError)
    return error.conflicts.map(({ path }) => path).filter((path) => !differs(path, after, now));
  const edited = paths(before, after).filter((path) => before.get(path) !== after.get(path));
  return error.code === 'nothing-to-discard'
    ? edited.filter((path) => !differs(path, after, now))
    : [error.message];
}

/** Without later edits a path is as it was before the run; without an edit of the run, as it was just now. */
function wronglyDiscarded(before: Tree, after: Tree, now: Tree, result: Tree): string[] {
  return paths(before, after, now, result).filter((path) => {
    const [b, a, n, r] = [before, after, now, result].map((tree) => tree.get(path));
    if (n === a) return r !== b;
    return b === a && r !== n;
  });
}

function paths(...trees: readonly Tree[]): string[] {
  return [...new Set(trees.flatMap((tree) => [...tree.keys()]))];
}

/** Whether the path, one above it or one below it was edited after the run. */
function differs(path: string, after: Tree, now: Tree): boolean {
  return paths(after, now)
    .filter((other) => `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`))
    .some((other) => after.get(other) !== now.get(other));
}
