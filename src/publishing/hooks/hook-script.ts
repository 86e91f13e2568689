import { lstatSync, mkdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BatonError, messageOf } from '../../core/errors.ts';
import { packageRoot } from '../../core/package-root.ts';
import { ACTIVATION_SCRIPT } from '../../skills/activation-hooks.ts';
import { look } from '../look.ts';
import type { RootFolder } from '../root-folder.ts';
import { replaceFile } from './replace-file.ts';
import { folderOf } from './settings-file.ts';

/** The script that this version of baton installs. Throws a BatonError `package` where it is not there. */
export function shippedScript(): Buffer {
  const top = packageRoot();
  try {
    if (top === null) throw new Error('the package was not found');
    return readFileSync(join(top, 'dist', 'hooks', ACTIVATION_SCRIPT));
  } catch (error) {
    throw new BatonError('package', `the script of the hooks cannot be read: ${messageOf(error)}`, {
      hint: 'install baton-relay anew',
      cause: error,
    });
  }
}

/**
 * The hash of the script in a project; null where there is none. Throws a BatonError `hook-script` where a link, or
 * something that is no file, stands in the way.
 */
export function scriptHash(root: RootFolder, path: string): string | null {
  const seen = look(root, path);
  if (seen.kind === 'blocked') throw inTheWay(`${path} cannot be written: ${seen.reason}`);
  return seen.kind === 'file' ? seen.hash : null;
}

/** Writes the script, whole. No link is followed. */
export function writeScript(root: RootFolder, path: string, bytes: Buffer): void {
  const entered = root.within(folderOf(path), (folder) => {
    replaceFile(folder, basename(path), bytes);
  });
  if (!('done' in entered))
    throw inTheWay('reason' in entered ? entered.reason : `${entered.missing} is gone`);
}

export function removeScript(root: RootFolder, path: string): void {
  root.within(folderOf(path), (folder) => unlinkSync(folder.at(basename(path))));
}

/** Makes a folder of the project and those above it. Returns the ones that it made. */
export function makeFolders(root: RootFolder, path: string): string[] {
  if (path === '') return [];
  const above = makeFolders(root, folderOf(path));
  const entered = root.within(folderOf(path), (folder) => {
    const at = folder.at(basename(path));
    const there = lstatSync(at, { throwIfNoEntry: false });
    if (!there) mkdirSync(at);
    return there === undefined;
  });
  if ('done' in entered) return entered.done ? [...above, path] : above;
  throw inTheWay('reason' in entered ? entered.reason : `${entered.missing} is gone`);
}

/** Removes those of the folders that are empty. */
export function removeEmptyFolders(root: RootFolder, folders: readonly string[]): void {
  for (const path of folders.toSorted((a, b) => b.length - a.length)) {
    root.within(folderOf(path), (folder) => {
      try {
        rmdirSync(folder.at(basename(path)));
      } catch {
        // Somebody has something in it, or removed it.
      }
    });
  }
}

function inTheWay(reason: string): BatonError {
  return new BatonError('hook-script', reason, { hint: 'remove it, and try again' });
}
