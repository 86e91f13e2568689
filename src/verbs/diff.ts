import { existsSync } from 'node:fs';
import { BatonError } from '../core/errors.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readResult } from '../rundir/read-result.ts';
import type { Change } from '../rundir/result.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

export interface RunDiff {
  runId: string;
  changes: Change[];
  /** The patch, byte for byte as git wrote it. */
  patchPath: string;
}

/** What a finished run changed. Throws where that is not known: a run still going on, or one outside git. */
export async function diff(choice: RunChoice): Promise<RunDiff> {
  const run = await runDirectoryAt(choice);
  const { evidence } = readResult(run.path);
  const patchPath = artifactPath(run.path, 'patch');
  if (evidence.tree === 'unknown' || !existsSync(patchPath)) {
    const why = evidence.coverage.gaps.join('; ') || 'no patch was kept';
    throw new BatonError('no-patch', `what run ${run.id} changed is not known: ${why}`);
  }
  return { runId: run.id, changes: evidence.changes, patchPath };
}
