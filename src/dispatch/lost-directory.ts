import { existsSync } from 'node:fs';
import { BatonError } from '../core/errors.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { Run } from './open-run.ts';

/**
 * Somebody removed the directory of a run under way. It is not made again: nobody would look there. The brief tells it:
 * parts of baton make folders of their own below, and with them the directory may be there again, but empty.
 */
export function isDirectoryLost(run: Run): boolean {
  return !existsSync(artifactPath(run.directory, 'brief'));
}

/** Whatever broke in a run whose directory is gone broke because of that, wherever it was noticed first. */
export function whatBroke(run: Run, error: unknown): unknown {
  if (error instanceof BatonError || !isDirectoryLost(run)) return error;
  return new BatonError(
    'run-directory-lost',
    `the run directory ${run.directory} was removed while the run was under way`,
    { hint: 'there is no result.json: start the run again', cause: error },
  );
}
