import { join } from 'node:path';
import { lstatSync } from 'node:fs';
import { BatonError, UsageError } from '../core/errors.ts';
import { ownFiles } from '../evidence/own-files.ts';
import { takeSnapshot } from '../evidence/snapshot.ts';
import { pathIn, rawFrom, type RawPath, showPath } from '../git/raw-path.ts';
import type { Result } from '../rundir/result.ts';
import { carryOver } from './carry.ts';
import { ConflictError } from './conflict-error.ts';
import { filtersOf } from './filters.ts';
import { isNamed, type PathChange } from './plan.ts';
import { commitsToTake } from './taken-commits.ts';
import { type Head, readHead, refuseUnfinished, treeOf } from './target.ts';
import { changesBetween, editTree, listTree } from './trees.ts';
import type { Workshop } from './workshop.ts';

/** A finished run with its directory. */
export interface LandableRun {
  id: string;
  directory: string;
  result: Result;
}

export interface PlanRequest {
  /** A run, or the runs of a chain, oldest first. */
  runs: readonly LandableRun[];
  /** Paths or folders, relative to the top; none stands for all. */
  only: readonly string[];
  takeWhole: readonly string[];
  includeMyEdits: boolean;
  /** Takes commits that the implementer made in as changes: the new commit takes their place. */
  takeCommits: boolean;
}

/** The commit that would be made. */
export interface LandingPlan {
  head: Head;
  /** The parent of the commit: HEAD, or what HEAD was before commits that are taken in. */
  parent: string | null;
  /** Commits of the implementer's that go with it, newest first. */
  takenCommits: string[];
  /** The tree of the parent. */
  headTree: string;
  tree: string;
  /** From HEAD's tree to that one. */
  changes: PathChange[];
  takeWhole: RawPath[];
  /** All paths that a run changed, whether or not they are to be landed, and though a later one took it back. */
  ran: RawPath[];
  /** What was edited after the run by others: the orchestrator, a person. */
  myEdits: PathChange[];
  /** The working tree as it is. */
  workingTree: string;
}

/** The times of files come from a clock that is this much behind at most. */
const CLOCK_TICK_MS = 50;
/** Larger untracked files are not looked into. */
const MAX_UNTRACKED_BYTES = 50 * 1024 * 1024;

/** Works out the tree to commit. Writes objects into the workshop, and nothing else. */
export async function planLanding(workshop: Workshop, request: PlanRequest): Promise<LandingPlan> {
  const { git, folder, repository } = workshop;
  refuseUnfinished(repository.gitDir);
  const head = await readHead(workshop);
  const { parent, takenCommits } = await parentOf(workshop, request, head);
  const headTree = await treeOf(workshop, parent);
  const workingTree = await snapshotNow(
    workshop,
    request.runs.map(({ directory }) => directory),
  );
  const myEdits = await editsSince(workshop, request.runs, workingTree);
  const takeWhole = request.takeWhole.map(rawFrom);
  const segments = await segmentsOf(workshop, request, workingTree, myEdits);
  refuseUnknownPaths(request, segments.flat());
  const { edits, conflicts } = await carryOver({
    git,
    scratch: folder,
    ours: await listTree(git, headTree),
    segments: segments.map((changes) => changes.filter(({ path }) => isAsked(path, request.only))),
    takeWhole,
  });
  if (conflicts.length > 0) {
    throw new ConflictError(
      conflicts,
      'HEAD',
      'commit or take away what is in the way, or take such a file as it is now with --take-whole <path>',
    );
  }
  if (edits.size === 0) throw nothingToLand(segments.flat().length === 0);
  await refuseUnfiltered(workshop, edits.keys());
  const tree = await editTree(git, join(folder, 'commit.index'), headTree, edits);
  return {
    head,
    parent,
    takenCommits,
    headTree,
    tree,
    changes: await changesBetween(git, headTree, tree),
    takeWhole,
    ran: await pathsOf(workshop, request.runs),
    myEdits,
    workingTree,
  };
}

async function parentOf(
  workshop: Workshop,
  { runs, takeCommits }: PlanRequest,
  head: Head,
): Promise<Pick<LandingPlan, 'parent' | 'takenCommits'>> {
  const [first] = runs;
  if (!takeCommits || !first) return { parent: head.commit, takenCommits: [] };
  const parent = first.result.evidence.baseCommit;
  return { parent, takenCommits: await commitsToTake(workshop, runs, parent, head.commit) };
}

/** The working tree as a tree object in the workshop. Baton's files in these run directories are no part of it. */
export async function snapshotNow(workshop: Workshop, directories: readonly string[]): Promise<string> {
  const { repository, git, folder, frozen } = workshop;
  const own = directories.map((directory) => ownFiles(repository.top, directory, frozen.ignoreCase).isOwn);
  const { tree, gaps } = await takeSnapshot(
    {
      repository,
      git,
      maxUntrackedBytes: MAX_UNTRACKED_BYTES,
      isOwn: (path) => own.some((isOwn) => isOwn(path)),
      leaveOut: () => false,
    },
    join(folder, 'now.index'),
  );
  if (gaps.length > 0) {
    throw new BatonError('unreadable-tree', `the working tree cannot be read in full: ${gaps.join('; ')}`);
  }
  return tree;
}

/** The trees between which a run worked. Throws where the evidence does not have them. */
export function treesOf({ id, result }: LandableRun): { before: string; after: string } {
  const { beforeTree, afterTree, coverage } = result.evidence;
  if (beforeTree !== null && afterTree !== null) return { before: beforeTree, after: afterTree };
  throw new BatonError(
    'no-trees',
    `what run ${id} changed is not known: ${coverage.gaps.join('; ') || 'it has no trees'}`,
  );
}

/** The changes of each run; runs between which nobody edited anything count as one. */
export async function runChanges(
  { git }: Pick<Workshop, 'git'>,
  runs: readonly LandableRun[],
): Promise<PathChange[][]> {
  const spans: { before: string; after: string }[] = [];
  for (const run of runs) {
    const trees = treesOf(run);
    const last = spans.at(-1);
    if (last?.after === trees.before) last.after = trees.after;
    else spans.push({ ...trees });
  }
  return Promise.all(spans.map(({ before, after }) => changesBetween(git, before, after)));
}

async function pathsOf({ git }: Workshop, runs: readonly LandableRun[]): Promise<RawPath[]> {
  const trees = runs.map(treesOf);
  const changes = await Promise.all(trees.map(({ before, after }) => changesBetween(git, before, after)));
  return changes.flat().map(({ path }) => path);
}

async function segmentsOf(
  workshop: Workshop,
  { runs, includeMyEdits }: PlanRequest,
  workingTree: string,
  myEdits: readonly PathChange[],
): Promise<PathChange[][]> {
  const [first] = runs;
  if (!includeMyEdits || !first) return runChanges(workshop, runs);
  // All that happened since the run began is one change then, the runs' and the orchestrator's.
  const own = new Set(myEdits.map(({ path }) => path));
  const ran = new Set((await runChanges(workshop, runs)).flat().map(({ path }) => path));
  const all = await changesBetween(workshop.git, treesOf(first).before, workingTree);
  return [all.filter(({ path }) => own.has(path) || ran.has(path))];
}

/** What differs now from what the last run left. What was ignored before the run, and is not now, is nobody's edit. */
async function editsSince(
  workshop: Workshop,
  runs: readonly LandableRun[],
  workingTree: string,
): Promise<PathChange[]> {
  const last = runs.at(-1);
  if (!last) return [];
  const finished = Date.parse(last.result.finishedAt) - CLOCK_TICK_MS;
  const edits = await changesBetween(workshop.git, treesOf(last).after, workingTree);
  return edits.filter(({ path, from }) => from !== null || changedAt(workshop, path) > finished);
}

function changedAt({ repository }: Workshop, path: RawPath): number {
  return lstatSync(pathIn(repository.top, path), { throwIfNoEntry: false })?.ctimeMs ?? Infinity;
}

function isAsked(path: RawPath, only: readonly string[]): boolean {
  return only.length === 0 || isNamed(path, only.map(rawFrom));
}

/** What a filter should have cleaned, and baton did not let it, is not what belongs into a commit. */
async function refuseUnfiltered({ git, withoutFilters }: Workshop, paths: Iterable<RawPath>): Promise<void> {
  if (withoutFilters.size === 0) return;
  for (const [path, filter] of await filtersOf(git, paths)) {
    const why = withoutFilters.get(filter);
    if (why === undefined) continue;
    throw new BatonError(
      'filter',
      `${showPath(path)} cannot be landed: its filter ${filter} was not run (${why})`,
      {
        hint: 'land the other paths with --only, and commit this one by hand',
      },
    );
  }
}

function refuseUnknownPaths({ only, takeWhole }: PlanRequest, changes: readonly PathChange[]): void {
  for (const [flag, paths] of [
    ['--only', only],
    ['--take-whole', takeWhole],
  ] as const) {
    const unknown = paths.find((path) => !changes.some((change) => isNamed(change.path, [rawFrom(path)])));
    if (unknown === undefined) continue;
    throw new UsageError(`${flag} ${JSON.stringify(unknown)}: the run changed nothing there`, {
      hint: 'name a path as `baton diff --name-only` does, from the top of the repository',
    });
  }
}

function nothingToLand(changedNothing: boolean): BatonError {
  return changedNothing
    ? new BatonError('nothing-to-land', 'the run changed nothing in the working tree')
    : new BatonError('nothing-to-land', 'HEAD has all of it already, or it was about uncommitted files only');
}
