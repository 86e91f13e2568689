import { lstatSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatonError, messageOf, UsageError } from '../core/errors.ts';
import { thisProcess } from './live.ts';
import { dropLock, type Holder, livingHolder, takeLock } from './lock.ts';
import { makePrivateFolder, treeKey } from './state-folder.ts';

/** Held by the one write run of a working tree: of two at once neither could be told what it changed. */
export interface TreeLock {
  /** Never throws; a second call does nothing. */
  release(): void;
}

export interface TreeLockRequest {
  stateHome: string;
  treeTop: string;
  runId: string;
}

/**
 * Takes the lock of a working tree. Throws a UsageError that names the run which has it. The lock of a run that was
 * killed is taken over.
 *
 * It lies in the state folder, or, where that cannot be written, in a folder of the user's own under the system's
 * temporary folder. Who takes one of the two looks into the other afterwards: so two runs never both go on, though one
 * of them is shut out of the state folder.
 */
export function acquireTreeLock(request: TreeLockRequest): TreeLock {
  const name = `${treeKey(request.treeTop)}.lock`;
  const inState = join(request.stateHome, 'locks', name);
  const inTemp = join(temporaryLocks(), name);
  const holder: Holder = {
    runId: request.runId,
    process: thisProcess(),
    since: new Date().toISOString(),
  };

  const taken = takeInState(request, inState, holder) ? inState : takeInTemp(request, inTemp, holder);
  const other = taken === inState ? holderInTemp(inTemp) : holderIfReadable(inState);
  if (other) {
    dropLock(taken, request.runId);
    throw held(request.treeTop, other);
  }
  return { release: () => dropLock(taken, request.runId) };
}

/** The living run that has a working tree to itself just now; null where none has. Takes nothing, and never throws. */
export function treeHolder({ stateHome, treeTop }: Omit<TreeLockRequest, 'runId'>): Holder | null {
  const name = `${treeKey(treeTop)}.lock`;
  return holderIfReadable(join(stateHome, 'locks', name)) ?? holderInTemp(join(temporaryLocks(), name));
}

/** False where the state folder cannot be written. */
function takeInState(request: TreeLockRequest, path: string, holder: Holder): boolean {
  let other: Holder | null;
  try {
    makePrivateFolder(join(request.stateHome, 'locks'));
    other = takeLock(path, holder);
  } catch (error) {
    if (error instanceof BatonError) throw error;
    return false;
  }
  if (other) throw held(request.treeTop, other);
  return true;
}

function takeInTemp(request: TreeLockRequest, path: string, holder: Holder): string {
  const folder = temporaryLocks();
  let other: Holder | null;
  try {
    makePrivateFolder(folder);
    if (!isOwnFolder(folder)) throw new Error(`${folder} is not a folder that only this user can enter`);
    other = takeLock(path, holder);
  } catch (error) {
    if (error instanceof BatonError) throw error;
    throw new UsageError(`the working tree ${request.treeTop} cannot be locked: ${messageOf(error)}`, {
      hint: 'set BATON_HOME to a folder that can be written',
      cause: error,
    });
  }
  if (other) throw held(request.treeTop, other);
  return path;
}

function temporaryLocks(): string {
  return join(tmpdir(), `baton-locks-${process.getuid?.() ?? 'user'}`);
}

/** Whoever else can write there could hold up every run of this user's. */
function holderInTemp(path: string): Holder | null {
  return isOwnFolder(temporaryLocks()) ? holderIfReadable(path) : null;
}

/** The other of the two places: where it cannot be looked into, our own lock has to do. */
function holderIfReadable(path: string): Holder | null {
  try {
    return livingHolder(path);
  } catch {
    return null;
  }
}

/** A real folder, this user's, closed to others. Windows has a temporary folder for each user. */
function isOwnFolder(path: string): boolean {
  const found = statOf(path);
  if (!found?.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
}

/** TMPDIR may name a file: then looking below it is an error, and no mere absence. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function held(treeTop: string, { runId, since, process }: Holder): UsageError {
  return new UsageError(
    `a write run is at work in ${treeTop}: run ${runId}, since ${since} (process ${process.pid})`,
    {
      hint: 'wait until it has ended, or give this run a working tree of its own: git worktree add <path>',
    },
  );
}
