import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError, systemCode } from '../core/errors.ts';
import { stringOf, toJsonFile } from '../core/json.ts';
import { isAlive } from '../process/birth.ts';
import { type ProcessIdentity, readIdentity } from './live.ts';
import { readRegularFile } from './artifact.ts';
import { parseRecord } from './state-folder.ts';

/** Who holds a lock. */
export interface Holder {
  runId: string;
  process: ProcessIdentity;
  /** ISO 8601: since when. */
  since: string;
}

const HOLDER = 'holder.json';
const ATTEMPTS = 400;
const PAUSE_MS = 5;

/**
 * Takes the lock at `path`, or returns the living holder that has it. Null means that it is ours.
 *
 * A lock is a folder with a `holder.json`, filled elsewhere and renamed into place: a rename onto a folder that is not
 * empty fails on every platform and file system, so that a lock appears whole and for one taker only.
 *
 * The lock of a dead holder is removed under a second lock, `<path>.takeover`: without it, a slow taker that had read
 * the dead holder's name would remove the lock that a faster one has just put there.
 */
export function takeLock(path: string, holder: Holder): Holder | null {
  const prepared = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  mkdirSync(prepared, { mode: 0o700 });
  let taken = false;
  try {
    writeFileSync(join(prepared, HOLDER), toJsonFile(holder), { flag: 'wx', mode: 0o600 });
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      taken = putInPlace(prepared, path);
      if (taken) return null;
      const living = livingHolder(path);
      if (living) return living;
      if (!removeDead(path, holder)) pause();
    }
  } finally {
    if (!taken) rmSync(prepared, { recursive: true, force: true });
  }
  throw new BatonError('lock', `the lock ${path} could not be taken: others keep taking it over`, {
    hint: `try again; if nothing runs, remove ${path}`,
  });
}

/** Gives the lock back, if it is still this run's. Never throws: a lock that stays is taken over once we are gone. */
export function dropLock(path: string, runId: string): void {
  const found = look(path);
  if (found !== 'empty' && found !== 'damaged' && found.runId === runId) removeHolder(path);
  removeEmpty(path);
}

/** Who holds the lock now and lives; null for a free lock and a dead holder. */
export function livingHolder(path: string): Holder | null {
  const found = look(path);
  if (found === 'empty' || found === 'damaged') return null;
  return isAlive(found.process.pid, found.process.birth) ? found : null;
}

function putInPlace(prepared: string, path: string): boolean {
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Taken, or given back again in this very moment.
    if (found?.isDirectory() || (!found && isTaken(error))) return false;
    if (!found) throw error;
    throw new BatonError('lock', `${path} is not a folder that baton made: it is left untouched`, {
      hint: 'look at it, and remove it if nobody needs it',
    });
  }
}

/** What a rename onto a folder that is not empty answers: POSIX the first two, Windows the others. */
function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(systemCode(error) ?? '');
}

/** Removes what a dead holder left. False where somebody else is about to do it. */
function removeDead(path: string, taker: Holder): boolean {
  const guard = `${path}.takeover`;
  if (takeLock(guard, taker) !== null) return false;
  try {
    // Only who holds the guard removes a dead holder: what is dead now stays until then. What is empty now may be
    // a living holder's in a moment, so an empty folder is only ever removed as an empty folder.
    const found = look(path);
    const dead =
      found !== 'empty' && (found === 'damaged' || !isAlive(found.process.pid, found.process.birth));
    if (dead) removeHolder(path);
    removeEmpty(path);
    return true;
  } finally {
    dropLock(guard, taker.runId);
  }
}

function removeHolder(path: string): void {
  try {
    unlinkSync(join(path, HOLDER));
  } catch {
    // It is gone already.
  }
}

/** Fails, as it should, where somebody has just put a lock there. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Not empty, or gone already.
  }
}

/** `empty`: free, or left by a crash while it was given back. `damaged`: a lock appears whole, so a power cut did that. */
function look(path: string): Holder | 'empty' | 'damaged' {
  // One read: two looks could meet two holders.
  const text = readRegularFile(join(path, HOLDER));
  if (text === null) return 'empty';
  const record = parseRecord(text);
  const identity = readIdentity(record?.['process']);
  const runId = stringOf(record?.['runId']);
  if (!record || !identity || runId === null) return 'damaged';
  return {
    runId,
    process: identity,
    since: stringOf(record['since']) ?? '',
  };
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
