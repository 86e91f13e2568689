import { join } from 'node:path';
import { BatonError, messageOf } from '../core/errors.ts';
import { type FrozenRepository, freeze } from '../git/frozen.ts';
import { openPrivateGit, type PrivateGit } from '../git/private-git.ts';
import { rawFrom } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import { artifactPath } from '../rundir/layout.ts';
import { type BoundaryState, compareBoundary, readBoundary } from './boundary.ts';
import { compareTrees, type TreeFindings } from './compare-trees.ts';
import type { AfterRequest, EvidenceReport, Observation, ObservationRequest } from './contract.ts';
import { compareIgnored, type IgnoredDifference, type IgnoredState, scanIgnored } from './ignored.ts';
import { type NestedState, readNested } from './nested.ts';
import { nestedGitDirs } from './nested-place.ts';
import { type OwnFiles, ownFiles } from './own-files.ts';
import { readResidue, removeResidue, type ResidueState } from './residue.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { readTouchedFiles, type TouchedFiles } from './touched-files.ts';
import { blindReport, judge } from './verdict.ts';

/** What is known of a repository before the run. */
interface Before {
  repository: Repository;
  frozen: FrozenRepository;
  own: OwnFiles;
  residue: ResidueState;
  boundary: BoundaryState;
  baseCommit: string | null;
  /** Null where nobody asked for them. */
  ignored: IgnoredState | null;
  /** The working tree, or why it could not be read. */
  tree: { snapshot: Snapshot; nested: NestedState } | { failure: string };
}

/**
 * Looks at the working tree and at everything that only the orchestrator may change: now, and again when `after` is
 * called. What cannot be seen is a gap of the evidence and never clean; the only thing thrown is an abort.
 */
export async function observe(request: ObservationRequest): Promise<Observation> {
  const { repository } = request;
  if ('problem' in repository) return blind(request, `${repository.detail}. ${repository.hint}`);
  let before: Before;
  try {
    before = await lookBefore(request, repository);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return blind(request, withHint(error));
  }
  const { tree, baseCommit } = before;
  // An abort looks twice; both looks write the same files, so the second one waits.
  let previous: Promise<unknown> = Promise.resolve();
  return {
    beforeTree: 'failure' in tree ? null : tree.snapshot.tree,
    baseCommit,
    nestedGitDirs: 'failure' in tree ? [] : nestedGitDirs(tree.nested.repositories),
    after: (end) => {
      const look = (): Promise<EvidenceReport> => lookAfter(request, before, end);
      const report = previous.then(look, look);
      previous = report;
      return report;
    },
  };
}

function withHint(error: unknown): string {
  return error instanceof BatonError && error.hint ? `${messageOf(error)}. ${error.hint}` : messageOf(error);
}

/** Nothing to compare: everything about the tree stays unknown, with the reason. */
function blind(request: ObservationRequest, reason: string): Observation {
  return {
    beforeTree: null,
    baseCommit: null,
    nestedGitDirs: [],
    after: (end) => Promise.resolve(blindReport(request.profile, [reason, ...end.gaps])),
  };
}

async function lookBefore(request: ObservationRequest, repository: Repository): Promise<Before> {
  const { signal } = request;
  // Git reads the configuration while the boundary is read.
  const [frozen, boundary, ignored] = await Promise.all([
    freeze(repository, {
      env: request.env,
      timeoutMs: request.limits.gitTimeoutMs,
      ...(signal && { signal }),
    }),
    lookAtBoundary(request, repository, signal),
    lookAtIgnored(request, repository, signal),
  ]);
  const known = {
    repository,
    frozen,
    boundary,
    ignored,
    baseCommit: headOf(boundary),
    own: ownFiles(repository.top, request.runDir, frozen.ignoreCase),
    residue: readResidue(repository.top, request.cwd),
  };
  try {
    return { ...known, tree: await lookAtTree(request, known) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { ...known, tree: { failure: messageOf(error) } };
  }
}

async function lookAtTree(
  request: ObservationRequest,
  before: Omit<Before, 'tree'>,
): Promise<{ snapshot: Snapshot; nested: NestedState }> {
  const { runDir, limits, signal } = request;
  const { repository, own } = before;
  const { git } = openGit(request, before, 'git', before.baseCommit, signal);
  const snapshot = await takeSnapshot(
    {
      repository,
      git,
      maxUntrackedBytes: limits.maxUntrackedBytes,
      isOwn: own.isOwn,
      leaveOut: () => false,
      ...(signal && { signal }),
    },
    join(artifactPath(runDir, 'snapshot'), 'before.index'),
  );
  return { snapshot, nested: await readNested(repository, snapshot, own.isOwn, signal) };
}

async function lookAfter(
  request: ObservationRequest,
  before: Before,
  end: AfterRequest,
): Promise<EvidenceReport> {
  const { repository } = before;
  const removed = end.killed ? removeResidue(before.residue) : [];
  const boundary = await lookAtBoundary(request, repository, end.signal);
  const head = headOf(boundary);
  const git = once(() => openGit(request, before, 'git-after', before.baseCommit, end.signal));
  // Both are asked at the same time. Where HEAD moved, the person's status needs a git directory of its own.
  const statusGit =
    head === before.baseCommit ? git : () => openGit(request, before, 'status-git', head, end.signal);
  const [touched, tree, ignored] = await Promise.all([
    touchedFiles(before, statusGit),
    changesOf(request, before, git, end.signal),
    lookAtIgnored(request, repository, end.signal),
  ]);
  const findings = {
    baseCommit: before.baseCommit,
    tree,
    touched,
    removed,
    boundary: compareBoundary(before.boundary, boundary),
    ignored: before.ignored && ignored && withoutOwn(compareIgnored(before.ignored, ignored), before.own),
  };
  return judge(request, findings, end);
}

async function changesOf(
  request: ObservationRequest,
  before: Before,
  git: () => PrivateGit,
  signal: AbortSignal | undefined,
): Promise<TreeFindings> {
  const { tree, repository, residue, own, baseCommit } = before;
  if ('failure' in tree) return { beforeTree: null, failure: tree.failure };
  try {
    return await compareTrees({
      ...tree,
      repository,
      residue,
      own,
      baseCommit,
      git: git(),
      limits: request.limits,
      runDir: request.runDir,
      signal,
    });
  } catch (error) {
    return { beforeTree: tree.snapshot.tree, failure: messageOf(error) };
  }
}

async function touchedFiles(before: Before, open: () => PrivateGit): Promise<TouchedFiles> {
  try {
    const { git } = open();
    return await readTouchedFiles(git, join(before.repository.gitDir, 'index'), before.own.pathspecs);
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

/** Makes the value at the first call, and hands out that one ever after. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function lookAtBoundary(
  request: ObservationRequest,
  repository: Repository,
  signal: AbortSignal | undefined,
): Promise<BoundaryState> {
  const { env, cwd, runDir, limits } = request;
  return readBoundary(repository, {
    env,
    cwd,
    runDir,
    gitTimeoutMs: limits.gitTimeoutMs,
    ...(signal && { signal }),
  });
}

function withoutOwn(difference: IgnoredDifference, { isOwn }: OwnFiles): IgnoredDifference {
  if (difference.ignored === 'not-scanned') return difference;
  return { ...difference, changes: difference.changes.filter(({ path }) => !isOwn(rawFrom(path))) };
}

async function lookAtIgnored(
  { env, limits }: ObservationRequest,
  repository: Repository,
  signal: AbortSignal | undefined,
): Promise<IgnoredState | null> {
  if (!limits.ignored) return null;
  return scanIgnored(repository, {
    env,
    gitTimeoutMs: limits.gitTimeoutMs,
    limits: limits.ignored,
    ...(signal && { signal }),
  });
}

function openGit(
  request: ObservationRequest,
  { frozen }: Pick<Before, 'frozen'>,
  name: string,
  head: string | null,
  signal: AbortSignal | undefined,
): PrivateGit {
  return openPrivateGit(frozen, {
    folder: join(artifactPath(request.runDir, 'snapshot'), name),
    objects: artifactPath(request.runDir, 'objects'),
    head,
    env: request.env,
    timeoutMs: request.limits.gitTimeoutMs,
    ...(signal && { signal }),
  });
}

/** The commit behind HEAD; null on an unborn branch. What is no object id is not handed to git. */
function headOf({ gitDir }: BoundaryState): string | null {
  const commit = gitDir.head?.commit ?? null;
  return commit !== null && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null;
}
