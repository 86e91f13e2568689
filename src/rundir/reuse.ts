import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { ARTIFACTS, CLAIM, isTemporaryName } from './layout.ts';
import { liveness, readLive } from './live.ts';
import { dropLock, type Holder, takeLock } from './lock.ts';
import { RESULT_SCHEMA } from './result.ts';
import { readRecord } from './state-folder.ts';

const FOLDERS: ReadonlySet<string> = new Set([ARTIFACTS.objects, ARTIFACTS.snapshot, ARTIFACTS.gateOutput]);

/**
 * Makes a directory that exists ready for a new run: refuses one in use by a living run and one where something that
 * is no artifact has an artifact's name, then removes the artifacts of an earlier run. Everything is looked at before
 * anything is removed, so that a refused directory is untouched.
 *
 * `occupy` runs while the directory is claimed; what it writes must make `liveness` see the new run, so that of two
 * runs that ask for one directory at once the second is refused.
 */
export function reuseDirectory<T>(dir: string, holder: Holder, occupy: () => T): T {
  const claim = join(dir, CLAIM);
  const other = takeLock(claim, holder);
  if (other) throw inUse(dir, other.runId, other.since);
  try {
    refuseLiving(dir);
    for (const name of staleNames(dir)) rmSync(join(dir, name), { recursive: FOLDERS.has(name) });
    return occupy();
  } finally {
    dropLock(claim, holder.runId);
  }
}

/** The names to remove, once all of them were found to be what baton makes. */
function staleNames(dir: string): string[] {
  const names = readdirSync(dir).filter(isTemporaryName);
  for (const name of Object.values(ARTIFACTS)) {
    const found = lstatSync(join(dir, name), { throwIfNoEntry: false });
    if (!found) continue;
    refuseOddKind(join(dir, name), found, FOLDERS.has(name));
    names.push(name);
  }
  const folder = names.find((name) => FOLDERS.has(name));
  // `--out-dir .git` would otherwise cost a repository its objects.
  if (folder !== undefined && !heldRun(dir)) {
    throw new UsageError(
      `${join(dir, folder)} was not made by baton, which would need this name: it is left untouched`,
      {
        hint: 'choose another --out-dir: an empty directory, or one that baton is to make',
      },
    );
  }
  return names;
}

/** A link leads to a file of somebody else's, and the rest is nothing that baton ever makes. */
function refuseOddKind(path: string, found: Stats, folder: boolean): void {
  if (folder ? found.isDirectory() : found.isFile()) return;
  const kind = found.isSymbolicLink() ? 'a symbolic link' : folder ? 'no folder' : 'no regular file';
  throw new UsageError(`${path} is ${kind}, where an artifact of the run would go: it is left untouched`, {
    hint: 'remove it, or choose another --out-dir',
  });
}

function heldRun(dir: string): boolean {
  return readLive(dir) !== null || readRecord(join(dir, ARTIFACTS.result))?.['schema'] === RESULT_SCHEMA;
}

function refuseLiving(dir: string): void {
  if (liveness(dir) !== 'running') return;
  const live = readLive(dir);
  throw inUse(dir, live?.runId ?? 'unknown', live?.startedAt ?? '');
}

function inUse(dir: string, runId: string, since: string): UsageError {
  return new UsageError(`${dir} is in use by run ${runId}, which is under way since ${since}`, {
    hint: 'wait until it has ended, or choose another --out-dir',
  });
}
