import { statSync } from 'node:fs';
import { messageOf, systemCode } from '../core/errors.ts';
import { readRange } from './plain-file.ts';

/**
 * The end of a reflog, and marks that tell whether the file was touched at all. A commit that was undone by a soft
 * reset, or a stash that was dropped, leaves no other trace than here.
 */
export interface ReflogState {
  /** 0 where there is none. */
  size: number;
  /** `<inode> <mtime in ns>`: a rewritten file differs here though its content may be the same again. */
  stamp: string;
  /** Its last 64 KiB at most. */
  tail: Buffer;
}

export interface ReflogEntry {
  /** Object ids. */
  from: string;
  to: string;
  /** Such as `commit: subject` or `reset: moving to HEAD~1`. */
  message: string;
}

interface ReflogDifference {
  /** Newest last. Where more than 64 KiB came, the newest of them. */
  added: ReflogEntry[];
  /** Entries that are gone, though a log only grows by itself; newest last. */
  lost: ReflogEntry[];
  /** Written, without an entry more or less to show for it (or only the oldest expired). */
  rewritten: boolean;
}

const TAIL_BYTES = 64 * 1024;
const NO_DIFFERENCE: ReflogDifference = { added: [], lost: [], rewritten: false };

/** Reads the end of a reflog; null, with a gap, where it cannot be read. */
export function readReflog(path: string, name: string, gap: (sentence: string) => void): ReflogState | null {
  try {
    const stat = statSync(path, { bigint: true });
    if (!stat.isFile()) throw new Error('not a file');
    const size = Number(stat.size);
    const tail = readRange(path, Math.max(0, size - TAIL_BYTES), size);
    return { size, stamp: `${stat.ino} ${stat.mtimeNs}`, tail };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { size: 0, stamp: '', tail: Buffer.alloc(0) };
    gap(`cannot read the reflog of ${name}: ${systemCode(error) ?? messageOf(error)}`);
    return null;
  }
}

/** `expires`: git drops the oldest entries by itself (`git gc`), as it does for HEAD and not for the stash. */
export function compareReflogs(before: ReflogState, after: ReflogState, expires: boolean): ReflogDifference {
  if (before.size === after.size && before.stamp === after.stamp) return NO_DIFFERENCE;
  const appended = appendedBytes(before, after);
  if (appended) {
    const added = parseReflog(appended);
    return { added, lost: [], rewritten: added.length === 0 };
  }
  return compareEntries(before, after, expires);
}

/** The entries of whole lines; others are skipped. */
export function parseReflog(bytes: Buffer): ReflogEntry[] {
  const entries: ReflogEntry[] = [];
  for (const line of bytes.toString('utf8').split('\n')) {
    const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line);
    if (match) entries.push({ from: match[1] ?? '', to: match[2] ?? '', message: match[3] ?? '' });
  }
  return entries;
}

/** What was written behind the old end; null where the old end is not there any more, or lies before our window. */
function appendedBytes(before: ReflogState, after: ReflogState): Buffer | null {
  const end = before.size - (after.size - after.tail.length);
  if (after.size < before.size || end < 0) return null;
  const shared = Math.min(end, before.tail.length);
  const same = before.tail
    .subarray(before.tail.length - shared)
    .equals(after.tail.subarray(end - shared, end));
  return same ? after.tail.subarray(end) : null;
}

/** The log was rewritten (an entry dropped, old ones expired) or grew beyond the window. */
function compareEntries(before: ReflogState, after: ReflogState, expires: boolean): ReflogDifference {
  const old = wholeEntries(before);
  const now = wholeEntries(after);
  const added = without(now, old);
  let lost = without(old, now);
  // What is missing at the old end alone has expired, or left the window because the log grew.
  const kept = old.findIndex((entry) => !lost.includes(entry));
  const windowed = before.size > before.tail.length || after.size > after.tail.length;
  if ((expires || windowed) && (kept === lost.length || (kept < 0 && after.size > before.size))) lost = [];
  return { added, lost, rewritten: added.length === 0 && lost.length === 0 };
}

/** The entries that the others have not; each of the others stands for one. */
function without(entries: readonly ReflogEntry[], others: readonly ReflogEntry[]): ReflogEntry[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return entries.filter((entry) => {
    const left = counts.get(keyOf(entry)) ?? 0;
    counts.set(keyOf(entry), left - 1);
    return left <= 0;
  });
}

/** Dropping an entry rewrites `from` of the next one, so an entry is known by what it leads to and says. */
function keyOf(entry: ReflogEntry): string {
  return `${entry.to} ${entry.message}`;
}

function wholeEntries(state: ReflogState): ReflogEntry[] {
  const cut = state.size > state.tail.length ? state.tail.indexOf(0x0a) + 1 : 0;
  return parseReflog(state.tail.subarray(cut));
}
