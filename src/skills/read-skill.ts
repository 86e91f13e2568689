import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { BatonError, messageOf } from '../core/errors.ts';

const MAX_BYTES = 1024 * 1024;

/**
 * The text of a skill's file. Links are followed, as the products do. Throws a BatonError `skill-file` for what is no
 * regular file (reading a FIFO would wait for ever), is larger than 1 MiB, or cannot be read.
 */
export function readSkillText(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw new BatonError('skill-file', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new BatonError('skill-file', `${path} is no regular file`);
    if (stat.size > MAX_BYTES) throw new BatonError('skill-file', `${path} has more than ${MAX_BYTES} bytes`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
