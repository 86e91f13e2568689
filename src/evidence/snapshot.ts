import { BatonError } from '../core/errors.ts';
import type { GitCall } from '../git/private-git.ts';
import type { IndexScan } from '../git/index-scan.ts';
import { pathIn, pathList, rawFrom, type RawPath, showPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import { parseStatus, type Status } from '../git/status.ts';
import { firstLine, type GitOutput } from '../git/trusted.ts';
import { type Print, printOf, sameStamp, statPrint } from './print.ts';
import { copyPrivateIndex, copyUserIndex, distrustRecent } from './private-index.ts';
import { type Triage, type TriageRules, triage } from './triage.ts';

/** The working tree at one moment, as a tree object, and what that object cannot hold. */
export interface Snapshot {
  /** The tree; its new objects are in the run's store. */
  tree: string;
  /** The private index that made it, and what that file looked like. */
  index: string;
  indexPrint: Print | null;
  status: Status;
  scan: IndexScan;
  /** Paths whose content was read for it. */
  read: RawPath[];
  /** Untracked files that the tree holds all the same. */
  stored: ReadonlySet<RawPath>;
  /** Fingerprints of the untracked files that are too large to store; null for one that is gone. */
  large: ReadonlyMap<RawPath, Print | null>;
  /** Sentences about what could not be seen. */
  gaps: string[];
}

export interface SnapshotRequest {
  repository: Repository;
  git: GitCall;
  maxUntrackedBytes: number;
  isOwn: TriageRules['isOwn'];
  leaveOut: TriageRules['leaveOut'];
  signal?: AbortSignal;
}

/** Git stops at the first path that it cannot read, so each costs a call. With more than these something else is wrong. */
const MAX_FAILING_PATHS = 20;
const LOOP = ': Too many levels of symbolic links';
const COMPLAINT =
  /^(error|fatal|warning): |: (Permission denied|Input\/output error|Stale file handle|Too many levels of symbolic links)$/;
const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  '--ignored=matching',
];

/**
 * The first snapshot: begins with a copy of the user's index at `index`, in which nothing is hidden. Only the copy and
 * the run's object store are written.
 */
export async function takeSnapshot(request: SnapshotRequest, index: string): Promise<Snapshot> {
  const since = Math.floor(Date.now() / 1000) - 1;
  const scan = await copyUserIndex(request.repository, request.git, index);
  const { read, ...seen } = await bringUp(request, index, null);
  const tree = read.changed ? null : scan.tree;
  const written = tree ?? (await writeTree(request.git, index));
  if (read.changed || scan.newest >= since) distrustRecent(index, request.repository, since);
  return { ...seen, read: read.paths, scan, index, indexPrint: statPrint(index), tree: written };
}

/** A later snapshot: begins with the index of the earlier one, which stays as it is, and makes its own at `index`. */
export async function takeNextSnapshot(
  request: SnapshotRequest,
  earlier: Snapshot,
  index: string,
): Promise<Snapshot> {
  const { scan } = earlier;
  if (!samePrint(statPrint(earlier.index), earlier.indexPrint)) {
    throw new BatonError('git-index', "baton's own index in the run directory was changed during the run");
  }
  copyPrivateIndex(request.repository, earlier.index, index, scan);
  const { read, ...seen } = await bringUp(request, index, earlier);
  const tree = read.changed ? await writeTree(request.git, index) : earlier.tree;
  return { ...seen, read: read.paths, scan, index, indexPrint: statPrint(index), tree };
}

interface BroughtUp extends Pick<Snapshot, 'status' | 'stored' | 'large' | 'gaps'> {
  read: { paths: RawPath[]; changed: boolean };
}

/** Looks at the whole tree once, and reads into the index what differs from it. */
async function bringUp(
  request: SnapshotRequest,
  index: string,
  earlier: Snapshot | null,
): Promise<BroughtUp> {
  const { repository, git, maxUntrackedBytes, isOwn, leaveOut } = request;
  const answer = await git(STATUS, { index });
  if (answer.code !== 0) throw new BatonError('git-status', `git status failed: ${firstLine(answer.stderr)}`);
  const status = parseStatus(answer.stdout);
  const lost = new Set(pathsBehindLoops(answer.stderr));
  for (const path of lost) status.dirty.push({ path, gone: true });
  const plan = triage(status, {
    top: repository.top,
    maxUntrackedBytes,
    isOwn,
    leaveOut,
    untrackedBefore: (path) => earlier?.stored.has(path) ?? false,
    largeBefore: (path) => earlier?.large.has(path) ?? false,
  });
  const gaps = [...complaints(answer.stderr, lost), ...plan.gaps, ...(await applyPlan(git, index, plan))];
  return {
    status,
    read: { paths: plan.update, changed: plan.update.length + plan.remove.length > 0 },
    stored: new Set(status.untracked.filter((path) => !isOwn(path))),
    large: await printLarge(request, [...plan.large, ...(earlier?.large.keys() ?? [])], earlier),
    gaps,
  };
}

function samePrint(a: Print | null, b: Print | null): boolean {
  return a === null || b === null ? a === b : sameStamp(a, b);
}

/** Brings the index up to the working tree. A path that git cannot read is left as it was and named. */
async function applyPlan(git: GitCall, index: string, { update, remove }: Triage): Promise<string[]> {
  const gaps: string[] = [];
  if (remove.length > 0) {
    const removed = await git(['update-index', '-z', '--force-remove', '--stdin'], {
      index,
      input: pathList(remove),
    });
    if (removed.code !== 0)
      throw new BatonError('git-index', `git update-index failed: ${firstLine(removed.stderr)}`);
  }
  let left = update;
  while (left.length > 0) {
    const updated = await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
      index,
      input: pathList(left),
    });
    if (updated.code === 0) return [...gaps, ...complaints(updated.stderr)];
    const failing = failingPath(updated, left);
    if (failing === null || gaps.length >= MAX_FAILING_PATHS) {
      throw new BatonError('git-index', `the changed files cannot be read: ${firstLine(updated.stderr)}`);
    }
    gaps.push(`${showPath(failing)} cannot be read: ${firstLine(updated.stderr)}`);
    left = left.filter((path) => path !== failing);
  }
  return gaps;
}

function failingPath({ stderr }: GitOutput, paths: readonly RawPath[]): RawPath | null {
  const named = /^fatal: Unable to process path ([^]*)\n$/m.exec(stderr)?.[1];
  if (named === undefined) return null;
  // The words of git are decoded, the paths are not.
  return paths.find((path) => Buffer.from(path, 'latin1').toString('utf8') === named) ?? null;
}

async function writeTree(git: GitCall, index: string): Promise<string> {
  // An object that is missing (a partial clone) does not make the other paths less true.
  const { code, stdout, stderr } = await git(['write-tree', '--missing-ok'], { index });
  if (code !== 0) throw new BatonError('git-tree', `git write-tree failed: ${firstLine(stderr)}`);
  return stdout.toString('latin1').trim();
}

async function printLarge(
  request: SnapshotRequest,
  paths: readonly RawPath[],
  earlier: Snapshot | null,
): Promise<Map<RawPath, Print | null>> {
  const prints = new Map<RawPath, Print | null>();
  for (const path of paths) {
    if (prints.has(path)) continue;
    prints.set(
      path,
      await printOf(
        pathIn(request.repository.top, path),
        earlier?.large.get(path) ?? undefined,
        request.signal,
      ),
    );
  }
  return prints;
}

/**
 * Tracked paths below a link that leads to itself. They are gone, but git does not list them: it only complains. A name
 * that its words do not hold exactly stays a complaint.
 */
function pathsBehindLoops(stderr: string): RawPath[] {
  return stderr
    .split('\n')
    .filter((line) => line.endsWith(LOOP) && !line.includes('\ufffd'))
    .map((line) => rawFrom(line.slice(0, -LOOP.length)));
}

/** Git's own complaints; what a filter prints, and the progress of others, is none. */
function complaints(stderr: string, known: ReadonlySet<RawPath> = new Set()): string[] {
  return stderr
    .split('\n')
    .filter((line) => COMPLAINT.test(line) && !known.has(rawFrom(line.slice(0, -LOOP.length))));
}
