import { join } from 'node:path';
import { BatonError, messageOf } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { thisProcess } from '../rundir/live.ts';
import { dropLock, type Holder, takeLock } from '../rundir/lock.ts';
import { makePrivateFolder, treeKey } from '../rundir/state-folder.ts';
import { acquireTreeLock } from '../rundir/tree-lock.ts';
import { tidyWorkshop } from './tidy.ts';
import { workshopFolder } from './workshop.ts';

/**
 * Holds the repository while `work` lands or takes back: one landing at a time for all its working trees, and no write
 * run in this one, whose evidence a moved HEAD would spoil.
 */
export async function withLandingLock<T>(
  { repository, stateHome, runId }: { repository: Repository; stateHome: string; runId: string },
  work: () => Promise<T>,
): Promise<T> {
  const path = join(stateHome, 'locks', `${treeKey(repository.commonDir)}.landing.lock`);
  const holder: Holder = { runId, process: thisProcess(), since: new Date().toISOString() };
  const other = take(path, holder, stateHome);
  if (other) {
    throw new BatonError(
      'landing-under-way',
      `another landing is at work in this repository: run ${other.runId}, since ${other.since} (process ${other.process.pid})`,
      { hint: 'wait until it has ended' },
    );
  }
  try {
    const tree = acquireTreeLock({ stateHome, treeTop: repository.top, runId });
    try {
      return await work();
    } finally {
      tidyWorkshop(workshopFolder(stateHome, repository.top));
      tree.release();
    }
  } finally {
    dropLock(path, runId);
  }
}

function take(path: string, holder: Holder, stateHome: string): Holder | null {
  try {
    makePrivateFolder(join(stateHome, 'locks'));
    return takeLock(path, holder);
  } catch (error) {
    if (error instanceof BatonError) throw error;
    throw new BatonError(
      'state-folder',
      `the repository cannot be locked in ${stateHome}: ${messageOf(error)}`,
      {
        hint: 'set BATON_HOME to a folder that can be written',
        cause: error,
      },
    );
  }
}
