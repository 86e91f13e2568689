import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import { type ArtifactName, artifactPath } from './layout.ts';

/**
 * Writes an artifact whole, mode 0600, in place of what has its name: a link that was planted there is replaced, never
 * followed. Throws the system's error; a run directory that is gone is not made again.
 */
export function writeArtifact(dir: string, name: ArtifactName, content: string | Uint8Array): void {
  writeFileAtomic(artifactPath(dir, name), content, 0o600, false);
}

/**
 * The text of a regular file, or null where there is none. Throws a BatonError for anything else that has the name: a
 * link could lead anywhere, and reading a FIFO would wait for ever.
 */
export function readRegularFile(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    if (systemCode(error) === 'ELOOP') throw notRegular(path);
    throw new BatonError('unreadable', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  try {
    if (!fstatSync(fd).isFile()) throw notRegular(path);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function notRegular(path: string): BatonError {
  return new BatonError('unreadable', `${path} is not a regular file: baton does not read it`);
}
