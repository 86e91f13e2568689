import type { RawPath } from '../git/raw-path.ts';

/** What a tree, or an index, has at a path: git's mode as six octal digits, and the object. */
export interface Entry {
  mode: string;
  oid: string;
}

/** Everything that a tree or an index holds, by path. */
export type Listing = ReadonlyMap<RawPath, Entry>;

/** What became of one path between two trees; null stands for absent. Renames are a deletion and an addition. */
export interface PathChange {
  path: RawPath;
  from: Entry | null;
  to: Entry | null;
}

/** What a change does to a third state of its path. */
export type Decision =
  | { do: 'keep' }
  | { do: 'set'; entry: Entry | null }
  | { do: 'merge'; base: string; ours: string; theirs: string; mode: string }
  | { do: 'conflict'; kind: ConflictKind };

/**
 * `content`: both sides changed the same lines, or the file is binary. `uncommitted`: the run edited a file that is
 * not there on our side (untracked before the run, or deleted since). `both-added`, `edited-and-deleted`, `type`: as
 * they say. `folder`: a file would lie where a folder is, or the reverse.
 */
export type ConflictKind =
  | 'content'
  | 'uncommitted'
  | 'both-added'
  | 'edited-and-deleted'
  | 'type'
  | 'folder';

export interface Conflict {
  path: RawPath;
  kind: ConflictKind;
}

/**
 * Carries a change over to our side of the path, as `git read-tree -m --aggressive` does: by what each side did, and
 * never by where similar lines are. Contents that both sides changed are left to a line merge.
 */
export function decide({ from, to }: PathChange, ours: Entry | null): Decision {
  if (sameEntry(ours, to)) return { do: 'keep' };
  if (sameEntry(ours, from)) return { do: 'set', entry: to };
  if (ours === null) return { do: 'conflict', kind: 'uncommitted' };
  if (from === null) return { do: 'conflict', kind: 'both-added' };
  if (to === null) return { do: 'conflict', kind: 'edited-and-deleted' };
  if (![from, to, ours].every(isFile)) return { do: 'conflict', kind: 'type' };
  const mode = from.mode === ours.mode ? to.mode : ours.mode;
  if (from.oid === ours.oid || to.oid === ours.oid) return { do: 'set', entry: { mode, oid: to.oid } };
  if (from.oid === to.oid) return { do: 'set', entry: { mode, oid: ours.oid } };
  return { do: 'merge', base: from.oid, ours: ours.oid, theirs: to.oid, mode };
}

/** Paths that would be a file and a folder at once, were `edits` made to `listing`. */
export function folderConflicts(listing: Listing, edits: ReadonlyMap<RawPath, Entry | null>): Conflict[] {
  const added = [...edits]
    .filter(([path, entry]) => entry !== null && !listing.has(path))
    .map(([path]) => path);
  if (added.length === 0) return [];
  const files = new Set([...listing.keys(), ...edits.keys()].filter((path) => edits.get(path) !== null));
  const folders = new Set<RawPath>();
  for (const path of files) for (const folder of foldersOf(path)) folders.add(folder);
  return added
    .filter((path) => folders.has(path) || foldersOf(path).some((folder) => files.has(folder)))
    .map((path) => ({ path, kind: 'folder' }));
}

/** Whether a path is one of those that were named, or lies below one of them. */
export function isNamed(path: RawPath, names: readonly RawPath[]): boolean {
  return names.some((name) => name === '' || path === name || path.startsWith(`${name}/`));
}

export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.oid === b.oid;
}

function isFile({ mode }: Entry): boolean {
  return mode === '100644' || mode === '100755';
}

function foldersOf(path: RawPath): RawPath[] {
  const folders: RawPath[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    folders.push(path.slice(0, slash));
  return folders;
}
