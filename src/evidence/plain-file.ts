import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';

/** What stands at a path, as a plain read finds it: no git code runs, nothing is executed, no read blocks. */
export type Fingerprint =
  | { kind: 'absent' }
  | FileFingerprint
  | { kind: 'folder'; link: string | null }
  /** A FIFO, device or socket, or a link to nothing. */
  | { kind: 'special'; link: string | null }
  /** There is something, and this user may not read it: unknown, not clean. */
  | { kind: 'unreadable'; code: string };

interface FileFingerprint {
  kind: 'file';
  executable: boolean;
  mode: number;
  size: number;
  /** Of the content; of the stat data where the file is larger than the limit. */
  digest: string;
  /** Where it is a link: its target as written. */
  link: string | null;
}

/** A fingerprint with the content, null where the file is larger than the limit. */
type PlainFile = Exclude<Fingerprint, FileFingerprint> | (FileFingerprint & { bytes: Buffer | null });

const ABSENT: PlainFile = { kind: 'absent' };
// A FIFO opened without it would hold us until somebody writes. Windows has neither.
const READ_WITHOUT_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads what is at `path`, through links; content only up to `maxBytes`. Never throws. */
export function readPlainFile(path: string, maxBytes: number): PlainFile {
  let link: string | null = null;
  try {
    if (lstatSync(path).isSymbolicLink()) link = readlinkSync(path);
    const seen = statSync(path);
    if (seen.isDirectory()) return { kind: 'folder', link };
    if (!seen.isFile()) return { kind: 'special', link };
    return readRegular(path, link, maxBytes);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return link === null ? ABSENT : { kind: 'special', link };
    return { kind: 'unreadable', code: code ?? messageOf(error) };
  }
}

/** The first `maxBytes` of a small file such as a loose ref, with the fewest system calls. Throws system errors. */
export function readSmallFile(path: string, maxBytes: number): Buffer {
  const fd = openSync(path, READ_WITHOUT_BLOCKING);
  try {
    const buffer = Buffer.allocUnsafe(maxBytes);
    return Buffer.from(buffer.subarray(0, readSync(fd, buffer, 0, maxBytes, 0)));
  } finally {
    closeSync(fd);
  }
}

/** Bytes `[from, to)` of a regular file. Throws system errors. */
export function readRange(path: string, from: number, to: number): Buffer {
  const fd = openSync(path, READ_WITHOUT_BLOCKING);
  try {
    return readUpTo(fd, from, to - from);
  } finally {
    closeSync(fd);
  }
}

/** How much of a folder is looked at. */
interface FolderLimits {
  entries: number;
  depth: number;
  fileBytes: number;
}

/**
 * Every file below `folder` by its path relative to it (`/` between segments), links to folders followed once each.
 * What cannot be read, and what is above the limits, is said to `gap`; a folder that was not listed whole is itself an
 * entry then, `unreadable` (its name is '' for the first one). Paths in `skip` (absolute) are left out.
 */
export function readFolder(
  folder: string,
  limits: FolderLimits,
  gap: (sentence: string) => void,
  skip: (path: string) => boolean = () => false,
): Map<string, Fingerprint> {
  const found = new Map<string, Fingerprint>();
  const visited = new Set<string>();
  let full = false;

  const visit = (path: string, prefix: string, depth: number): void => {
    let names: string[];
    try {
      const real = realpathSync(path);
      if (visited.has(real)) return;
      visited.add(real);
      names = readdirSync(path).sort();
    } catch (error) {
      found.set(prefix.slice(0, -1), { kind: 'unreadable', code: systemCode(error) ?? messageOf(error) });
      gap(`cannot list ${path}: ${systemCode(error) ?? messageOf(error)}`);
      return;
    }
    for (const name of names) {
      if (found.size >= limits.entries) full = true;
      if (full) return;
      const child = join(path, name);
      if (skip(child)) continue;
      const file = readPlainFile(child, limits.fileBytes);
      if (file.kind === 'unreadable') gap(`cannot read ${child}: ${file.code}`);
      if (file.kind !== 'folder' || file.link !== null) found.set(prefix + name, fingerprint(file));
      if (file.kind !== 'folder') continue;
      if (depth >= limits.depth) full = true;
      else visit(child, `${prefix}${name}/`, depth + 1);
    }
  };
  visit(folder, '', 1);
  if (full) {
    found.set('', { kind: 'unreadable', code: 'too much' });
    gap(
      `${folder} has more than ${limits.entries} entries or ${limits.depth} levels: the rest was not looked at`,
    );
  }
  return found;
}

export function fingerprint(file: PlainFile): Fingerprint {
  if (file.kind !== 'file') return file;
  const { bytes: _, ...rest } = file;
  return rest;
}

/** What happened to a file, as the end of a sentence that begins with its name; null where nothing did. */
export function describeChange(before: Fingerprint, after: Fingerprint): string | null {
  // What could not be read is a gap, said where it was read.
  if (before.kind === 'unreadable' || after.kind === 'unreadable') return null;
  if (before.kind === 'absent') return after.kind === 'absent' ? null : `was added${linked(after.link)}`;
  if (after.kind === 'absent') return 'was removed';
  if (before.link !== after.link) {
    if (after.link === null) return 'was a link and is now a file of its own';
    return before.link === null
      ? `became a link to ${after.link}`
      : `was a link to ${before.link} and is now one to ${after.link}`;
  }
  if (before.kind !== after.kind) return `was a ${before.kind} and is now a ${after.kind}`;
  if (before.kind !== 'file' || after.kind !== 'file') return null;
  if (before.digest !== after.digest) return `was edited (${before.size} bytes before, ${after.size} now)`;
  if (before.executable !== after.executable)
    return after.executable ? 'was made executable' : 'is no longer executable';
  return null;
}

function linked(link: string | null): string {
  return link === null ? '' : `, a link to ${link}`;
}

function readRegular(path: string, link: string | null, maxBytes: number): PlainFile {
  const fd = openSync(path, READ_WITHOUT_BLOCKING);
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) return { kind: 'special', link };
    const size = Number(stat.size);
    const mode = Number(stat.mode) & 0o7777;
    const bytes = size > maxBytes ? null : readUpTo(fd, 0, maxBytes);
    const digest = bytes
      ? createHash('sha256').update(bytes).digest('hex')
      : `stat ${size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
    return {
      kind: 'file',
      executable: (mode & 0o111) !== 0,
      mode,
      size: bytes?.length ?? size,
      digest,
      link,
      bytes,
    };
  } finally {
    closeSync(fd);
  }
}

/** A file may grow or shrink while it is read: what counts is what the reads give. */
function readUpTo(fd: number, from: number, count: number): Buffer {
  const size = Math.max(0, Math.min(count, fstatSync(fd).size - from));
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(fd, buffer, filled, size - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
