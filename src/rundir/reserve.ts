import { randomFillSync } from 'node:crypto';
import { unlinkSync, writeFileSync } from 'node:fs';
import { artifactPath } from './layout.ts';

const RESERVE_BYTES = 1024 ** 2;

/**
 * Puts 1 MiB aside in a run directory. The bytes are random, so that no file system can compress or share them away.
 * Never throws: without the room for it the run will be stopped for want of space, and says so itself.
 */
export function createReserve(dir: string): void {
  const path = artifactPath(dir, 'reserve');
  try {
    writeFileSync(path, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)), { flag: 'wx', mode: 0o600 });
  } catch {
    freeReserve(dir);
  }
}

/** Gives the room back: on a full disk before the result is written, and at the end of every run. Never throws. */
export function freeReserve(dir: string): void {
  try {
    unlinkSync(artifactPath(dir, 'reserve'));
  } catch {
    // Gone already, or not ours any more: the write that needs the room will say what is wrong.
  }
}
