import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';

/** A larger configuration is none. */
const MAX_BYTES = 1024 * 1024;

/**
 * The bytes of a configuration file of the project, by its path below `top` (`/` between segments); null where there is
 * none. Throws a BatonError `project-file` for one that is reached through a link, is no regular file, or is larger
 * than 1 MiB: what is approved must be what lies in the project, and reading a FIFO would wait for ever.
 */
export function readProjectFile(top: string, path: string): Buffer | null {
  refuseLinks(top, path);
  let fd: number;
  try {
    fd = openSync(
      join(top, path),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    throw unusable(path, `cannot be read: ${messageOf(error)}`, error);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw unusable(path, 'is no regular file');
    if (stat.size > MAX_BYTES) throw unusable(path, `has ${stat.size} bytes, the limit is ${MAX_BYTES}`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function refuseLinks(top: string, path: string): void {
  for (let part = path; part !== '.'; part = dirname(part)) {
    if (lstatSync(join(top, part), { throwIfNoEntry: false })?.isSymbolicLink())
      throw unusable(path, `is reached through the symbolic link ${part}`);
  }
}

function unusable(path: string, why: string, cause?: unknown): BatonError {
  return new BatonError('project-file', `${path} ${why}: it is not used`, { cause });
}
