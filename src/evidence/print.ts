import { createHash } from 'node:crypto';
import { type BigIntStats, constants, lstatSync, readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { BatonError, systemCode } from '../core/errors.ts';

/** What a path that git does not keep for us looks like: enough to tell whether it changed. */
export interface Print {
  type: 'file' | 'link' | 'other';
  executable: boolean;
  size: bigint;
  mtimeNs: bigint;
  /** ctime, inode and device. While these and the mtime stay, so did the content: no program but the kernel sets a ctime. */
  stamp: string;
  /** SHA-256 of the content or of the link's target; null where it was not read. */
  digest: string | null;
}

const PIECE_BYTES = 1024 * 1024;

/** The print of what is at `path`, links not followed; null where nothing is. The content is read unless `earlier` has the same stamp. */
export async function printOf(
  path: string | Buffer,
  earlier: Print | undefined,
  signal?: AbortSignal,
): Promise<Print | null> {
  const print = statPrint(path);
  if (!print) return null;
  if (earlier && sameStamp(earlier, print)) return earlier;
  if (print.type === 'other') return print;
  return { ...print, digest: print.type === 'link' ? digestOfLink(path) : await digestOfFile(path, signal) };
}

/** `lstat`, with null where nothing of that name can be, such as below a file or a link that leads to itself. */
export function statOf(path: string | Buffer): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** The print of what is at `path` from stat data alone; null where nothing is. */
export function statPrint(path: string | Buffer): Print | null {
  const stat = statOf(path);
  return stat ? printOfStat(stat) : null;
}

function printOfStat(stat: BigIntStats): Print {
  return {
    type: stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'link' : 'other',
    executable: stat.isFile() && (stat.mode & 0o100n) !== 0n,
    size: stat.size,
    mtimeNs: stat.mtimeNs,
    stamp: `${stat.ctimeNs} ${stat.ino} ${stat.dev}`,
    digest: null,
  };
}

export function sameStamp(a: Print, b: Print): boolean {
  return (
    a.stamp === b.stamp &&
    a.mtimeNs === b.mtimeNs &&
    a.size === b.size &&
    a.type === b.type &&
    a.executable === b.executable
  );
}

/** What happened between two prints. `unsure`: it was written to, and whether that changed it cannot be told. */
export function comparePrints(before: Print, after: Print): 'same' | 'modified' | 'mode' | 'type' | 'unsure' {
  if (before.type !== after.type) return 'type';
  if (sameStamp(before, after)) return 'same';
  if (before.size !== after.size) return 'modified';
  if (before.digest !== null && after.digest !== null && before.digest !== after.digest) return 'modified';
  if (before.executable !== after.executable) return 'mode';
  return before.digest === null || after.digest === null
    ? before.type === 'other'
      ? 'same'
      : 'unsure'
    : 'same';
}

function digestOfLink(path: string | Buffer): string {
  return createHash('sha256').update(readlinkSync(path, 'buffer')).digest('hex');
}

/** Reads piece by piece. A FIFO put in its place must not hold us, so it is opened without waiting and looked at again. */
async function digestOfFile(path: string | Buffer, signal: AbortSignal | undefined): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT', 'ELOOP', 'ENXIO'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
  try {
    if (!(await file.stat()).isFile()) return null;
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      if (signal?.aborted) throw new BatonError('aborted', 'reading a large file was stopped');
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
