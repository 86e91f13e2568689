import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join, basename } from 'node:path';
import { systemCode } from './errors.ts';

/**
 * Writes a whole file or nothing: a new file beside it is filled, synced, and renamed over the name.
 * A reader sees the old bytes or the new ones. On failure the new file is removed and the error thrown.
 * `durable: false` leaves out the sync, for records that a crash of the whole machine may lose: it costs milliseconds.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
  durable = true,
): void {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const fd = openSync(temporary, 'wx', mode);
  try {
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
      if (durable) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameOver(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // The first error says what happened; the leftover is in a directory that may be gone.
    }
    throw error;
  }
}

/** Renames over what is there. Windows refuses it while a virus scanner or an indexer holds the target: a few more tries. */
export function renameOver(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const busy = ['EPERM', 'EBUSY', 'EACCES'].includes(systemCode(error) ?? '');
      if (process.platform !== 'win32' || !busy || attempt >= 10) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * attempt);
    }
  }
}
