/**
 * The entries of git's index file, read without git. Only what a person staged counts (path, mode, blob, stage and
 * flags); stat data and extensions are caches that any `git status` may rewrite.
 */
interface IndexEntry {
  /** `<stage> <path>`, the path as latin1 so that bytes which are no UTF-8 stay apart. */
  key: string;
  mode: number;
  oid: string;
  assumeUnchanged: boolean;
  skipWorktree: boolean;
  intentToAdd: boolean;
}

export type IndexEntries = ReadonlyMap<string, IndexEntry>;

const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
/** ctime, mtime, dev, ino, mode, uid, gid, size: ten 32-bit words before the object id. */
const STAT_BYTES = 40;
const MODE_OFFSET = 24;

/**
 * Whether two index files hold the same entries apart from stat data: what `git status` leaves when it refreshed them.
 * Much cheaper than parsing both. False where it cannot tell.
 */
export function differOnlyInStats(a: Buffer, b: Buffer, objectFormat: 'sha1' | 'sha256'): boolean {
  try {
    const form = readHeader(a, objectFormat);
    if (!a.subarray(0, 12).equals(b.subarray(0, 12))) return false;
    let offset = 12;
    for (let left = form.count; left > 0; left -= 1) {
      const { nul, next } = layoutAt(a, offset, form);
      const rest = offset + STAT_BYTES;
      if (a.readUInt32BE(offset + MODE_OFFSET) !== b.readUInt32BE(offset + MODE_OFFSET)) return false;
      if (nul + 1 > b.length || a.compare(b, rest, nul + 1, rest, nul + 1) !== 0) return false;
      offset = next;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses index versions 2, 3 and 4. Throws an Error that says why for anything else: a split index (its entries are
 * in a second file), a sparse one (folders stand for their files), or bytes that are no index.
 */
export function parseIndex(bytes: Buffer, objectFormat: 'sha1' | 'sha256'): IndexEntries {
  const entries = new Map<string, IndexEntry>();
  if (bytes.length === 0) return entries;
  const form = readHeader(bytes, objectFormat);
  let offset = 12;
  let path = '';
  for (let left = form.count; left > 0; left -= 1) {
    const { flags, extended, cut, name, nul, next } = layoutAt(bytes, offset, form);
    path = (form.version === 4 ? path.slice(0, path.length - cut) : '') + bytes.toString('latin1', name, nul);
    const mode = bytes.readUInt32BE(offset + MODE_OFFSET);
    if (mode === 0o040000) throw new Error('a sparse index');
    const key = `${(flags >> 12) & 3} ${path}`;
    entries.set(key, {
      key,
      mode,
      oid: bytes.toString('hex', offset + STAT_BYTES, offset + STAT_BYTES + form.oidBytes),
      assumeUnchanged: (flags & ASSUME_UNCHANGED) !== 0,
      skipWorktree: (extended & SKIP_WORKTREE) !== 0,
      intentToAdd: (extended & INTENT_TO_ADD) !== 0,
    });
    offset = next;
  }
  if (hasSplitExtension(bytes, offset, form.end)) throw new Error('a split index');
  return entries;
}

/** The same from `git ls-files --stage --debug -z`, for an index that only git can read. */
export function parseIndexListing(listing: Buffer): IndexEntries {
  const entries = new Map<string, IndexEntry>();
  const form =
    /(\d{6}) ([0-9a-f]+) (\d)\t([^\0]*)\0(?: {2}[a-z]+: [^\n]*\n){4} {2}size: \d+\tflags: ([0-9a-f]+)\n/y;
  const text = listing.toString('latin1');
  while (form.lastIndex < text.length) {
    const match = form.exec(text);
    if (!match) throw new Error('git listed the index in a form that is not known');
    const [, mode = '', oid = '', stage = '', path = '', flagsHex = ''] = match;
    // In memory git keeps the extended flags in the upper sixteen bits.
    const flags = Number.parseInt(flagsHex, 16);
    const extended = flags >>> 16;
    const key = `${stage} ${path}`;
    entries.set(key, {
      key,
      mode: Number.parseInt(mode, 8),
      oid,
      assumeUnchanged: (flags & ASSUME_UNCHANGED) !== 0,
      skipWorktree: (extended & SKIP_WORKTREE) !== 0,
      intentToAdd: (extended & INTENT_TO_ADD) !== 0,
    });
  }
  return entries;
}

/** Each difference as a phrase that begins with the path, such as `a.txt was staged`. */
export function describeIndexChanges(before: IndexEntries, after: IndexEntries): string[] {
  const phrases: string[] = [];
  for (const [key, old] of before) {
    const now = after.get(key);
    if (!now) phrases.push(`${pathOf(key)} was removed`);
    else phrases.push(...describeEntry(pathOf(key), old, now));
  }
  for (const [key, now] of after) {
    if (before.has(key)) continue;
    phrases.push(
      now.intentToAdd
        ? `${pathOf(key)} was marked as intent-to-add`
        : `${pathOf(key)} was added (${now.oid.slice(0, 7)})`,
    );
  }
  return phrases;
}

function describeEntry(path: string, old: IndexEntry, now: IndexEntry): string[] {
  const phrases: string[] = [];
  if (old.oid !== now.oid)
    phrases.push(`${path} was staged (${old.oid.slice(0, 7)} to ${now.oid.slice(0, 7)})`);
  else if (old.intentToAdd && !now.intentToAdd) phrases.push(`${path} was staged (intent-to-add before)`);
  if (old.mode !== now.mode)
    phrases.push(`${path} changed its mode (${old.mode.toString(8)} to ${now.mode.toString(8)})`);
  if (old.skipWorktree !== now.skipWorktree)
    phrases.push(`${path} ${now.skipWorktree ? 'was marked' : 'is no longer marked'} as skip-worktree`);
  if (old.assumeUnchanged !== now.assumeUnchanged) {
    phrases.push(`${path} ${now.assumeUnchanged ? 'was marked' : 'is no longer marked'} as assume-unchanged`);
  }
  return phrases;
}

function pathOf(key: string): string {
  const path = Buffer.from(key.slice(2), 'latin1').toString('utf8');
  return key.startsWith('0') ? path : `${path} (conflict stage ${key[0]})`;
}

interface IndexForm {
  version: number;
  count: number;
  oidBytes: number;
  /** Where the checksum begins. */
  end: number;
}

function readHeader(bytes: Buffer, objectFormat: 'sha1' | 'sha256'): IndexForm {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || bytes.length < 12) throw new Error('not an index file');
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new Error(`unknown index version ${version}`);
  const oidBytes = objectFormat === 'sha1' ? 20 : 32;
  return { version, count: bytes.readUInt32BE(8), oidBytes, end: bytes.length - oidBytes };
}

/** Where the parts of the entry at `start` are: its name from `name` to `nul`, the next entry at `next`. */
function layoutAt(bytes: Buffer, start: number, { version, oidBytes, end }: IndexForm) {
  let name = start + STAT_BYTES + oidBytes + 2;
  if (name > end) throw new Error('the index file is cut off');
  const flags = bytes.readUInt16BE(name - 2);
  let extended = 0;
  if (version > 2 && (flags & EXTENDED) !== 0) {
    extended = bytes.readUInt16BE(name);
    name += 2;
  }
  // Version 4 says how many bytes of the path before to cut, and gives what follows them.
  let cut = 0;
  if (version === 4) [cut, name] = readVarint(bytes, name);
  const nul = bytes.indexOf(0, name);
  if (nul < 0 || nul > end) throw new Error('the index file is cut off');
  // Versions 2 and 3 pad each entry with 1 to 8 NULs to a multiple of eight.
  const next = version === 4 ? nul + 1 : start + ((nul - start + 8) & ~7);
  return { flags, extended, cut, name, nul, next };
}

/** Git's offset encoding: seven bits a byte, each continuation adding one. */
function readVarint(bytes: Buffer, at: number): [value: number, next: number] {
  let offset = at;
  let byte = bytes.readUInt8(offset++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(offset++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, offset];
}

function hasSplitExtension(bytes: Buffer, from: number, end: number): boolean {
  for (let offset = from; offset + 8 <= end; offset += 8 + bytes.readUInt32BE(offset + 4)) {
    if (bytes.toString('latin1', offset, offset + 4) === 'link') return true;
  }
  return false;
}
