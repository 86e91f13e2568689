import { join } from 'node:path';
import { pause } from '../core/deferred.ts';
import { BatonError } from '../core/errors.ts';
import { newRunId } from '../core/ids.ts';
import { thisProcess } from '../rundir/live.ts';
import { dropLock, type Holder, takeLock } from '../rundir/lock.ts';
import { makePrivateFolder, treeKey } from '../rundir/state-folder.ts';
import { acquireTreeLock } from '../rundir/tree-lock.ts';
import { stateFolderError } from './publish-error.ts';

const WAIT_MS = 30_000;
const LOOK_MS = 25;

/**
 * Holds a root while `work` publishes into it, undoes or mends. One that is at work there already is waited for: it
 * takes milliseconds. A write run is not, and refuses: what is published would be taken for the run's. The lock of a
 * process that died is taken over.
 */
export async function withPublicationLock<T>(
  { stateHome, root }: { stateHome: string; root: string },
  work: () => T,
): Promise<T> {
  const path = join(stateHome, 'locks', `${treeKey(root)}.publish.lock`);
  const id = newRunId();
  const holder: Holder = { runId: id, process: thisProcess(), since: new Date().toISOString() };
  await takeWithPatience(path, holder, stateHome);
  try {
    const tree = acquireTreeLock({ stateHome, treeTop: root, runId: id });
    try {
      return work();
    } finally {
      tree.release();
    }
  } finally {
    dropLock(path, id);
  }
}

async function takeWithPatience(path: string, holder: Holder, stateHome: string): Promise<void> {
  const { signal } = new AbortController();
  for (let waited = 0; ; waited += LOOK_MS) {
    const other = take(path, holder, stateHome);
    if (other === null) return;
    if (waited >= WAIT_MS) {
      throw new BatonError(
        'publication-under-way',
        `files are being published here just now, since ${other.since} (process ${other.process.pid})`,
        { hint: 'wait until that has ended' },
      );
    }
    await pause(LOOK_MS, signal);
  }
}

function take(path: string, holder: Holder, stateHome: string): Holder | null {
  try {
    makePrivateFolder(join(stateHome, 'locks'));
    return takeLock(path, holder);
  } catch (error) {
    if (error instanceof BatonError) throw error;
    throw stateFolderError(stateHome, error);
  }
}
