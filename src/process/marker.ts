import { readFileSync } from 'node:fs';
import { RUN_MARKER } from '../core/environment.ts';
import { systemCode } from '../core/errors.ts';

/**
 * Whether a process carries a run's marker in the environment it was started with. `unclear`: it ended meanwhile, is
 * just being replaced by another program (its environment is empty for a moment), or was started with none at all.
 * `hidden`: it is not ours to look at.
 */
export type Marked = 'yes' | 'no' | 'unclear' | 'hidden';

/** Looks into `/proc/PID/environ`: Linux only. The entry must be the marker exactly, not begin with it or contain it. */
export function carriesMarker(pid: number, runId: string): Marked {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    if (environment === '') return 'unclear';
    return `\0${environment}\0`.includes(`\0${RUN_MARKER}=${runId}\0`) ? 'yes' : 'no';
  } catch (error) {
    return ['EACCES', 'EPERM'].includes(systemCode(error) ?? '') ? 'hidden' : 'unclear';
  }
}
