import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { isObject, type JsonObject, toJsonFile } from '../core/json.ts';
import { makeFolders } from '../core/make-folders.ts';
import { readRegularFile } from './artifact.ts';

/** Makes a folder, and those above it, that only this user can enter. Those that exist keep their mode. */
export function makePrivateFolder(path: string): void {
  makeFolders(path, 0o700);
}

/**
 * Names a working tree in the state folder: `<its name>-<hash of its real path>`. The name is for people and is cut
 * down to plain characters; the hash makes it the tree's own. Throws when the tree does not exist.
 */
export function treeKey(treeTop: string): string {
  // The native call also gives the one true spelling on file systems that ignore case.
  const real = realpathSync.native(treeTop);
  const plain = basename(real)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, 40);
  return `${plain || 'tree'}-${shortHash(real)}`;
}

/** Where the runs of a working tree are kept, or pointed to. */
export function runsFolder(stateHome: string, treeTop: string): string {
  return join(stateHome, 'runs', treeKey(treeTop));
}

/** Twelve hexadecimal digits that stand for a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Replaces a small record of the state folder, whole. Not synced: after a power cut it may be the older one. */
export function writeRecord(path: string, record: object): void {
  writeFileAtomic(path, toJsonFile(record), 0o600, false);
}

/** A record as it lies there; null where there is none, or where it is damaged: records only ever help to find things. */
export function readRecord(path: string): JsonObject | null {
  try {
    return parseRecord(readRegularFile(path) ?? '');
  } catch {
    return null;
  }
}

/** A JSON object from its text; null for anything else. */
export function parseRecord(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
