import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './errors.ts';

/**
 * Makes a folder, and those above it, that are not there yet. Not by the `recursive` of Node: that never returns where a
 * file system says ENOENT to a new name in a folder that is there, as `/proc` and an automounted `/home` do.
 */
export function makeFolders(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
    return;
  } catch (error) {
    if (isFolder(path)) return;
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been as quick.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
