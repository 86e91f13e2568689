import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import { freeze } from '../git/frozen.ts';
import { scanIndex } from '../git/index-scan.ts';
import { type GitCall, openPrivateGit } from '../git/private-git.ts';
import { rawFrom, rawPath, showPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import { firstLine } from '../git/trusted.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readLeftOut } from './left-out.ts';
import { ownFiles } from './own-files.ts';
import { statPrint } from './print.ts';
import { type Snapshot, type SnapshotRequest, takeNextSnapshot, takeSnapshot } from './snapshot.ts';

/** What is read of a tree is configuration. */
const MAX_FILE_BYTES = 1024 * 1024;

export interface LaterRequest {
  repository: Repository;
  runDir: string;
  /** Names what is made for this in `snapshot/` of the run directory: a plain word, of one user at a time. */
  name: string;
  /** The commit that HEAD named before the run; null for an unborn branch. */
  baseCommit: string | null;
  env: Env;
  maxUntrackedBytes: number;
  gitTimeoutMs: number;
  signal?: AbortSignal;
}

/** The objects of a finished run, and the working tree as it is now. Every method rejects with a BatonError. */
export interface LaterLook {
  /**
   * The tree id of the working tree now, comparable with `afterTree`: what the run left is looked at in the same way.
   * Untracked files above the limit, and repositories inside, are no part of it.
   */
  treeNow(afterTree: string): Promise<string>;
  /** Paths that differ between two trees, as people read them; a rename is two paths. */
  changedPaths(before: string, after: string): Promise<string[]>;
  /** A file of a tree, at most 1 MiB; null where it has none of that path. Its mode is git's, such as `100644`, or `120000` for a link. */
  fileIn(tree: string, path: string): Promise<{ mode: string; bytes: Buffer } | null>;
}

/** Opens the run's own object store for reading, and for trees of later moments. */
export async function lookLater(request: LaterRequest): Promise<LaterLook> {
  const { repository, runDir, name, env, gitTimeoutMs, signal } = request;
  const folder = artifactPath(runDir, 'snapshot');
  const frozen = await freeze(repository, { env, timeoutMs: gitTimeoutMs, ...(signal && { signal }) });
  const { git } = openPrivateGit(frozen, {
    folder: join(folder, `${name}-git`),
    objects: artifactPath(runDir, 'objects'),
    head: request.baseCommit,
    env,
    timeoutMs: gitTimeoutMs,
    ...(signal && { signal }),
  });
  const leftOut = readLeftOut(runDir);
  const snapshotRequest: SnapshotRequest = {
    repository,
    git,
    maxUntrackedBytes: request.maxUntrackedBytes,
    isOwn: ownFiles(repository.top, runDir, frozen.ignoreCase).isOwn,
    leaveOut: (path) => leftOut.has(path),
    ...(signal && { signal }),
  };
  let latest: Snapshot | null = null;
  let count = 0;
  return {
    treeNow: async (afterTree) => {
      const earlier = latest ?? asLeft(repository, join(folder, 'after.index'), afterTree);
      // Two names, since each begins with the one before.
      const index = join(folder, `${name}-${count % 2}.index`);
      count += 1;
      latest = earlier
        ? await takeNextSnapshot(snapshotRequest, earlier, index)
        : await takeSnapshot(snapshotRequest, index);
      return latest.tree;
    },
    changedPaths: (before, after) => changedPaths(git, before, after),
    fileIn: (tree, path) => fileIn(git, tree, path),
  };
}

/** The snapshot that the run ended with, as far as a later one needs it; null where its index is gone. */
function asLeft({ objectFormat }: Repository, index: string, tree: string): Snapshot | null {
  if (!existsSync(index)) return null;
  return {
    tree,
    index,
    indexPrint: statPrint(index),
    status: { dirty: [], untracked: [], nested: [], ignored: [] },
    scan: scanIndex(readFileSync(index), objectFormat),
    read: [],
    stored: new Set(),
    large: new Map(),
    gaps: [],
  };
}

async function changedPaths(git: GitCall, before: string, after: string): Promise<string[]> {
  if (before === after) return [];
  const { code, stdout, stderr } = await git([
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--name-only',
    before,
    after,
  ]);
  if (code !== 0) throw new BatonError('git-diff', `git diff-tree failed: ${firstLine(stderr)}`);
  return rawPath(stdout).split('\0').filter(Boolean).map(showPath);
}

async function fileIn(
  git: GitCall,
  tree: string,
  path: string,
): Promise<{ mode: string; bytes: Buffer } | null> {
  const listed = await git(['ls-tree', '-z', '-l', '--full-tree', tree, '--', path]);
  if (listed.code !== 0) throw unreadable(path, tree, listed.stderr);
  const entry = /^(\d+) blob ([0-9a-f]+) +(\d+)\t([^\0]*)\0$/.exec(rawPath(listed.stdout));
  const [, mode, oid, size, found] = entry ?? [];
  if (mode === undefined || oid === undefined || found !== rawFrom(path)) return null;
  if (Number(size) > MAX_FILE_BYTES)
    throw new BatonError('tree-file', `${path} has ${size} bytes, the limit is ${MAX_FILE_BYTES}`);
  const read = await git(['cat-file', 'blob', oid]);
  if (read.code !== 0) throw unreadable(path, tree, read.stderr);
  return { mode, bytes: read.stdout };
}

function unreadable(path: string, tree: string, stderr: string): BatonError {
  return new BatonError('tree-file', `${path} of the tree ${tree} cannot be read: ${firstLine(stderr)}`);
}
