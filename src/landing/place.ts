import { lstatSync, type Stats } from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { pathIn, type RawPath } from '../git/raw-path.ts';

/**
 * What lies at a path of the working tree itself; null for nothing. What can only be reached through a link is
 * nothing: it is somebody else's, and may be anywhere on the disk.
 */
export function statInTree(top: string, path: RawPath): Stats | null {
  return folderInTheWay(top, path) === null ? statOf(pathIn(top, path)) : null;
}

/** The first of the folders above a path that is there and is no folder, such as a link; null where none is. */
export function folderInTheWay(top: string, path: RawPath): RawPath | null {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    const stat = statOf(pathIn(top, folder));
    if (stat === null) return null;
    if (!stat.isDirectory()) return folder;
  }
  return null;
}

function statOf(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}
