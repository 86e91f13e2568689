import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { arrayOf, isObject, stringOf, toJsonFile } from '../core/json.ts';
import type { ProcessIdentity } from '../rundir/live.ts';
import { readRecord } from '../rundir/state-folder.ts';
import type { LandingRecord } from './record.ts';
import type { SavedFile } from './saved-files.ts';
import type { Head } from './target.ts';

export const JOURNAL_SCHEMA = 'baton.landing-journal.v1';

interface Common {
  schema: typeof JOURNAL_SCHEMA;
  runIds: string[];
  /** The directories of these runs. */
  directories: string[];
}

/** HEAD is about to be moved. Until then everything can be taken back, from then on everything can be completed. */
export interface MoveJournal extends Common {
  kind: 'land' | 'undo';
  /** HEAD before. */
  head: Head;
  /** HEAD after; null while there is no such commit yet, or where the branch is to have none. */
  target: string | null;
  moving: boolean;
  /** The tree that is to be committed, with the entries that hooks may leave on disk. */
  tree: string;
  /** A hook that was started. */
  hook: ProcessIdentity | null;
  files: SavedFile[];
  /** SHA-256 of the index that is to take the place of the user's. */
  indexHash: string | null;
  /** What is then written to `landing.json`. */
  record: LandingRecord | null;
}

/** Files of the working tree are about to be changed, from one tree to another. */
export interface TreeJournal extends Common {
  kind: 'discard' | 'undo-discard';
  from: string;
  to: string;
  record: LandingRecord;
}

export type Journal = MoveJournal | TreeJournal;

export function journalPath(folder: string): string {
  return join(folder, 'journal.json');
}

/** Written through to the disk: it must be there when what it tells of happens. */
export function writeJournal(folder: string, journal: Journal): void {
  writeFileAtomic(journalPath(folder), toJsonFile(journal));
}

export function removeJournal(folder: string): void {
  rmSync(journalPath(folder), { force: true });
}

/** What an interrupted landing left; null where nothing was interrupted. */
export function readJournal(folder: string): Journal | null {
  const value: unknown = readRecord(journalPath(folder));
  return isJournal(value) ? value : null;
}

/** Baton's own file in a folder that only this user can enter: what has its schema has its form. */
function isJournal(value: unknown): value is Journal {
  if (!isObject(value) || value['schema'] !== JOURNAL_SCHEMA || arrayOf(value['runIds']).length === 0)
    return false;
  return ['land', 'undo', 'discard', 'undo-discard'].includes(stringOf(value['kind']) ?? '');
}
