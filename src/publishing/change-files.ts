import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError, messageOf } from '../core/errors.ts';
import { makePrivateFolder } from '../rundir/state-folder.ts';
import { contentHash } from '../trust/approval.ts';
import { finish, takeBack } from './endings.ts';
import { type Journal, type JournalFile, newJournal, writeJournal } from './journal.ts';
import { look, type SeenFile } from './look.ts';
import { place, stateOf } from './placing.ts';
import { publishError, stateFolderError } from './publish-error.ts';
import { nextId, tidyPublications } from './publication-folder.ts';
import { syncFolder } from './root-folder.ts';
import type { Site } from './site.ts';
import { missingFolders, type NewFile, stage, syncFoldersOf, unstage, writeNew } from './staging.ts';

/** A file that is to hold something else, or (`after: null`) is to go. */
export interface FileChange {
  path: string;
  before: SeenFile | null;
  after: NewFile | null;
}

type About = Pick<Journal, 'kind' | 'undoes' | 'emptied'>;

export interface Changed {
  /** Null where nothing was changed in the end. */
  id: string | null;
  /** Files that were not changed after all, by path: why, for a person. The others were. */
  refused: ReadonlyMap<string, string>;
}

/**
 * Changes files below a root, each in one instant: their old bytes are copied, the new ones staged beside their
 * places, a journal is synced, and then each is renamed. Whatever ends this in between, the journal can complete it or
 * take it back. What concerns one file alone refuses that file; after any other error everything is taken back, and a
 * BatonError is thrown.
 */
export function changeFiles(site: Site, about: About, changes: readonly FileChange[]): Changed {
  const journal = begin(site, about, changes);
  const refused = new Map<string, string>();
  try {
    stageAll(site, journal, changes, refused);
    placeAll(site, journal, refused);
    noticeSwaps(site, journal, refused);
    if (about.kind === 'undo') refuseHalf(refused);
  } catch (error) {
    throw takenBack(site, journal, error);
  }
  finish(site, journal);
  return { id: journal.files.length > 0 ? journal.id : null, refused };
}

/** Copies the old bytes, and writes down what is about to happen. */
function begin({ root, folder, onStep }: Site, about: About, changes: readonly FileChange[]): Journal {
  try {
    makePrivateFolder(folder);
    tidyPublications(folder);
    const id = nextId(folder);
    const copies = join(folder, id);
    mkdirSync(copies, { mode: 0o700 });
    onStep('folder of copies');
    for (const [index, { before }] of changes.entries()) {
      if (before) writeNew(join(copies, String(index)), { bytes: before.bytes, mode: 0o600, owner: null });
      onStep('copied');
    }
    syncFolder(copies);
    const written = changes.filter(({ after }) => after !== null).map(({ path }) => path);
    const folders = missingFolders(root, written);
    const journal = newJournal({ ...about, id, root: root.path, folders, files: changes.map(entryOf()) });
    writeJournal(folder, journal);
    onStep('journal');
    return journal;
  } catch (error) {
    tidyPublications(folder);
    throw stateFolderError(folder, error);
  }
}

function entryOf(): (change: FileChange, index: number) => JournalFile {
  // Not to be guessed by whoever else can write there.
  const tag = randomBytes(6).toString('hex');
  return ({ path, before, after }, index) => ({
    path,
    staged: `.baton-${tag}-${index}.tmp`,
    before: before && { hash: before.hash, mode: before.mode, owner: before.owner, copy: String(index) },
    after: after && { hash: contentHash(after.bytes) },
  });
}

function stageAll(
  site: Site,
  journal: Journal,
  changes: readonly FileChange[],
  refused: Map<string, string>,
): void {
  const { root, folder, onStep } = site;
  const folders = new Set(journal.folders);
  for (const [index, file] of journal.files.entries()) {
    const after = changes[index]?.after;
    const problem = after ? stage(root, file, after, folders, onStep) : null;
    if (problem !== null) refuse(site, journal, file, problem, refused);
  }
  syncFoldersOf(root, journal.files);
  journal.state = 'placing';
  writeJournal(folder, journal);
  onStep('placing');
}

function placeAll(site: Site, journal: Journal, refused: Map<string, string>): void {
  for (const file of journal.files) {
    if (!place(site.root, file, site.onStep))
      refuse(site, journal, file, 'it, or its folder, was changed while baton was at work', refused);
  }
}

/** A folder that somebody swapped meanwhile: what was written is wherever that folder is now. */
function noticeSwaps(site: Site, journal: Journal, refused: Map<string, string>): void {
  const { root, folder } = site;
  for (const file of journal.files) {
    if (stateOf(look(root, file.path), file) === 'after' && (file.after === null || root.isThere(file.path)))
      continue;
    const reason = root.heldByDescriptor
      ? 'it, or its folder, was replaced while it was written: it may lie in the folder that was there before'
      : 'its folder was replaced while it was written: it may have been written elsewhere, look where the folder leads now';
    refuse(site, journal, file, reason, refused);
  }
  if (refused.size > 0) writeJournal(folder, journal);
}

/** An undo is whole or is none: what it takes to undo the rest is gone afterwards. */
function refuseHalf(refused: ReadonlyMap<string, string>): void {
  const [first] = refused;
  if (first) throw new BatonError('not-undone', `${first[0]}: ${first[1]}`);
}

function refuse(
  { root }: Site,
  journal: Journal,
  file: JournalFile,
  reason: string,
  refused: Map<string, string>,
): void {
  refused.set(file.path, reason);
  unstage(root, file);
  journal.files = journal.files.filter((one) => one !== file);
}

function takenBack(site: Site, journal: Journal, error: unknown): BatonError {
  try {
    takeBack(site, journal);
  } catch (second) {
    return new BatonError(
      'publish',
      `publishing failed, and what was written could not all be taken back: ${messageOf(error)}; ${messageOf(second)}`,
      { hint: 'the next baton command here mends it', cause: error },
    );
  }
  return publishError(journal.kind, error);
}
