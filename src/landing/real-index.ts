import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import { scanIndex } from '../git/index-scan.ts';
import { pathList, type RawPath } from '../git/raw-path.ts';
import { carryOver } from './carry.ts';
import { ConflictError } from './conflict-error.ts';
import { filtersOf } from './filters.ts';
import { type Entry, isNamed, type PathChange } from './plan.ts';
import { editIndex, type IndexedEntry, listIndex, succeed } from './trees.ts';
import type { Workshop } from './workshop.ts';

/** The index as it will be once the commit is there. */
export interface PreparedIndex {
  /** What it was made from; null for none. */
  basis: Buffer | null;
  /** The file that is to take its place. */
  file: string;
  /** SHA-256 of that file: after a crash it tells our lock from another's. */
  hash: string;
  /** Contents that it may have and the repository may not. */
  blobs: string[];
}

const ATTEMPTS = 100;
const PAUSE_MS = 50;

/**
 * Carries what the commit changes over to a copy of the user's index: what was staged, or only marked, stays so. What
 * was removed from it stays removed. Throws a ConflictError where staged lines are in the way.
 */
export async function prepareIndex(
  workshop: Workshop,
  changes: readonly PathChange[],
  takeWhole: readonly RawPath[],
): Promise<PreparedIndex> {
  const { git, folder, repository } = workshop;
  const file = join(folder, 'landed.index');
  const basis = readIfThere(join(repository.gitDir, 'index'));
  rmSync(file, { force: true });
  if (basis) writeFileSync(file, basis, { mode: 0o600 });
  // A copy cannot share the second file of a split index; git splits it again by itself where it was told to.
  if (basis && scanIndex(basis, repository.objectFormat).split)
    await succeed(git(['update-index', '--no-split-index'], { index: file }), 'update-index');
  const listing = await listIndex(git, file);
  const relevant = changes.filter(({ path, from, to }) => {
    if (isNamed(path, takeWhole)) return true;
    const entry = listing.get(path);
    // Marked with `git add -N`, or removed with `git rm --cached`: that stays as it is.
    return entry ? !entry.intentToAdd : from === null || to === null;
  });
  const { edits, conflicts } = await carryOver({
    git,
    scratch: folder,
    ours: listing,
    segments: [relevant],
    takeWhole,
  });
  if (conflicts.length > 0) throw new ConflictError(conflicts, 'the index');
  await editIndex(git, file, edits);
  await keepFlags(workshop, file, listing, edits);
  if (!basis && edits.size === 0) await succeed(git(['read-tree', '--empty'], { index: file }), 'read-tree');
  // Fresh times, so that plumbing does not take the landed files for dirty. Some may well be: that is no failure.
  await git(['update-index', '-q', '--refresh'], { index: file });
  // Not those with a filter: git-lfs keeps contents in the git directory, so the user's own git has to run it.
  const filtered = await filtersOf(git, edits.keys());
  await editIndex(git, file, new Map([...edits].filter(([path, entry]) => entry && filtered.has(path))));
  const blobs = [...edits.values()].flatMap((entry) => (entry && entry.mode !== '160000' ? [entry.oid] : []));
  return { basis, file, hash: hashOf(readFileSync(file)), blobs };
}

async function keepFlags(
  { git }: Workshop,
  index: string,
  listing: ReadonlyMap<RawPath, IndexedEntry>,
  edits: ReadonlyMap<RawPath, Entry | null>,
): Promise<void> {
  for (const [flag, option] of [
    ['skipWorktree', '--skip-worktree'],
    ['assumeUnchanged', '--assume-unchanged'],
  ] as const) {
    const flagged = [...edits]
      .filter(([path, entry]) => entry && listing.get(path)?.[flag])
      .map(([path]) => path);
    if (flagged.length === 0) continue;
    const set = git(['update-index', option, '-z', '--stdin'], { index, input: pathList(flagged) });
    await succeed(set, 'update-index');
  }
}

/** The lock of git's own for the index; while it is held, no git writes there. */
export interface IndexLock {
  /** The prepared index takes its place. */
  commit(): void;
  release(): void;
}

/**
 * Puts the prepared index into git's lock file, whole from the first moment. Null where the index was changed since it
 * was prepared: prepare it again. Waits a few seconds for another git to give the lock back.
 */
export async function lockIndex(
  { repository }: Workshop,
  prepared: PreparedIndex,
): Promise<IndexLock | null> {
  const index = join(repository.gitDir, 'index');
  const lock = `${index}.lock`;
  const file = unlockedName(repository.gitDir, prepared.hash);
  rmSync(file, { force: true });
  writeSynced(file, readFileSync(prepared.file));
  try {
    await takeIndexLock(file, lock);
  } finally {
    rmSync(file, { force: true });
  }
  const now = readIfThere(index);
  if (now === null ? prepared.basis !== null : !prepared.basis?.equals(now)) {
    rmSync(lock, { force: true });
    return null;
  }
  return { commit: () => renameSync(lock, index), release: () => rmSync(lock, { force: true }) };
}

/** The lock that a killed landing left: its file, where it is that one. */
export function ownIndexLock(gitDir: string, hash: string): string | null {
  const lock = join(gitDir, 'index.lock');
  const bytes = readIfThere(lock);
  return bytes && hashOf(bytes) === hash ? lock : null;
}

/** Removes the file that was to become the lock. */
export function removeUnlocked(gitDir: string, hash: string): void {
  rmSync(unlockedName(gitDir, hash), { force: true });
}

function unlockedName(gitDir: string, hash: string): string {
  return join(gitDir, `baton-index-${hash.slice(0, 12)}`);
}

async function takeIndexLock(file: string, lock: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      linkSync(file, lock);
      return;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST')
        throw new BatonError('index-lock', `the index cannot be locked: ${messageOf(error)}`, {
          cause: error,
        });
      if (attempt >= ATTEMPTS) {
        throw new BatonError('index-lock', `another git has the index locked: ${lock} exists`, {
          hint: 'wait until it has ended; if no git is running, remove that file',
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function writeSynced(file: string, bytes: Buffer): void {
  const fd = openSync(file, 'wx', 0o644);
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
