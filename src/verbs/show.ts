import { artifactPath } from '../rundir/layout.ts';
import { readRegularFile } from '../rundir/artifact.ts';
import { readResult } from '../rundir/read-result.ts';
import type { Result } from '../rundir/result.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

export interface ShownRun {
  result: Result;
  /** `profile.json` as the implementer's CLI read it; null where the run kept none. */
  profile: string | null;
}

/** A finished run: its result, and what the implementer was allowed to do. */
export async function show(choice: RunChoice): Promise<ShownRun> {
  const run = await runDirectoryAt(choice);
  return { result: readResult(run.path), profile: readRegularFile(artifactPath(run.path, 'profile')) };
}
