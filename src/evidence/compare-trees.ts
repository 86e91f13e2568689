import { join } from 'node:path';
import type { PrivateGit } from '../git/private-git.ts';
import { isUtf8Path, type RawPath, showPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import type { Change } from '../rundir/result.ts';
import { artifactPath } from '../rundir/layout.ts';
import { attribute } from './attribution.ts';
import type { BoundaryDifference } from './boundary.ts';
import type { ObservationRequest } from './contract.ts';
import { compareLarge } from './large-files.ts';
import { coveredBy, keepLeftOut, namesOf, unfilteredGaps } from './left-out.ts';
import { compareNested, type NestedState, readNestedAgain } from './nested.ts';
import type { OwnFiles } from './own-files.ts';
import { isResidue, type ResidueState } from './residue.ts';
import { type Snapshot, takeNextSnapshot } from './snapshot.ts';

/** What became of the working tree, or why that cannot be told. */
export type TreeFindings =
  | {
      beforeTree: string;
      afterTree: string;
      changes: Change[];
      /** Of the repositories inside it. */
      nested: BoundaryDifference;
      notices: string[];
      /** What of the tree was not seen: with these, no change does not mean unchanged. */
      gaps: string[];
      /** What was seen, and is unknown to callers all the same. */
      doubts: string[];
      patchPath: string;
    }
  | { beforeTree: string | null; failure: string };

export interface CompareRequest {
  snapshot: Snapshot;
  nested: NestedState;
  repository: Repository;
  residue: ResidueState;
  own: OwnFiles;
  baseCommit: string | null;
  git: PrivateGit;
  limits: ObservationRequest['limits'];
  runDir: string;
  signal: AbortSignal | undefined;
}

/** Takes the second snapshot and tells it from the first: files that git keeps, large ones, and repositories inside. */
export async function compareTrees(request: CompareRequest): Promise<TreeFindings> {
  const { snapshot: before, nested: nestedBefore, repository, own, git, runDir, signal } = request;
  const wasIgnored = coveredBy(before.status.ignored);
  const uncovered: RawPath[] = [];
  const leftOut: RawPath[] = [];
  // A nested repository that lost its `.git` shows its files to git; they are compared apart.
  const wasNested = coveredBy([...nestedBefore.roots.keys()].map((root) => `${root}/`));
  const leaveOut = (path: RawPath): boolean => {
    const foreign = wasNested(path) || isResidue(request.residue, showPath(path));
    const ignored = !foreign && wasIgnored(path);
    if (ignored) uncovered.push(path);
    if (foreign || ignored) leftOut.push(path);
    return foreign || ignored;
  };
  const after = await takeNextSnapshot(
    {
      repository,
      git: git.git,
      maxUntrackedBytes: request.limits.maxUntrackedBytes,
      isOwn: own.isOwn,
      leaveOut,
      ...(signal && { signal }),
    },
    before,
    join(artifactPath(runDir, 'snapshot'), 'after.index'),
  );
  keepLeftOut(runDir, leftOut);
  const patchPath = artifactPath(runDir, 'patch');
  const objects = artifactPath(runDir, 'objects');
  const [attribution, nestedAfter] = await Promise.all([
    attribute({
      git: git.git,
      before: before.tree,
      after: after.tree,
      base: request.baseCommit,
      objects,
      patch: patchPath,
      scratch: artifactPath(runDir, 'snapshot'),
    }),
    readNestedAgain(repository, after, nestedBefore, own.isOwn, signal),
  ]);
  const nested = compareNested(nestedBefore, nestedAfter);
  const large = compareLarge(before.large, after.large, before.stored);
  const unfiltered = await unfilteredGaps(git, [...new Set([...before.read, ...after.read])]);
  return {
    beforeTree: before.tree,
    afterTree: after.tree,
    changes: [...attribution.changes, ...large.changes, ...nested.changes].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    nested: nested.boundary,
    notices:
      uncovered.length > 0
        ? [`ignored before the run and not any more, so left out: ${namesOf(uncovered)}`]
        : [],
    gaps: [...before.gaps, ...after.gaps, ...attribution.gaps, ...large.gaps, ...nested.gaps, ...unfiltered],
    doubts: [...nested.doubts, ...oddNames([before, after])],
    patchPath,
  };
}

/** JSON can only show such a name escaped; callers count on it being unknown rather than clean. */
function oddNames(snapshots: readonly Snapshot[]): string[] {
  const named = snapshots.flatMap(({ status }) => [
    ...status.dirty.map(({ path }) => path),
    ...status.untracked,
  ]);
  const odd = [...new Set(named.filter((path) => !isUtf8Path(path)))];
  return odd.length > 0 ? [`names that are not UTF-8 can only be shown escaped: ${namesOf(odd)}`] : [];
}
