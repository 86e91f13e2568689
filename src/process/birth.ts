import { systemCode } from '../core/errors.ts';
import { readEntry } from './table.ts';

/**
 * When the process with this id began, as a text that is the same for every program on this machine that asks. Kept
 * beside a pid, it tells the process from a later one with the same number. Null when there is no such process, or
 * where the platform does not say.
 */
export function birthOf(pid: number, platform: NodeJS.Platform = process.platform): string | null {
  return platform === 'win32' ? null : (readEntry(pid, platform)?.birth ?? null);
}

/** Whether the process lives: the same one, where its birth is known. One that only waits to be reaped does not. */
export function isAlive(
  pid: number,
  birth: string | null,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (pid <= 0 || !exists(pid)) return false;
  if (platform === 'win32') return true;
  const entry = readEntry(pid, platform);
  return entry !== null && entry.living && (birth === null || entry.birth === birth);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
