import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { systemCode } from '../core/errors.ts';
import type { JournalFile, Owner } from './journal.ts';
import { splitPath } from './look.ts';
import type { RootFolder } from './root-folder.ts';
import type { OnStep } from './site.ts';

/** What a file is to hold. */
export interface NewFile {
  bytes: Uint8Array;
  /** Null: what the platform gives to a new file. */
  mode: number | null;
  /** Whose it is to be, where this user may say so. */
  owner: Owner | null;
}

/** What only concerns one file: the others can be published all the same. */
const OF_ONE_FILE = ['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'ELOOP', 'EEXIST'];

/**
 * Makes the folders of a file that are not there yet, and writes the new file beside its place, through to the disk.
 * Returns why that could not be done, where it concerns this file alone; throws the system's error for the rest.
 */
export function stage(
  root: RootFolder,
  { path, staged }: Pick<JournalFile, 'path' | 'staged'>,
  file: NewFile,
  folders: ReadonlySet<string>,
  onStep: OnStep,
): string | null {
  try {
    for (const folder of foldersAbove(path).filter((one) => folders.has(one))) {
      makeFolder(root, folder);
      onStep('folder');
    }
    const entered = root.within(splitPath(path)[0], (open) => writeNew(open.at(staged), file));
    onStep('staged');
    if ('done' in entered) return null;
    return 'missing' in entered ? `${entered.missing} is gone` : entered.reason;
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (OF_ONE_FILE.includes(code)) return `it cannot be written: ${code}`;
    throw error;
  }
}

/** Removes a staged file, if it is there. What cannot be reached any more is nobody's concern. */
export function unstage(root: RootFolder, { path, staged }: JournalFile): void {
  root.within(splitPath(path)[0], (open) => {
    try {
      unlinkSync(open.at(staged));
    } catch (error) {
      if (!OF_ONE_FILE.includes(systemCode(error) ?? '')) throw error;
    }
  });
}

/** Removes those of the folders that are empty, the deepest first. */
export function removeEmptyFolders(root: RootFolder, folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    const [parent, name] = splitPath(folder);
    root.within(parent, (open) => {
      try {
        rmdirSync(open.at(name));
        open.sync();
      } catch {
        // It holds something, and is somebody's.
      }
    });
  }
}

/** The folders above these paths that are not there, those above first. */
export function missingFolders(root: RootFolder, paths: Iterable<string>): string[] {
  const above = new Set([...paths].flatMap(foldersAbove));
  return [...above].sort().filter((folder) => 'missing' in root.within(folder, () => null));
}

/** Syncs the folders that these files lie in, and those above: a new folder is an entry of the one above it. */
export function syncFoldersOf(root: RootFolder, files: readonly { path: string }[]): void {
  for (const folder of new Set(['', ...files.flatMap(({ path }) => foldersAbove(path))]))
    root.within(folder, (open) => open.sync());
}

/** `a`, `a/b` for `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function makeFolder(root: RootFolder, folder: string): void {
  const [parent, name] = splitPath(folder);
  root.within(parent, (open) => {
    try {
      mkdirSync(open.at(name));
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  });
}

/** Writes a file that must not be there yet: what it holds is on the disk when this returns. */
export function writeNew(at: string, { bytes, mode, owner }: NewFile): void {
  const fd = openSync(at, 'wx', mode === null ? 0o666 : 0o600);
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
    if (owner) giveTo(fd, owner);
    // After the owner: a change of that takes the set-user bits away.
    if (mode !== null) fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Root, who publishes into another user's repository, must not take the files from them. */
function giveTo(fd: number, { uid, gid }: Owner): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // An ordinary user cannot give files away; the new file is theirs.
  }
}
