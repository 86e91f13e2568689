import { closeSync, fstatSync, futimesSync, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import type { GitCall } from '../git/private-git.ts';
import { distrustEntries, type IndexScan, scanIndex, showEntries } from '../git/index-scan.ts';
import { pathIn, type RawPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import { firstLine } from '../git/trusted.ts';

/** Copies the user's index with its time (git looks twice at files that are not older), and shows what it hides. */
export async function copyUserIndex(
  { top, gitDir, objectFormat }: Repository,
  git: GitCall,
  index: string,
): Promise<IndexScan> {
  if (!copyFileWithTimes(`${gitDir}/index`, index)) return scanIndex(Buffer.alloc(0), objectFormat);
  let bytes = readFileSync(index);
  let scan = scanIndex(bytes, objectFormat);
  if (scan.split) {
    const joined = await git(['update-index', '--no-split-index'], { index });
    if (joined.code !== 0)
      throw new BatonError('git-index', `the split index cannot be read: ${firstLine(joined.stderr)}`);
    bytes = readFileSync(index);
    scan = scanIndex(bytes, objectFormat);
  }
  showPresent(index, bytes, scan, { top, objectFormat });
  return scan;
}

/** Copies a private index, and shows what it still hides and is there by now. */
export function copyPrivateIndex(
  { top, objectFormat }: Repository,
  from: string,
  to: string,
  scan: IndexScan,
): void {
  const isThere = existence(top);
  if (!copyFileWithTimes(from, to) || !scan.hidden.some(({ path }) => isThere(path))) return;
  const bytes = readFileSync(to);
  showPresent(to, bytes, scanIndex(bytes, objectFormat), { top, objectFormat });
}

/** Makes git read again, later, what changed as late as `since` (seconds): see `distrustEntries`. */
export function distrustRecent(index: string, { objectFormat }: Repository, since: number): void {
  const bytes = readFileSync(index);
  if (distrustEntries(bytes, objectFormat, since)) rewriteWithTimes(index, bytes);
}

/** Only what is there: a sparse checkout has good reasons for what is not. */
function showPresent(
  index: string,
  bytes: Buffer,
  { hidden }: IndexScan,
  { top, objectFormat }: Pick<Repository, 'top' | 'objectFormat'>,
): void {
  const isThere = existence(top);
  const present = hidden.filter(({ path }) => isThere(path));
  if (present.length === 0) return;
  showEntries(bytes, present, objectFormat);
  rewriteWithTimes(index, bytes);
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
function copyFileWithTimes(from: string, to: string): boolean {
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
