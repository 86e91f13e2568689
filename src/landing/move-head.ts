import { BatonError } from '../core/errors.ts';
import type { RawPath } from '../git/raw-path.ts';
import { firstLine } from '../git/trusted.ts';
import { type MoveJournal, removeJournal, writeJournal } from './journal.ts';
import { keepBlobs } from './objects.ts';
import type { PathChange } from './plan.ts';
import { type IndexLock, lockIndex, prepareIndex } from './real-index.ts';
import { type LandingRecord, writeRecordOf } from './record.ts';
import { plainGit, readHead, refuseUnfinished, sameHead } from './target.ts';
import type { Workshop } from './workshop.ts';

export interface Move {
  /** The commit that HEAD is to name; null takes the branch's only commit away. */
  target: string | null;
  /** What that changes in HEAD's tree, and so is to be changed in the index. */
  changes: readonly PathChange[];
  takeWhole: readonly RawPath[];
  record: LandingRecord;
  /** For the reflog. */
  note: string;
  onStep: ((step: 'index-locked' | 'moving' | 'moved' | 'index-written' | 'recorded') => void) | undefined;
}

/** Others may change the index while it is prepared; so often in a row nobody does. */
const ATTEMPTS = 20;

/**
 * Moves HEAD and the index together, under git's own lock of the index. Up to the call that moves HEAD everything can
 * be taken back; from there on the next command completes what this one could not.
 */
export async function moveHead(workshop: Workshop, journal: MoveJournal, move: Move): Promise<void> {
  const lock = await lockPrepared(workshop, journal, move);
  try {
    move.onStep?.('index-locked');
    refuseUnfinished(workshop.repository.gitDir);
    if (!sameHead(await readHead(workshop), journal.head)) throw headMoved();
    Object.assign(journal, { target: move.target, moving: true, record: move.record });
    writeJournal(workshop.folder, journal);
    move.onStep?.('moving');
    await updateRef(workshop, journal, move);
  } catch (error) {
    lock.release();
    throw error;
  }
  move.onStep?.('moved');
  lock.commit();
  move.onStep?.('index-written');
  writeRecordOf(journal.directories, move.record);
  removeJournal(workshop.folder);
  move.onStep?.('recorded');
}

async function lockPrepared(workshop: Workshop, journal: MoveJournal, move: Move): Promise<IndexLock> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const prepared = await prepareIndex(workshop, move.changes, move.takeWhole);
    journal.indexHash = prepared.hash;
    writeJournal(workshop.folder, journal);
    await keepBlobs(workshop, prepared.blobs);
    const lock = await lockIndex(workshop, prepared);
    if (lock) return lock;
  }
  throw new BatonError('index-busy', 'another git keeps changing the index: nothing was landed', {
    hint: 'try again',
  });
}

async function updateRef(workshop: Workshop, journal: MoveJournal, { target, note }: Move): Promise<void> {
  const { head } = journal;
  const none = '0'.repeat(workshop.repository.objectFormat === 'sha1' ? 40 : 64);
  const args = target === null ? ['-d', 'HEAD', head.commit ?? none] : ['HEAD', target, head.commit ?? none];
  const { code, stderr } = await plainGit(workshop)(['update-ref', '-m', note, ...args]);
  if (code === 0) return;
  journal.moving = false;
  throw new BatonError(
    'head-moved',
    `HEAD could not be moved, somebody else may have moved it: ${firstLine(stderr)}`,
    {
      hint: 'look at git log, then land again',
    },
  );
}

function headMoved(): BatonError {
  return new BatonError('head-moved', 'somebody else moved HEAD meanwhile: nothing was landed', {
    hint: 'look at git log, then land again',
  });
}
