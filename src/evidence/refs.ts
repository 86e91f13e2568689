import { existsSync, readdirSync, readlinkSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';
import { readRange, readSmallFile } from './plain-file.ts';

/** All refs of a repository. Those in `packed-refs` stay one buffer: it is parsed only when something differs. */
export interface RefsState {
  /** Loose refs, full name to value: an object id, or `ref: <name>`. They win over packed ones. */
  loose: ReadonlyMap<string, string>;
  /** The bytes of `packed-refs`; empty where there is none. */
  packed: Buffer;
  /** False where something could not be read: a ref that is missing may be there. */
  complete: boolean;
}

/** Where HEAD points: the ref it names (null when detached) and the commit behind it (null on an unborn branch). */
export interface Head {
  symbolic: string | null;
  commit: string | null;
}

export interface RefChange {
  name: string;
  before: string | null;
  after: string | null;
}

/** Refs that every working tree has for itself; the others are shared. */
const PER_WORKTREE = ['refs/bisect', 'refs/worktree', 'refs/rewritten'];
const MAX_REFS = 500_000;
const MAX_PACKED_BYTES = 256 * 1024 * 1024;

/** A reftable repository keeps no ref in a file of its own: only git can read it. */
export function usesReftable(commonDir: string): boolean {
  return existsSync(join(commonDir, 'reftable', 'tables.list'));
}

/** Reads all refs as plain files. What cannot be read is said to `gap`. */
export function readRefs(gitDir: string, commonDir: string, gap: (sentence: string) => void): RefsState {
  const loose = new Map<string, string>();
  let complete = true;
  const missing = (sentence: string): void => {
    complete = false;
    gap(sentence);
  };
  const linked = gitDir !== commonDir;
  readLoose(commonDir, 'refs', linked ? PER_WORKTREE : [], loose, missing);
  if (linked) for (const folder of PER_WORKTREE) readLoose(gitDir, folder, [], loose, missing);

  let packed: Buffer = Buffer.alloc(0);
  try {
    packed = readRange(join(commonDir, 'packed-refs'), 0, MAX_PACKED_BYTES);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT')
      missing(`cannot read packed-refs: ${systemCode(error) ?? messageOf(error)}`);
  }
  return { loose, packed, complete };
}

/** Reads HEAD and resolves it among `refs`. Null, with a gap, where it cannot be read. */
export function readHead(gitDir: string, refs: RefsState, gap: (sentence: string) => void): Head | null {
  try {
    const text = readSmallFile(join(gitDir, 'HEAD'), 4096).toString('utf8').trim();
    const symbolic = symbolicTarget(text);
    return symbolic === null ? { symbolic, commit: text } : { symbolic, commit: resolveRef(refs, symbolic) };
  } catch (error) {
    gap(`cannot read HEAD: ${systemCode(error) ?? messageOf(error)}`);
    return null;
  }
}

/** The object id behind a ref, through symbolic refs; null where there is none. */
function resolveRef(refs: RefsState, name: string): string | null {
  let current = name;
  for (let hops = 0; hops < 5; hops += 1) {
    const value = refs.loose.get(current) ?? findPacked(refs.packed, current);
    const target = value === null ? null : symbolicTarget(value);
    if (target === null) return value;
    current = target;
  }
  return null;
}

/** Refs whose value differs, in the order of their names. Packing refs, or unpacking them, changes none. */
export function refChanges(before: RefsState, after: RefsState): RefChange[] {
  if (before.packed.equals(after.packed) && sameEntries(before.loose, after.loose)) return [];
  const old = allRefs(before);
  const now = allRefs(after);
  const changes: RefChange[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [value, current] = [old.get(name), now.get(name)];
    if (value === current) continue;
    const unknown = (value === undefined && !before.complete) || (current === undefined && !after.complete);
    if (!unknown) changes.push({ name, before: value ?? null, after: current ?? null });
  }
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every ref with its effective value. */
export function allRefs(refs: RefsState): Map<string, string> {
  const all = new Map<string, string>();
  for (const line of refs.packed.toString('utf8').split('\n')) {
    // `#` heads the file, `^` tells what the annotated tag above it points to.
    const space = line.indexOf(' ');
    if (space > 0 && line[0] !== '#' && line[0] !== '^')
      all.set(line.slice(space + 1).trimEnd(), line.slice(0, space));
  }
  for (const [name, value] of refs.loose) all.set(name, value);
  return all;
}

function readLoose(
  base: string,
  folder: string,
  skip: readonly string[],
  into: Map<string, string>,
  gap: (sentence: string) => void,
): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(base, folder), { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) !== 'ENOENT')
      gap(`cannot list ${folder}: ${systemCode(error) ?? messageOf(error)}`);
    return;
  }
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skip.includes(name)) readLoose(base, name, skip, into, gap);
      continue;
    }
    // A lock is a ref that is being written, or the leftover of a crash.
    if (entry.name.endsWith('.lock')) continue;
    if (into.size >= MAX_REFS) {
      gap(`more than ${MAX_REFS} loose refs: the rest was not looked at`);
      return;
    }
    try {
      into.set(name, looseValue(join(base, name), entry));
    } catch (error) {
      gap(`cannot read ${name}: ${systemCode(error) ?? messageOf(error)}`);
    }
  }
}

function looseValue(path: string, entry: Dirent): string {
  if (entry.isSymbolicLink() && statSync(path).isDirectory()) {
    // Git would look for refs behind it; we only see where it points.
    return `a link to ${readlinkSync(path)}`;
  }
  if (!entry.isFile() && !entry.isSymbolicLink()) return 'not a file';
  const text = readSmallFile(path, 1024).toString('utf8');
  return text.startsWith('ref:') ? text.trim() : (text.split(/\s/, 1)[0] ?? '');
}

/** One name in the bytes of `packed-refs`, without parsing the rest: repositories with 20,000 refs exist. */
function findPacked(packed: Buffer, name: string): string | null {
  const at = packed.indexOf(` ${name}\n`);
  if (at < 0) return null;
  const start = packed.lastIndexOf(0x0a, at) + 1;
  return packed.toString('latin1', start, at);
}

function symbolicTarget(value: string): string | null {
  return value.startsWith('ref:') ? value.slice(4).trim() : null;
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}
