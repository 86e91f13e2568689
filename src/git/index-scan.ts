import { createHash } from 'node:crypto';
import { type RawPath, rawPath } from './raw-path.ts';

/** One entry while it is passed by: nothing is decoded before it is asked for, as there may be 100,000 of them. */
export interface IndexCursor {
  /** Where the entry begins: ten 32-bit words of stat data, then the object id. */
  readonly start: number;
  readonly mode: number;
  /** When the file was last changed in any way, in seconds since the epoch. */
  readonly ctime: number;
  readonly assumeUnchanged: boolean;
  readonly skipWorktree: boolean;
  readonly flagsAt: number;
  /** 0 where there are no extended flags. */
  readonly extendedAt: number;
  path(): RawPath;
  /** The folder that holds it; the top is ''. */
  folder(): RawPath;
}

/** An entry that git would not look at on disk, and where its bits stand in the index file. */
export interface HiddenEntry {
  path: RawPath;
  flagsAt: number;
  extendedAt: number;
}

/** What a snapshot has to know of an index. */
export interface IndexScan {
  hidden: HiddenEntry[];
  /** Submodules: entries that name a commit. */
  gitlinks: RawPath[];
  /** Every folder that directly holds an entry; the top is ''. */
  folders: Set<RawPath>;
  /** The tree that these entries make, where git had it noted; it saves a `write-tree`. */
  tree: string | null;
  /** The latest ctime of all entries, in seconds. */
  newest: number;
  /** Entries are in a second file: only git can put them together. */
  split: boolean;
}

const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const NAME_LENGTH = 0x0fff;
const GITLINK = 0o160000;
/** A sparse index has whole folders as entries; git looks into them by itself where they are on disk. */
const FOLDER = 0o040000;
const SLASH = 0x2f;
const STAT_BYTES = 40;
const MODE_AT = 24;
const SIZE_AT = 36;

/** Reads index versions 2 to 4. Throws an Error for bytes that are none. */
export function scanIndex(bytes: Buffer, objectFormat: 'sha1' | 'sha256'): IndexScan {
  const scan: IndexScan = {
    hidden: [],
    gitlinks: [],
    folders: new Set(),
    tree: null,
    newest: 0,
    split: false,
  };
  let last: RawPath | null = null;
  const end = passEntries(bytes, objectFormat, (entry) => {
    const folder = entry.folder();
    if (folder !== last) scan.folders.add((last = folder));
    if (entry.ctime > scan.newest) scan.newest = entry.ctime;
    if (entry.mode === GITLINK) scan.gitlinks.push(entry.path());
    else if ((entry.assumeUnchanged || entry.skipWorktree) && entry.mode !== FOLDER) {
      scan.hidden.push({ path: entry.path(), flagsAt: entry.flagsAt, extendedAt: entry.extendedAt });
    }
  });
  for (const { name, content } of extensions(bytes, end, objectFormat)) {
    if (name === 'link') scan.split = true;
    if (name === 'TREE') scan.tree = rootTree(content, oidBytesOf(objectFormat));
  }
  return scan;
}

/** Takes both bits off these entries, in place, and signs the file again. */
export function showEntries(
  bytes: Buffer,
  entries: readonly HiddenEntry[],
  objectFormat: 'sha1' | 'sha256',
): void {
  for (const { flagsAt, extendedAt } of entries) {
    bytes.writeUInt16BE(bytes.readUInt16BE(flagsAt) & ~ASSUME_UNCHANGED, flagsAt);
    if (extendedAt) bytes.writeUInt16BE(bytes.readUInt16BE(extendedAt) & ~SKIP_WORKTREE, extendedAt);
  }
  sign(bytes, objectFormat);
}

/**
 * Forgets the size of every entry that changed at `since` (seconds) or later, in place, as git itself does where it
 * cannot trust a time: it then reads these files again. Git keeps whole seconds, so a file that is written twice within
 * one and has its mtime put back would look untouched. Returns whether there was any.
 */
export function distrustEntries(bytes: Buffer, objectFormat: 'sha1' | 'sha256', since: number): boolean {
  let any = false;
  passEntries(bytes, objectFormat, ({ start, ctime }) => {
    if (ctime < since) return;
    bytes.writeUInt32BE(0, start + SIZE_AT);
    any = true;
  });
  if (any) sign(bytes, objectFormat);
  return any;
}

function sign(bytes: Buffer, objectFormat: 'sha1' | 'sha256'): void {
  const end = bytes.length - oidBytesOf(objectFormat);
  createHash(objectFormat).update(bytes.subarray(0, end)).digest().copy(bytes, end);
}

/** Visits every entry with one cursor object, which moves; returns where the extensions begin. */
export function passEntries(
  bytes: Buffer,
  objectFormat: 'sha1' | 'sha256',
  visit: (entry: IndexCursor) => void,
): number {
  if (bytes.length === 0) return 0;
  const version = bytes.length > 12 && bytes.toString('latin1', 0, 4) === 'DIRC' ? bytes.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) throw new Error('not an index file of a version that is known (2 to 4)');
  const cursor =
    version === 4
      ? new CompressedCursor(bytes, oidBytesOf(objectFormat))
      : new PlainCursor(bytes, oidBytesOf(objectFormat));
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    cursor.advance();
    visit(cursor);
  }
  return cursor.next;
}

/** Versions 2 and 3: whole names, each entry filled up to a multiple of eight bytes. */
class PlainCursor implements IndexCursor {
  start = 0;
  flagsAt = 0;
  extendedAt = 0;
  /** Where the entry after this one begins. */
  next = 12;
  protected nameAt = 0;
  protected nul = 0;
  private flags = 0;
  protected readonly bytes: Buffer;
  private readonly oidBytes: number;

  constructor(bytes: Buffer, oidBytes: number) {
    this.bytes = bytes;
    this.oidBytes = oidBytes;
  }

  advance(): void {
    this.start = this.next;
    this.flagsAt = this.start + STAT_BYTES + this.oidBytes;
    this.flags = this.bytes.readUInt16BE(this.flagsAt);
    this.extendedAt = (this.flags & EXTENDED) === 0 ? 0 : this.flagsAt + 2;
    this.nameAt = this.flagsAt + (this.extendedAt === 0 ? 2 : 4);
    this.readName(this.flags & NAME_LENGTH);
  }

  protected readName(length: number): void {
    this.nul = length < NAME_LENGTH ? this.nameAt + length : this.findNul(this.nameAt);
    this.next = this.start + ((this.nul - this.start + 8) & ~7);
  }

  protected findNul(from: number): number {
    const nul = this.bytes.indexOf(0, from);
    if (nul < 0) throw new Error('the index file is cut off');
    return nul;
  }

  get mode(): number {
    return this.bytes.readUInt32BE(this.start + MODE_AT);
  }

  get ctime(): number {
    return this.bytes.readUInt32BE(this.start);
  }

  get assumeUnchanged(): boolean {
    return (this.flags & ASSUME_UNCHANGED) !== 0;
  }

  get skipWorktree(): boolean {
    return this.extendedAt !== 0 && (this.bytes.readUInt16BE(this.extendedAt) & SKIP_WORKTREE) !== 0;
  }

  path(): RawPath {
    return this.bytes.toString('latin1', this.nameAt, this.nul);
  }

  folder(): RawPath {
    let slash = this.nul - 1;
    while (slash > this.nameAt && this.bytes[slash] !== SLASH) slash -= 1;
    return slash <= this.nameAt ? '' : this.bytes.toString('latin1', this.nameAt, slash);
  }
}

/** Version 4: each name says how much to drop from the end of the one before it, and what to add. */
class CompressedCursor extends PlainCursor {
  private name: RawPath = '';

  protected override readName(): void {
    const [drop, from] = readVarint(this.bytes, this.nameAt);
    const nul = this.findNul(from);
    this.name = this.name.slice(0, this.name.length - drop) + rawPath(this.bytes.subarray(from, nul));
    this.next = nul + 1;
  }

  override path(): RawPath {
    return this.name;
  }

  override folder(): RawPath {
    return this.name.slice(0, Math.max(0, this.name.lastIndexOf('/')));
  }
}

function* extensions(
  bytes: Buffer,
  from: number,
  objectFormat: 'sha1' | 'sha256',
): Generator<{ name: string; content: Buffer }> {
  const end = bytes.length - oidBytesOf(objectFormat);
  for (let at = from; at + 8 <= end; ) {
    const contentAt = at + 8;
    const contentEnd = contentAt + bytes.readUInt32BE(at + 4);
    yield { name: bytes.toString('latin1', at, at + 4), content: bytes.subarray(contentAt, contentEnd) };
    at = contentEnd;
  }
}

/** The first record is the top: an empty name, `<entries> <subtrees>\n`, the id. Fewer than no entries means not valid. */
function rootTree(extension: Buffer, oidBytes: number): string | null {
  const lineEnd = extension.indexOf(0x0a);
  if (extension[0] !== 0 || lineEnd < 0 || extension[1] === 0x2d) return null;
  return extension.toString('hex', lineEnd + 1, lineEnd + 1 + oidBytes);
}

function oidBytesOf(objectFormat: 'sha1' | 'sha256'): number {
  return objectFormat === 'sha1' ? 20 : 32;
}

/** Git's offset encoding: seven bits a byte, each continuation adding one. */
function readVarint(bytes: Buffer, from: number): [value: number, next: number] {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, at];
}
