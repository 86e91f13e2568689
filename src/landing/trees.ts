import { BatonError } from '../core/errors.ts';
import { parseIndexListing } from '../evidence/index-entries.ts';
import type { GitCall } from '../git/private-git.ts';
import { parseRawDiff } from '../git/raw-diff.ts';
import { pathList, rawPath, type RawPath } from '../git/raw-path.ts';
import { firstLine, type GitOutput } from '../git/trusted.ts';
import type { Entry, Listing, PathChange } from './plan.ts';

/** An index entry, with what a person may have told git about it. */
export interface IndexedEntry extends Entry {
  intentToAdd: boolean;
  skipWorktree: boolean;
  assumeUnchanged: boolean;
}

const ABSENT = '000000';

/** What differs between two trees, path by path. */
export async function changesBetween(git: GitCall, from: string, to: string): Promise<PathChange[]> {
  if (from === to) return [];
  const diff = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to];
  const { stdout } = await succeed(git(diff), 'diff-tree');
  return parseRawDiff(stdout).differences.map(({ path, oldMode, oldOid, newMode, newOid }) => ({
    path,
    from: oldMode === ABSENT ? null : { mode: oldMode, oid: oldOid },
    to: newMode === ABSENT ? null : { mode: newMode, oid: newOid },
  }));
}

export async function listTree(git: GitCall, tree: string): Promise<Listing> {
  const { stdout } = await succeed(git(['ls-tree', '-r', '-z', '--full-tree', tree]), 'ls-tree');
  const listing = new Map<RawPath, Entry>();
  for (const record of rawPath(stdout).split('\0')) {
    const tab = record.indexOf('\t');
    const [mode = '', , oid = ''] = record.slice(0, tab).split(' ');
    if (tab > 0) listing.set(record.slice(tab + 1), { mode, oid });
  }
  return listing;
}

/** Throws where a path is unmerged: nothing can be said of the index then. */
export async function listIndex(git: GitCall, index: string): Promise<Map<RawPath, IndexedEntry>> {
  const { stdout } = await succeed(git(['ls-files', '--stage', '--debug', '-z'], { index }), 'ls-files');
  const listing = new Map<RawPath, IndexedEntry>();
  for (const { key, mode, ...entry } of parseIndexListing(stdout).values()) {
    if (!key.startsWith('0 ')) {
      throw new BatonError('unmerged', 'the index has unmerged paths', {
        hint: 'resolve the conflict first: git status',
      });
    }
    listing.set(key.slice(2), { ...entry, mode: mode.toString(8).padStart(6, '0') });
  }
  return listing;
}

/** Sets entries of an index file, or with null removes them. Deletions first: a folder may take a file's place. */
export async function editIndex(
  git: GitCall,
  index: string,
  edits: ReadonlyMap<RawPath, Entry | null>,
): Promise<void> {
  const removed: RawPath[] = [];
  const lines: string[] = [];
  for (const [path, entry] of edits) {
    if (entry) lines.push(`${entry.mode} ${entry.oid} 0\t${path}\0`);
    else removed.push(path);
  }
  if (removed.length > 0) {
    const remove = git(['update-index', '-z', '--force-remove', '--stdin'], {
      index,
      input: pathList(removed),
    });
    await succeed(remove, 'update-index');
  }
  if (lines.length > 0) {
    const input = Buffer.from(lines.join(''), 'latin1');
    await succeed(git(['update-index', '-z', '--index-info'], { index, input }), 'update-index');
  }
}

/** The tree with `edits`, made with the index file `index`, which then holds that tree. */
export async function editTree(
  git: GitCall,
  index: string,
  tree: string,
  edits: ReadonlyMap<RawPath, Entry | null>,
): Promise<string> {
  await succeed(git(['read-tree', tree], { index }), 'read-tree');
  await editIndex(git, index, edits);
  return writeTree(git, index);
}

export async function writeTree(git: GitCall, index: string): Promise<string> {
  return oneLine(await succeed(git(['write-tree', '--missing-ok'], { index }), 'write-tree'));
}

/** Waits for an answer of git, which must be a good one. */
export async function succeed(call: Promise<GitOutput>, what: string): Promise<GitOutput> {
  const answer = await call;
  if (answer.code !== 0) throw new BatonError('git', `git ${what} failed: ${firstLine(answer.stderr)}`);
  return answer;
}

export function oneLine({ stdout }: GitOutput): string {
  return stdout.toString('utf8').trim();
}
