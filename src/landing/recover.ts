import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { isAlive } from '../process/birth.ts';
import { artifactPath } from '../rundir/layout.ts';
import { completeChange } from './change-tree.ts';
import { type Journal, journalPath, type MoveJournal, readJournal, removeJournal } from './journal.ts';
import { keepBlobs } from './objects.ts';
import { lockIndex, ownIndexLock, prepareIndex, removeUnlocked } from './real-index.ts';
import { writeRecordOf } from './record.ts';
import { takeBack } from './take-back.ts';
import { plainGit, readHead, treeOf } from './target.ts';
import { changesBetween } from './trees.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/** What became of a landing, discard or undo that was interrupted: baton was killed, or the machine went down. */
export interface Recovery {
  kind: Journal['kind'];
  runIds: string[];
  outcome: 'completed' | 'taken-back';
  /** Files that were put back as they were before. */
  restored: string[];
  /** Files that were changed otherwise meanwhile: they are left so. */
  left: string[];
  /** Where the bytes from before are, of those that are left. */
  copies: string | null;
}

/**
 * Completes or takes back what was interrupted in this working tree; null where nothing was. To be called with the
 * lock of the repository. Throws while a hook of the interrupted landing is still at work.
 */
export async function recover(
  repository: Repository,
  { folder, env }: { folder: string; env: Env },
): Promise<Recovery | null> {
  const journal = readJournal(folder);
  if (!journal) return null;
  try {
    return await finish(repository, journal, { folder, env });
  } catch (error) {
    if (error instanceof BatonError && error.code === 'hook-at-work') throw error;
    throw new BatonError(
      'not-recovered',
      `the interrupted ${journal.kind} of run ${journal.runIds.at(-1)} can be neither completed nor taken back: ${messageOf(error)}`,
      {
        hint: `mend that and try again; to give it up as it is, remove ${journalPath(folder)}`,
        cause: error,
      },
    );
  }
}

async function finish(
  repository: Repository,
  journal: Journal,
  { folder, env }: { folder: string; env: Env },
): Promise<Recovery> {
  const stores = journal.directories.map((directory) => artifactPath(directory, 'objects'));
  const workshop = await openWorkshop(repository, { folder, stores, env, keepObjects: true });
  const about = { kind: journal.kind, runIds: journal.runIds };
  if ('from' in journal) {
    const left = await completeChange(workshop, journal);
    return { ...about, outcome: 'completed', restored: [], left, copies: null };
  }
  refuseLivingHook(journal);
  if (journal.moving && (await isMoved(workshop, journal))) {
    await completeMove(workshop, journal);
    return { ...about, outcome: 'completed', restored: [], left: [], copies: null };
  }
  const taken = await takeBack(workshop, journal);
  removeJournal(folder);
  return { ...about, outcome: 'taken-back', ...taken };
}

function refuseLivingHook({ hook, runIds }: MoveJournal): void {
  if (!hook || !isAlive(hook.pid, hook.birth)) return;
  throw new BatonError(
    'hook-at-work',
    `a hook of the interrupted landing of run ${runIds.at(-1)} is still at work (process ${hook.pid})`,
    { hint: 'wait until it has ended, or end it' },
  );
}

/** HEAD is where the landing was to put it, or others went on from there. */
async function isMoved(workshop: Workshop, { head, target }: MoveJournal): Promise<boolean> {
  const { commit } = await readHead(workshop);
  if (commit === head.commit) return false;
  if (commit === target) return true;
  if (commit === null || target === null) return false;
  const { code } = await plainGit(workshop)(['merge-base', '--is-ancestor', target, commit]);
  return code === 0;
}

async function completeMove(workshop: Workshop, journal: MoveJournal): Promise<void> {
  const { repository, folder } = workshop;
  const { indexHash, directories, record } = journal;
  const lock = indexHash === null ? null : ownIndexLock(repository.gitDir, indexHash);
  if (lock) renameSync(lock, join(repository.gitDir, 'index'));
  else await carryToIndex(workshop, journal);
  if (indexHash !== null) removeUnlocked(repository.gitDir, indexHash);
  if (record) writeRecordOf(directories, record);
  removeJournal(folder);
}

/** The lock has taken its place already, and then this changes nothing; or somebody removed it to use git again. */
async function carryToIndex(workshop: Workshop, { head, target }: MoveJournal): Promise<void> {
  const [from, to] = [await treeOf(workshop, head.commit), await treeOf(workshop, target)];
  const prepared = await prepareIndex(workshop, await changesBetween(workshop.git, from, to), []);
  await keepBlobs(workshop, prepared.blobs);
  const lock = await lockIndex(workshop, prepared);
  lock?.commit();
}
