import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { attribute } from '../evidence/attribution.ts';
import type { Repository } from '../git/repository.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { Change } from '../rundir/result.ts';
import { carryOver } from './carry.ts';
import { ConflictError } from './conflict-error.ts';
import { type LandableRun, runChanges, treesOf } from './plan-landing.ts';
import { editTree, listTree } from './trees.ts';
import { openWorkshop } from './workshop.ts';

/**
 * What the runs of a chain changed together, from before the first one: edits that others made between them are left
 * out. Writes the patch into the last run's directory. Throws a ConflictError where those edits are in the same lines.
 */
export async function chainDiff(
  repository: Repository,
  runs: readonly [LandableRun, ...LandableRun[]],
  env: Env,
): Promise<{ changes: Change[]; patchPath: string }> {
  const last = runs.at(-1) ?? runs[0];
  const folder = join(artifactPath(last.directory, 'snapshot'), 'chain');
  const stores = runs.map(({ directory }) => artifactPath(directory, 'objects'));
  const { git } = await openWorkshop(repository, { folder, stores, env });
  const { before } = treesOf(runs[0]);
  const [ours, segments] = [await listTree(git, before), await runChanges({ git }, runs)];
  const { edits, conflicts } = await carryOver({ git, scratch: folder, ours, segments, takeWhole: [] });
  if (conflicts.length > 0) throw new ConflictError(conflicts, 'what was edited between the runs');
  const patchPath = join(folder, 'chain.patch');
  const { changes } = await attribute({
    git,
    before,
    after: await editTree(git, join(folder, 'chain.index'), before, edits),
    base: runs[0].result.evidence.baseCommit,
    objects: join(folder, 'objects'),
    patch: patchPath,
    scratch: folder,
  });
  return { changes, patchPath };
}
