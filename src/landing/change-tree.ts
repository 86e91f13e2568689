import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { artifactPath } from '../rundir/layout.ts';
import { type RawPath, showPath } from '../git/raw-path.ts';
import { carryOver } from './carry.ts';
import { ConflictError } from './conflict-error.ts';
import { BatonError } from '../core/errors.ts';
import { JOURNAL_SCHEMA, removeJournal, type TreeJournal, writeJournal } from './journal.ts';
import { isNamed, type PathChange, sameEntry } from './plan.ts';
import { type LandableRun, runChanges, snapshotNow, treesOf } from './plan-landing.ts';
import {
  type DiscardedRecord,
  earlierOf,
  LANDING_SCHEMA,
  type LandingRecord,
  writeRecordOf,
} from './record.ts';
import { changesBetween, editTree, listTree, succeed } from './trees.ts';
import type { Workshop } from './workshop.ts';
import { writeFiles } from './write-files.ts';

/** Where a discard is, for a progress line: `file` after each one. */
export type DiscardStep = 'journal' | 'file' | 'written' | 'recorded';

/**
 * Takes the changes of a run, or of a chain of runs, back out of the working tree. Edits from before and since stay.
 * `except` names paths that stay: those that were landed already. Throws a ConflictError, with nothing changed, where they are in the same lines. The index is left as it is.
 */
export async function discard(
  workshop: Workshop,
  runs: readonly LandableRun[],
  except: readonly RawPath[],
  onStep?: (step: DiscardStep) => void,
): Promise<DiscardedRecord> {
  const backwards = (await runChanges(workshop, runs))
    .reverse()
    .map((changes) => changes.filter(({ path }) => !isNamed(path, except)).map(turned));
  const change = await planChange(workshop, runs, backwards);
  if (!change) throw new BatonError('nothing-to-discard', 'none of it is in the working tree (any more)');
  const last = runs.at(-1);
  const record: DiscardedRecord = {
    schema: LANDING_SCHEMA,
    state: 'discarded',
    at: new Date().toISOString(),
    runIds: runs.map(({ id }) => id),
    ...change,
    ...(last && earlierOf(last.directory)),
  };
  await keepTrees(workshop, runs, change);
  await changeFiles(workshop, journalOf('discard', runs, change, record), onStep);
  return record;
}

/** Puts back what a discard took out, upon whatever was edited since. */
export async function undoDiscard(
  workshop: Workshop,
  runs: readonly LandableRun[],
  discarded: DiscardedRecord,
  onStep?: (step: DiscardStep) => void,
): Promise<LandingRecord> {
  const forwards = await changesBetween(workshop.git, discarded.after, discarded.before);
  const change = await planChange(workshop, runs, [forwards]);
  if (!change) {
    const what = `what was discarded of run ${discarded.runIds.join(', ')}`;
    throw new BatonError('nothing-to-undo', `${what} is in the working tree already`);
  }
  const record: LandingRecord = {
    schema: LANDING_SCHEMA,
    state: 'undone',
    at: new Date().toISOString(),
    runIds: discarded.runIds,
    undid: discarded,
  };
  await changeFiles(workshop, journalOf('undo-discard', runs, change, record), onStep);
  return record;
}

interface TreeChange {
  /** Tree objects. */
  before: string;
  after: string;
  paths: string[];
}

/** Null where there is nothing to change. */
async function planChange(
  workshop: Workshop,
  runs: readonly LandableRun[],
  segments: readonly (readonly PathChange[])[],
): Promise<TreeChange | null> {
  const { git, folder } = workshop;
  const before = await snapshotNow(
    workshop,
    runs.map(({ directory }) => directory),
  );
  const ours = await listTree(git, before);
  const { edits, conflicts } = await carryOver({ git, scratch: folder, ours, segments, takeWhole: [] });
  if (conflicts.length > 0) throw new ConflictError(conflicts, 'the working tree');
  if (edits.size === 0) return null;
  const after = await editTree(git, join(folder, 'target.index'), before, edits);
  return { before, after, paths: [...edits.keys()].map(showPath) };
}

function turned({ path, from, to }: PathChange): PathChange {
  return { path, from: to, to: from };
}

/** In the run's own store, so that the discard can be undone tomorrow. */
async function keepTrees({ git }: Workshop, runs: readonly LandableRun[], change: TreeChange): Promise<void> {
  const last = runs.at(-1);
  if (!last) return;
  const packs = join(artifactPath(last.directory, 'objects'), 'pack');
  mkdirSync(packs, { recursive: true, mode: 0o700 });
  const input = Buffer.from(`${change.before}\n${change.after}\n^${treesOf(last).after}\n`);
  await succeed(git(['pack-objects', '-q', '--revs', join(packs, 'pack')], { input }), 'pack-objects');
}

function journalOf(
  kind: TreeJournal['kind'],
  runs: readonly LandableRun[],
  { before, after }: TreeChange,
  record: LandingRecord,
): TreeJournal {
  return {
    schema: JOURNAL_SCHEMA,
    kind,
    runIds: runs.map(({ id }) => id),
    directories: runs.map(({ directory }) => directory),
    from: before,
    to: after,
    record,
  };
}

async function changeFiles(
  workshop: Workshop,
  journal: TreeJournal,
  onStep?: (step: DiscardStep) => void,
): Promise<void> {
  const { git, folder } = workshop;
  const changes = await changesBetween(git, journal.from, journal.to);
  const listing = await listTree(git, journal.from);
  writeJournal(folder, journal);
  onStep?.('journal');
  try {
    await writeFiles(workshop, listing, new Map(changes.map(({ path, to }) => [path, to])), () =>
      onStep?.('file'),
    );
  } catch (error) {
    // Found before the first write: there is nothing to complete.
    if (error instanceof BatonError) removeJournal(folder);
    throw error;
  }
  onStep?.('written');
  finishChange(folder, journal);
  onStep?.('recorded');
}

function finishChange(folder: string, { directories, record }: TreeJournal): void {
  writeRecordOf(directories, record);
  removeJournal(folder);
}

/** Does what an interrupted change left undone. Returns the paths that were edited meanwhile, and are left so. */
export async function completeChange(workshop: Workshop, journal: TreeJournal): Promise<string[]> {
  const { git, folder } = workshop;
  const now = await listTree(git, await snapshotNow(workshop, journal.directories));
  const edits = new Map<string, PathChange['to']>();
  const left: string[] = [];
  for (const { path, from, to } of await changesBetween(git, journal.from, journal.to)) {
    const entry = now.get(path) ?? null;
    if (sameEntry(entry, to)) continue;
    if (sameEntry(entry, from)) edits.set(path, to);
    else left.push(showPath(path));
  }
  await writeFiles(workshop, now, edits);
  finishChange(folder, journal);
  return left;
}
