import { existsSync } from 'node:fs';
import { BatonError } from '../core/errors.ts';
import { chainDiff } from '../landing/chain-diff.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readResult } from '../rundir/read-result.ts';
import type { Change } from '../rundir/result.ts';
import { chainAt } from './chain.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

export interface RunDiff {
  runId: string;
  /** With those that the run reworks, oldest first, as far as they were not landed or discarded. */
  runIds: string[];
  changes: Change[];
  /** The patch, byte for byte as git wrote it. */
  patchPath: string;
}

/**
 * What a finished run changed; of one that reworks others, what they changed together. Throws where that is not known:
 * a run still going on, or one outside git.
 */
export async function diff(choice: RunChoice): Promise<RunDiff> {
  const run = await runDirectoryAt(choice);
  const { evidence, parent } = readResult(run.path);
  const patchPath = artifactPath(run.path, 'patch');
  if (evidence.tree === 'unknown' || !existsSync(patchPath)) {
    const why = evidence.coverage.gaps.join('; ') || 'no patch was kept';
    throw new BatonError('no-patch', `what run ${run.id} changed is not known: ${why}`);
  }
  if (parent !== undefined) return ofChain(choice);
  return { runId: run.id, runIds: [run.id], changes: evidence.changes, patchPath };
}

async function ofChain(choice: RunChoice): Promise<RunDiff> {
  const { repository, runs, last } = await chainAt(choice);
  const [first = last, ...later] = runs;
  const runIds = runs.map(({ id }) => id);
  return { runId: last.id, runIds, ...(await chainDiff(repository, [first, ...later], choice.env)) };
}
