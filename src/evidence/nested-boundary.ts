import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GitDirState, readGitDir } from './git-dir.ts';
import { type BoundaryDifference, compareGitDirs, plainSentences } from './git-dir-difference.ts';
import { readSmallFile } from './plain-file.ts';
import { usesReftable } from './refs.ts';

/** A submodule or another repository inside the working tree. */
export interface NestedRepository {
  /** Its working tree, relative to the outer top, `/` between segments. */
  path: string;
  /** Its working tree and its git directory, absolute. */
  top: string;
  gitDir: string;
}

/** The boundaries of nested repositories by path: plain reads only, since whoever works in the tree can write them. */
export type NestedBoundaryState = ReadonlyMap<string, GitDirState>;

/** Reads HEAD, refs, reflogs, stash, index, configuration and hooks of each. Never throws and never runs git. */
export function readNestedBoundary(nested: readonly NestedRepository[]): NestedBoundaryState {
  return new Map(nested.map(({ path, top, gitDir }) => [path, readNested(top, gitDir)]));
}

/** What differs, each sentence beginning with the path. A repository that is new is a change of the tree, no violation. */
export function compareNestedBoundary(
  before: NestedBoundaryState,
  after: NestedBoundaryState,
): BoundaryDifference {
  const all: BoundaryDifference = { violations: [], notices: [], gaps: [], configChanged: false };
  for (const [path, old] of before) {
    const now = after.get(path);
    if (!now) {
      all.violations.push({ kind: 'git-config', detail: `${path}: this nested repository is gone` });
      continue;
    }
    const { violations, notices, gaps, configChanged } = compareGitDirs(old, now);
    all.violations.push(...violations.map(({ kind, detail }) => ({ kind, detail: `${path}: ${detail}` })));
    all.notices.push(...notices.map((notice) => `${path}: ${notice}`));
    all.gaps.push(...gaps.map((gap) => `${path}: ${gap}`));
    all.configChanged ||= configChanged;
  }
  return plainSentences(all);
}

function readNested(top: string, gitDir: string): GitDirState {
  const commonDir = commonDirOf(gitDir);
  const state = readGitDir({ top, gitDir, commonDir, env: null }, objectFormatOf(commonDir));
  if (usesReftable(commonDir))
    state.gaps.push(
      'its refs are in tables that only git can read, and git is not run in nested repositories',
    );
  return state;
}

/** A nested repository may be a linked worktree of yet another one. */
function commonDirOf(gitDir: string): string {
  try {
    return realpathSync(
      resolve(gitDir, readSmallFile(join(gitDir, 'commondir'), 4096).toString('utf8').trim()),
    );
  } catch {
    return gitDir;
  }
}

function objectFormatOf(commonDir: string): 'sha1' | 'sha256' {
  try {
    return /^\s*objectformat\s*=\s*sha256\s*$/im.test(
      readSmallFile(join(commonDir, 'config'), 65_536).toString('utf8'),
    )
      ? 'sha256'
      : 'sha1';
  } catch {
    return 'sha1';
  }
}
