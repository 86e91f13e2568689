import { closeSync, fstatSync, futimesSync, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import type { GitCall } from '../git/frozen.ts';
import { type IndexScan, scanIndex, showEntries } from '../git/index-scan.ts';
import { pathIn, type RawPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import { firstLine } from '../git/trusted.ts';

/** Copies the index with its time (git looks twice at files that are not older) and shows what it hides but is there. */
export async function copyIndex(
  repository: Repository,
  git: GitCall,
  index: string,
): Promise<IndexScan> {
  if (!copyFileWithTimes(`${repository.gitDir}/index`, index))
    return scanIndex(Buffer.alloc(0), repository.objectFormat);
  let bytes = readFileSync(index);
  let scan = scanIndex(bytes, repository.objectFormat);
  if (scan.split) {
    const joined = await git(['update-index', '--no-split-index'], { index });
    if (joined.code !== 0)
      throw new BatonError('git-index', `the split index cannot be read: ${firstLine(joined.stderr)}`);
    bytes = readFileSync(index);
    scan = scanIndex(bytes, repository.objectFormat);
  }
  const isThere = existence(repository.top);
  const present = scan.hidden.filter(({ path }) => isThere(path));
  if (present.length > 0) {
    showEntries(bytes, present, repository.objectFormat);
    rewriteWithTimes(index, bytes);
  }
  return scan;
}

/** A sparse checkout hides a million paths that are not there: their folders are asked first, once each. */
function existence(top: string): (path: RawPath) => boolean {
  const folders = new Map<RawPath, boolean>();
  const folderIsThere = (folder: RawPath): boolean => {
    if (folder === '') return true;
    let known = folders.get(folder);
    if (known === undefined) {
      known = folderIsThere(parentOf(folder)) && isOnDisk(top, folder);
      folders.set(folder, known);
    }
    return known;
  };
  return (path) => folderIsThere(parentOf(path)) && isOnDisk(top, path);
}

function parentOf(path: RawPath): RawPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isOnDisk(top: string, path: RawPath): boolean {
  try {
    return lstatSync(pathIn(top, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Below a file, or not to be searched: git will say which.
    return true;
  }
}

/** Copies a file and its time of change; false where there is none. */
export function copyFileWithTimes(from: string, to: string): boolean {
  let fd: number;
  try {
    fd = openSync(from, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw new BatonError('git-index', `the index cannot be read: ${messageOf(error)}`);
  }
  try {
    const { mtimeNs } = fstatSync(fd, { bigint: true });
    writeFileSync(to, readFileSync(fd), { mode: 0o600 });
    setTimes(to, mtimeNs);
    return true;
  } finally {
    closeSync(fd);
  }
}

function rewriteWithTimes(path: string, bytes: Buffer): void {
  const { mtimeNs } = lstatSync(path, { bigint: true });
  writeFileSync(path, bytes);
  setTimes(path, mtimeNs);
}

/**
 * Node sets times as a number of seconds, which is not exact to the nanosecond. A little too early is safe: git then
 * reads a few files that it need not have read. Too late would make it trust one that it must not.
 */
function setTimes(path: string, mtimeNs: bigint): void {
  const seconds = Number(mtimeNs / 1000n - 1n) / 1e6;
  const fd = openSync(path, 'r+');
  try {
    futimesSync(fd, seconds, seconds);
  } finally {
    closeSync(fd);
  }
}
