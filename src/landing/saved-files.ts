import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathIn, type RawPath, showPath } from '../git/raw-path.ts';
import { folderInTheWay, statInTree } from './place.ts';
import { plainOid } from './plain-oid.ts';
import type { Workshop } from './workshop.ts';

/** One path as it was before hooks ran, byte for byte: filters and line ends have no say in it. */
export interface SavedFile {
  path: RawPath;
  kind: 'file' | 'link' | 'absent';
  /** Permission bits of a file. */
  mode: number;
  /** The name of the copy in the folder of copies. */
  copy: string;
}

/** What became of saved files. */
export interface Restored {
  restored: string[];
  /** Changed, and by no content that git has: left as they are. */
  left: string[];
}

/**
 * Copies what a hook may move about and git does not hold: the files that differ from HEAD. Where the file system
 * can, a copy shares its blocks.
 */
export function saveFiles(top: string, paths: Iterable<RawPath>, folder: string): SavedFile[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const saved: SavedFile[] = [];
  for (const path of paths) {
    const from = pathIn(top, path);
    const stat = statInTree(top, path);
    const copy = String(saved.length);
    if (stat?.isFile()) {
      copyFileSync(from, join(folder, copy), constants.COPYFILE_FICLONE);
      chmodSync(join(folder, copy), 0o600);
    } else if (stat?.isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), join(folder, copy));
    else if (stat) continue;
    const kind = stat === null ? 'absent' : stat.isFile() ? 'file' : 'link';
    saved.push({ path, kind, mode: (stat?.mode ?? 0) & 0o7777, copy });
  }
  return saved;
}

/**
 * Puts saved files back that a hook, or its death, left otherwise. Only what git has as well is written over (`known`:
 * the objects that a path may hold): bytes that exist nowhere else are never lost, whoever wrote them.
 */
export async function restoreFiles(
  workshop: Workshop,
  saved: readonly SavedFile[],
  folder: string,
  known: (path: RawPath) => ReadonlySet<string>,
): Promise<Restored> {
  const { top } = workshop.repository;
  const outcome: Restored = { restored: [], left: [] };
  for (const file of saved) {
    const at = pathIn(top, file.path);
    const now = statInTree(top, file.path);
    if (isAsSaved(file, at, now, folder)) continue;
    if (folderInTheWay(top, file.path) !== null) {
      outcome.left.push(showPath(file.path));
      continue;
    }
    const oid = now === null ? null : await plainOid(workshop, file.path, now);
    if (now !== null && (oid === null || !known(file.path).has(oid))) {
      outcome.left.push(showPath(file.path));
      continue;
    }
    putBack(file, at, now, top, folder);
    outcome.restored.push(showPath(file.path));
  }
  return outcome;
}

function isAsSaved(file: SavedFile, at: string | Buffer, now: Stats | null, folder: string): boolean {
  if (now === null || file.kind === 'absent') return now === null && file.kind === 'absent';
  const copy = join(folder, file.copy);
  if (file.kind === 'link')
    return now.isSymbolicLink() && readlinkSync(at, 'buffer').equals(readlinkSync(copy, 'buffer'));
  return now.isFile() && (now.mode & 0o7777) === file.mode && readFileSync(at).equals(readFileSync(copy));
}

function putBack(file: SavedFile, at: string | Buffer, now: Stats | null, top: string, folder: string): void {
  const copy = join(folder, file.copy);
  if (now !== null) unlinkSync(at);
  if (file.kind === 'absent') return;
  const slash = file.path.lastIndexOf('/');
  if (slash > 0) mkdirSync(pathIn(top, file.path.slice(0, slash)), { recursive: true });
  if (file.kind === 'link') symlinkSync(readlinkSync(copy, 'buffer'), at);
  else {
    copyFileSync(copy, at, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(at, file.mode);
  }
}
