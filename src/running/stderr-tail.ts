import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { lastLines } from '../core/text.ts';

/** The last 20 lines of a run's stderr that are not blank; only the end of the file is read, it may be huge. */
export function stderrTail(path: string): string[] {
  try {
    const fd = openSync(path, 'r');
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, 64 * 1024));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      return lastLines(bytes.toString('utf8'), 20);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The run directory may be gone; how it ended says so elsewhere.
    return [];
  }
}
