import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { lastLines, oneLine } from '../core/text.ts';

const TAIL_BYTES = 4096;

/**
 * The last lines of a file, which may be growing and of any size, without what would drive a terminal. Empty where
 * nothing can be read.
 */
export function outputTail(path: string, count: number): string[] {
  try {
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(TAIL_BYTES);
      const read = readSync(fd, bytes, 0, TAIL_BYTES, Math.max(0, fstatSync(fd).size - TAIL_BYTES));
      return lastLines(bytes.toString('utf8', 0, read), count).map(oneLine);
    } finally {
      closeSync(fd);
    }
  } catch {
    return [];
  }
}
