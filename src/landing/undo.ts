import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import { JOURNAL_SCHEMA, type MoveJournal, removeJournal, writeJournal } from './journal.ts';
import type { LandingStep } from './land.ts';
import { moveHead } from './move-head.ts';
import { LANDING_SCHEMA, type LandedRecord, type UndoneRecord } from './record.ts';
import { saveFiles } from './saved-files.ts';
import { takeBack } from './take-back.ts';
import { plainGit, readHead, refuseUnfinished, treeOf } from './target.ts';
import { changesBetween, oneLine, succeed } from './trees.ts';
import type { Workshop } from './workshop.ts';

/**
 * Takes a landing back: HEAD and the index go to where they were, the files stay as they are. Only while the commit
 * is HEAD, and while no remote has it.
 */
export async function undoLanding(
  workshop: Workshop,
  landed: LandedRecord,
  directories: readonly string[],
  onStep?: (step: LandingStep) => void,
): Promise<UndoneRecord> {
  const { folder, git, repository } = workshop;
  refuseUnfinished(repository.gitDir);
  const head = await readHead(workshop);
  if (head.commit !== landed.commit || head.ref !== landed.ref) {
    throw new BatonError('not-head', `the landed commit ${landed.commit.slice(0, 12)} is not HEAD any more`, {
      hint: `take it back with a commit of its own: git revert ${landed.commit.slice(0, 12)}`,
    });
  }
  await refusePushed(workshop, landed.commit);
  const [tree, parentTree] = await Promise.all([
    treeOf(workshop, landed.commit),
    treeOf(workshop, landed.parent),
  ]);
  const record: UndoneRecord = {
    schema: LANDING_SCHEMA,
    state: 'undone',
    at: new Date().toISOString(),
    runIds: landed.runIds,
    undid: landed,
  };
  const journal: MoveJournal = {
    schema: JOURNAL_SCHEMA,
    kind: 'undo',
    runIds: landed.runIds,
    directories: [...directories],
    head,
    target: null,
    moving: false,
    tree,
    hook: null,
    files: saveFiles(repository.top, [], join(folder, 'files')),
    indexHash: null,
    record: null,
  };
  writeJournal(folder, journal);
  onStep?.('journal');
  try {
    await moveHead(workshop, journal, {
      target: landed.parent,
      changes: await changesBetween(git, tree, parentTree),
      takeWhole: [],
      record,
      note: 'baton undo',
      onStep,
    });
  } catch (error) {
    if (!journal.moving) {
      await takeBack(workshop, journal);
      removeJournal(folder);
    }
    throw error;
  }
  return record;
}

async function refusePushed(workshop: Workshop, commit: string): Promise<void> {
  const listed = plainGit(workshop)([
    'for-each-ref',
    '--format=%(refname:short)',
    `--contains=${commit}`,
    'refs/remotes',
  ]);
  const [remote] = oneLine(await succeed(listed, 'for-each-ref')).split('\n');
  if (!remote) return;
  throw new BatonError('pushed', `the landed commit ${commit.slice(0, 12)} was pushed: ${remote} has it`, {
    hint: `take it back with a commit of its own: git revert ${commit.slice(0, 12)}`,
  });
}
