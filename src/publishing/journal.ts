import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { isObject, stringOf, toJsonFile } from '../core/json.ts';
import { readRecord } from '../rundir/state-folder.ts';
import { syncFolder } from './root-folder.ts';

const JOURNAL_SCHEMA = 'baton.publication.v1';

/** Whose a file is, by number. */
export interface Owner {
  uid: number;
  gid: number;
}

/** A change of one file, with all that is needed to complete it or to take it back. */
export interface JournalFile {
  /** Relative to the root, as it is spelled on disk. */
  path: string;
  /** The name, beside it, of the new file that is to take its place. */
  staged: string;
  /** Null: there is nothing before. `copy` is its name in the folder of the publication. */
  before: { hash: string; mode: number; owner: Owner; copy: string } | null;
  /** Null: it is to be removed. */
  after: { hash: string } | null;
}

/**
 * A publication, or an undo of one. While it is at work this is `journal.json`; at its end a publication's journal
 * becomes, in one rename, its `manifest.json`: what it takes to undo it.
 */
export interface Journal {
  schema: typeof JOURNAL_SCHEMA;
  kind: 'publish' | 'undo';
  /** Names the folder with the copies. */
  id: string;
  root: string;
  /** ISO 8601. */
  at: string;
  /** `staging`: no file has changed yet. `placing`: any of them may have. */
  state: 'staging' | 'placing';
  /** Folders that it makes, those above first. */
  folders: string[];
  /** The publication that it undoes. */
  undoes: string | null;
  /** Folders that are removed at its end where they are empty, those above first. */
  emptied: string[];
  files: JournalFile[];
}

export function newJournal(
  about: Pick<Journal, 'kind' | 'id' | 'root' | 'undoes' | 'emptied' | 'folders' | 'files'>,
): Journal {
  return { schema: JOURNAL_SCHEMA, at: new Date().toISOString(), state: 'staging', ...about };
}

/** Where baton keeps what it published in one root: a folder of the state folder. */
export function journalPath(folder: string): string {
  return join(folder, 'journal.json');
}

export function manifestPath(folder: string, id: string): string {
  return join(folder, id, 'manifest.json');
}

/** Written through to the disk: it must be there when what it tells of happens. */
export function writeJournal(folder: string, journal: Journal): void {
  writeFileAtomic(journalPath(folder), toJsonFile(journal));
  syncFolder(folder);
}

export function removeJournal(folder: string): void {
  rmSync(journalPath(folder), { force: true });
  syncFolder(folder);
}

/** The publication is over: its journal becomes its manifest. It takes no room on the disk. */
export function keepAsManifest(folder: string, id: string): void {
  renameSync(journalPath(folder), manifestPath(folder, id));
  syncFolder(folder);
}

/** Null where there is none, or where it is damaged: it is written whole, so baton did not do that. */
export function readJournal(path: string): Journal | null {
  const value: unknown = readRecord(path);
  return isJournal(value) ? value : null;
}

/** Baton's own file in a folder that only this user can enter: what has its schema has its form. */
function isJournal(value: unknown): value is Journal {
  if (!isObject(value) || value['schema'] !== JOURNAL_SCHEMA) return false;
  return ['publish', 'undo'].includes(stringOf(value['kind']) ?? '') && Array.isArray(value['files']);
}
