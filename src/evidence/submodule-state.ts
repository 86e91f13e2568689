import { join } from 'node:path';
import { passEntries } from '../git/index-scan.ts';
import { type RawPath, showPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import { gitDirOf } from './nested-place.ts';
import { readPlainFile } from './plain-file.ts';
import type { Print } from './print.ts';

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** Offsets in an index entry: seconds and nanoseconds of the file's time, and its size. */
const MTIME_AT = 8;
const SIZE_AT = 36;

/**
 * A sentence where a submodule does not look as it was checked out; null where it does. Git is not asked: its own index
 * is read, and the stat data in it compared. Callers count on a dirty submodule being unknown rather than clean.
 */
export function dirtySubmodule(
  repository: Repository,
  path: RawPath,
  files: ReadonlyMap<RawPath, Print> | undefined,
): string | null {
  const gitDir = gitDirOf(join(repository.top, showPath(path)));
  if (gitDir === null || !files) return null;
  const index = readPlainFile(join(gitDir, 'index'), MAX_INDEX_BYTES);
  if (index.kind !== 'file' || !index.bytes)
    return `${showPath(path)}: the index of this submodule cannot be read`;
  const { bytes } = index;
  const unseen = new Set(files.keys());
  let differing = 0;
  try {
    passEntries(bytes, repository.objectFormat, (entry) => {
      const file = `${path}/${entry.path()}`;
      const print = files.get(file);
      unseen.delete(file);
      if (print && looksLike(print, bytes, entry.start)) return;
      const aside = entry.skipWorktree || (entry.mode & 0o170000) === 0o160000;
      if (!aside) differing += 1;
    });
  } catch {
    return `${showPath(path)}: the index of this submodule cannot be read`;
  }
  const count = differing + unseen.size;
  return count === 0
    ? null
    : `${showPath(path)}: this submodule had changes of its own before the run (${count} paths)`;
}

function looksLike(print: Print, bytes: Buffer, start: number): boolean {
  const seconds = bytes.readUInt32BE(start + MTIME_AT);
  const nanoseconds = bytes.readUInt32BE(start + MTIME_AT + 4);
  const mtime = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  return (
    print.mtimeNs === mtime && BigInt.asUintN(32, print.size) === BigInt(bytes.readUInt32BE(start + SIZE_AT))
  );
}
