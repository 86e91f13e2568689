import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf, systemCode, UsageError } from '../core/errors.ts';
import { LiveRecord, thisProcess } from './live.ts';
import { createReserve, freeReserve } from './reserve.ts';
import { reuseDirectory } from './reuse.ts';
import { recordRunElsewhere } from './runs.ts';
import { makePrivateFolder, runsFolder } from './state-folder.ts';

export interface RunDirectory {
  id: string;
  /** Absolute, as asked for: links in it are not resolved. */
  path: string;
  /** Baton made it; false for an `--out-dir` that was there before. */
  created: boolean;
  /** Its `run.json`, already written. */
  live: LiveRecord;
  /** Why later commands will not find this run by its id; null where they will. */
  unrecorded: string | null;
  /** At the very end of the run: gives the reserve back and closes the live record. Never throws. */
  close(): void;
}

export interface RunDirectoryRequest {
  stateHome: string;
  /** Names and keys the folder of this tree's runs. It must exist. */
  treeTop: string;
  /** `--out-dir`; null for a directory of its own in the state folder. */
  outDir: string | null;
  runId: string;
}

/**
 * Makes the directory of a run, mode 0700, with `run.json` and the reserve in it.
 * Throws a UsageError for a directory that cannot be made or must not be used; then nothing in it was touched.
 */
export function createRunDirectory(request: RunDirectoryRequest): RunDirectory {
  const made = request.outDir === null ? inStateFolder(request) : inOutDir(request, resolve(request.outDir));
  createReserve(made.path);
  const close = (): void => {
    freeReserve(made.path);
    made.live.close();
  };
  return { id: request.runId, ...made, close };
}

type Made = Omit<RunDirectory, 'id' | 'close'>;

function inStateFolder(request: RunDirectoryRequest): Made {
  const path = join(runsFolder(request.stateHome, request.treeTop), request.runId);
  try {
    makePrivateFolder(dirname(path));
    // Not recursive: it fails where the name exists, so no two runs ever share a directory.
    mkdirSync(path, { mode: 0o700 });
    return { path, created: true, live: LiveRecord.start(path, request), unrecorded: null };
  } catch (error) {
    throw new UsageError(`the run directory ${path} cannot be made: ${messageOf(error)}`, {
      hint: 'name a directory with --out-dir, or set BATON_HOME to a folder that can be written',
      cause: error,
    });
  }
}

function inOutDir(request: RunDirectoryRequest, path: string): Made {
  const created = makeOutDir(path);
  const holder = { runId: request.runId, process: thisProcess(), since: new Date().toISOString() };
  const live = usable(path, () => reuseDirectory(path, holder, () => LiveRecord.start(path, request)));
  return { path, created, live, unrecorded: recordInState(request, path) };
}

/** True where it was not there before. */
function makeOutDir(path: string): boolean {
  const found = usable(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found && !found.isDirectory()) throw new UsageError(`--out-dir ${path} is not a directory`);
  if (!found) usable(path, () => makePrivateFolder(path));
  return found === undefined;
}

/** What the system refuses here is the caller's choice of a directory. */
function usable<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof UsageError || systemCode(error) === undefined) throw error;
    throw new UsageError(`--out-dir ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

function recordInState(request: RunDirectoryRequest, path: string): string | null {
  try {
    recordRunElsewhere(request, { id: request.runId, path });
    return null;
  } catch (error) {
    return `this run is not recorded, so commands will not find it by its id: the state folder ${request.stateHome} cannot be written: ${messageOf(error)}`;
  }
}
