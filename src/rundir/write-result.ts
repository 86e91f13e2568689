import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import { toJsonFile } from '../core/json.ts';
import { artifactPath } from './layout.ts';
import { readLive } from './live.ts';
import { freeReserve } from './reserve.ts';
import type { Result } from './result.ts';

/**
 * Writes `result.json` whole, synced to the disk, or not at all. On a full disk the reserve is freed and the write tried again.
 *
 * Throws a BatonError `result-not-written` with the reason: the disk is full, or the run directory was removed (it is
 * not made again: nobody would look there) or was taken by another run.
 */
export function writeResult(dir: string, result: Result): void {
  const owner = readLive(dir)?.runId;
  if (owner !== undefined && owner !== result.runId) {
    throw notWritten(dir, `the directory belongs to run ${owner} now`);
  }
  const path = artifactPath(dir, 'result');
  const text = toJsonFile(result);
  try {
    try {
      writeFileAtomic(path, text);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      freeReserve(dir);
      writeFileAtomic(path, text);
    }
  } catch (error) {
    throw notWritten(dir, reasonOf(error), error);
  }
}

/** Out of space, or of the user's quota of it. */
function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
}

function reasonOf(error: unknown): string {
  if (isDiskFull(error)) return 'the disk is full';
  if (systemCode(error) === 'ENOENT') return 'the run directory was removed while the run was under way';
  return messageOf(error);
}

function notWritten(dir: string, reason: string, cause?: unknown): BatonError {
  return new BatonError('result-not-written', `no result.json was written in ${dir}: ${reason}`, { cause });
}
