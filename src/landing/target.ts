import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import { trustedGit, type GitOutput } from '../git/trusted.ts';
import { oneLine, succeed } from './trees.ts';
import { GIT_MS, type Workshop } from './workshop.ts';

/** What HEAD is at one moment. */
export interface Head {
  /** The branch, such as `refs/heads/main`; null for a detached HEAD. */
  ref: string | null;
  /** Null on a branch without commits. */
  commit: string | null;
}

const UNFINISHED: readonly [file: string, what: string][] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase (or git am)'],
  ['sequencer', 'a cherry-pick or revert of several commits'],
  ['BISECT_LOG', 'a bisect'],
];

/** A commit made now would be taken for a part of what is under way. */
export function refuseUnfinished(gitDir: string): void {
  for (const [file, what] of UNFINISHED) {
    if (!existsSync(join(gitDir, file))) continue;
    throw new BatonError('unfinished', `${what} is under way in this working tree: nothing is landed now`, {
      hint: 'finish it or give it up first: git status says how',
    });
  }
}

/** Git over the repository itself, with nothing of its hooks and monitors. */
export function plainGit({ repository, env }: Pick<Workshop, 'repository' | 'env'>) {
  return (
    args: readonly string[],
    options: { index?: string; input?: Uint8Array } = {},
  ): Promise<GitOutput> =>
    trustedGit(repository, args, {
      env,
      timeoutMs: GIT_MS,
      ...(options.input && { input: options.input }),
      ...(options.index !== undefined && { extraEnv: { GIT_INDEX_FILE: options.index } }),
    });
}

export async function readHead(workshop: Pick<Workshop, 'repository' | 'env'>): Promise<Head> {
  const git = plainGit(workshop);
  const [ref, commit] = await Promise.all([
    git(['symbolic-ref', '-q', 'HEAD']),
    git(['rev-parse', '-q', '--verify', 'HEAD^{commit}']),
  ]);
  return { ref: ref.code === 0 ? oneLine(ref) : null, commit: commit.code === 0 ? oneLine(commit) : null };
}

export function sameHead(a: Head, b: Head): boolean {
  return a.ref === b.ref && a.commit === b.commit;
}

/** The tree of a commit; of null, the empty one. */
export async function treeOf(workshop: Workshop, commit: string | null): Promise<string> {
  if (commit !== null)
    return oneLine(await succeed(workshop.git(['rev-parse', '--verify', `${commit}^{tree}`]), 'rev-parse'));
  return oneLine(await succeed(workshop.git(['mktree'], { input: new Uint8Array() }), 'mktree'));
}
