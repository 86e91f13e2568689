import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitCall } from '../git/private-git.ts';
import type { RawPath } from '../git/raw-path.ts';
import {
  type Conflict,
  decide,
  type Entry,
  folderConflicts,
  isNamed,
  type Listing,
  type PathChange,
  sameEntry,
} from './plan.ts';
import { oneLine, succeed } from './trees.ts';

/** What to change on our side, and where that cannot be told. */
export interface Carried {
  edits: Map<RawPath, Entry | null>;
  conflicts: Conflict[];
}

export interface CarryRequest {
  git: GitCall;
  /** A folder for three files at a time. */
  scratch: string;
  ours: Listing;
  /** One after the other: each is made upon what those before it gave. */
  segments: readonly (readonly PathChange[])[];
  /** Paths that become what the last change made of them, whatever is on our side. */
  takeWhole: readonly RawPath[];
}

/** Carries the changes over to our side. Nothing but objects is written; with a conflict, `edits` is not to be used. */
export async function carryOver(request: CarryRequest): Promise<Carried> {
  const { git, scratch, ours, segments, takeWhole } = request;
  const now = new Map<RawPath, Entry | null>();
  const conflicts = new Map<RawPath, Conflict>();
  for (const change of segments.flat()) {
    const { path } = change;
    const current = now.has(path) ? (now.get(path) ?? null) : (ours.get(path) ?? null);
    const decision = isNamed(path, takeWhole)
      ? ({ do: 'set', entry: change.to } as const)
      : decide(change, current);
    if (decision.do === 'set') now.set(path, decision.entry);
    if (decision.do === 'conflict') conflicts.set(path, { path, kind: decision.kind });
    if (decision.do === 'merge') {
      const oid = await mergeLines(git, scratch, decision);
      if (oid === null) conflicts.set(path, { path, kind: 'content' });
      else now.set(path, { mode: decision.mode, oid });
    }
  }
  const edits = new Map([...now].filter(([path, entry]) => !sameEntry(entry, ours.get(path) ?? null)));
  for (const conflict of folderConflicts(ours, edits)) conflicts.set(conflict.path, conflict);
  return { edits, conflicts: [...conflicts.values()] };
}

/** The blob of a three-way merge by lines; null where both sides changed the same ones, or for a binary file. */
async function mergeLines(
  git: GitCall,
  scratch: string,
  sides: { base: string; ours: string; theirs: string },
): Promise<string | null> {
  const files: string[] = [];
  for (const side of ['ours', 'base', 'theirs'] as const) {
    const { stdout } = await succeed(git(['cat-file', 'blob', sides[side]]), 'cat-file');
    const file = join(scratch, side);
    writeFileSync(file, stdout, { mode: 0o600 });
    files.push(file);
  }
  const merged = await git(['merge-file', '-p', '-q', ...files]);
  if (merged.code !== 0) return null;
  return oneLine(
    await succeed(git(['hash-object', '-w', '--stdin'], { input: merged.stdout }), 'hash-object'),
  );
}
