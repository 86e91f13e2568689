import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { arrayOf, objectOf, stringOf, toJsonFile } from '../core/json.ts';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { makePrivateFolder, readRecord, treeKey } from '../rundir/state-folder.ts';
import { type Journal, journalPath, manifestPath, readJournal } from './journal.ts';
import { stateFolderError } from './publish-error.ts';

const RECORD_SCHEMA = 'baton.published.v1';
/** Publications that can be undone, one after the other. */
const KEPT = 10;
/** Versions of a file that are known to be baton's own: a branch may hold an older one. */
const PRINTS = 50;

/** The folder of a root's publications in the state folder. */
export function publicationFolder(stateHome: string, root: string): string {
  return join(stateHome, 'publications', treeKey(root));
}

/** Folders of all roots, by the state folder. */
export function publicationFolders(stateHome: string): string[] {
  const all = join(stateHome, 'publications');
  try {
    return readdirSync(all).map((name) => join(all, name));
  } catch {
    return [];
  }
}

/** The prints (`printOf`) of all that baton is known to have published, by path. */
export type Published = ReadonlyMap<string, readonly string[]>;

export function readPublished(folder: string): Published {
  const record = readRecord(join(folder, 'published.json'));
  const files = record?.['schema'] === RECORD_SCHEMA ? objectOf(record['files']) : {};
  return new Map(
    Object.entries(files).map(([path, prints]) => [
      path,
      arrayOf(prints).flatMap((one) => stringOf(one) ?? []),
    ]),
  );
}

/**
 * Adds prints to the record. It is done before anything is published: that baton may have written what it never came
 * to write does no harm, while what it wrote must never look like a person's.
 */
export function recordPublished(folder: string, added: ReadonlyMap<string, string>): void {
  const files = new Map(readPublished(folder));
  for (const [path, print] of added) {
    const others = (files.get(path) ?? []).filter((one) => one !== print);
    files.set(path, [...others, print].slice(-PRINTS));
  }
  const record = {
    schema: RECORD_SCHEMA,
    files: Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  try {
    makePrivateFolder(folder);
    writeFileAtomic(join(folder, 'published.json'), toJsonFile(record));
  } catch (error) {
    throw stateFolderError(folder, error);
  }
}

/** Publications that can be undone, the newest first. */
export function manifests(folder: string): Journal[] {
  return ids(folder).flatMap((id) => readJournal(manifestPath(folder, id)) ?? []);
}

/** A publication's name: counted up, so that the newest is known whatever the clock says. */
export function nextId(folder: string): string {
  return String(Number(ids(folder)[0] ?? 0) + 1);
}

/** Removes the copies of publications that are too old to be undone, and of those that never came to their end. Never throws. */
export function tidyPublications(folder: string): void {
  try {
    const unfinished = readJournal(journalPath(folder))?.id;
    const kept = new Set([
      unfinished,
      ...manifests(folder)
        .slice(0, KEPT)
        .map(({ id }) => id),
    ]);
    for (const id of ids(folder).filter((one) => !kept.has(one))) removeCopies(folder, id);
    // What an atomic write leaves that was killed.
    for (const name of readdirSync(folder).filter((one) => /^\..+\.tmp$/.test(one)))
      rmSync(join(folder, name));
  } catch {
    // It only takes room, and the next publication tries again.
  }
}

export function removeCopies(folder: string, id: string): void {
  rmSync(join(folder, id), { recursive: true, force: true });
}

/** The newest first. */
function ids(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[1-9]\d{0,8}$/.test(name))
      .sort((a, b) => Number(b) - Number(a));
  } catch {
    return [];
  }
}
