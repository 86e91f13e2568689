import type { Change, EvidenceBlock, ProfileName, Violation, ViolationKind } from '../rundir/result.ts';
import type { BoundaryDifference } from './boundary.ts';
import type { TreeFindings } from './compare-trees.ts';
import type { AfterRequest, EvidenceReport, ObservationRequest } from './contract.ts';
import { outOfScope } from './scope.ts';
import type { TouchedFiles } from './touched-files.ts';

export interface Findings {
  baseCommit: string | null;
  tree: TreeFindings;
  boundary: BoundaryDifference;
  touched: TouchedFiles;
  /** Sandbox placeholders that were cleared away. */
  removed: string[];
}

/** Joins what was found into the evidence. Unknown is not clean: a gap anywhere makes the coverage incomplete. */
export async function judge(
  { profile, touch }: Pick<ObservationRequest, 'profile' | 'touch'>,
  { baseCommit, tree, boundary, touched, removed }: Findings,
  { possible, gaps: otherGaps }: AfterRequest,
): Promise<EvidenceReport> {
  const seen = 'failure' in tree ? null : tree;
  const changes = seen?.changes ?? [];
  const differences = [boundary, ...(seen ? [seen.nested] : [])];
  const found: { kind: ViolationKind; detail: string }[] = [
    ...differences.flatMap(({ violations }) => violations),
    ...(await scopeViolations(changes, touch)),
    ...(profile === 'read-only' && changes.length > 0
      ? [{ kind: 'read-only' as const, detail: `the working tree was changed: ${describe(changes)}` }]
      : []),
  ];
  const gaps = unique([
    ...('failure' in tree
      ? [`the working tree could not be compared: ${tree.failure}`]
      : [...tree.gaps, ...tree.doubts]),
    ...differences.flatMap((difference) => difference.gaps),
    ...('reason' in touched ? [`the touched files are unknown: ${touched.reason}`] : []),
    ...otherGaps,
  ]);
  const evidence: EvidenceBlock = {
    tree: changes.length > 0 ? 'changed' : seen === null || seen.gaps.length > 0 ? 'unknown' : 'unchanged',
    beforeTree: tree.beforeTree,
    afterTree: seen?.afterTree ?? null,
    baseCommit,
    changes,
    violations: found.map(
      ({ kind, detail }): Violation => ({
        kind,
        detail,
        actor: possible(kind) ? 'implementer-possible' : 'excluded-by-sandbox',
      }),
    ),
    notices: unique([
      ...differences.flatMap(({ notices }) => notices),
      ...(seen?.notices ?? []),
      ...(removed.length > 0
        ? [`placeholders that the killed sandbox had left were removed: ${removed.join(', ')}`]
        : []),
    ]),
    coverage: { complete: gaps.length === 0, gaps, ignored: 'not-scanned' },
  };
  return {
    evidence,
    touchedFiles: 'lines' in touched ? touched.lines : null,
    readOnlyViolation: profile === 'read-only' ? tripped(evidence) : undefined,
    patchPath: seen?.patchPath ?? null,
  };
}

/** The evidence where there was nothing to look at, or no way to. */
export function blindReport(profile: ProfileName, gaps: string[]): EvidenceReport {
  return {
    evidence: {
      tree: 'unknown',
      beforeTree: null,
      afterTree: null,
      baseCommit: null,
      changes: [],
      violations: [],
      notices: [],
      coverage: { complete: false, gaps, ignored: 'not-scanned' },
    },
    touchedFiles: null,
    readOnlyViolation: profile === 'read-only' ? null : undefined,
    patchPath: null,
  };
}

/** Any violation counts, not only a changed file: `info/exclude` can hide one. */
function tripped({ violations, coverage }: EvidenceBlock): boolean | null {
  if (violations.length > 0) return true;
  return coverage.complete ? false : null;
}

async function scopeViolations(
  changes: readonly Change[],
  touch: readonly string[],
): Promise<{ kind: 'scope'; detail: string }[]> {
  const paths = unique(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
  const outside = await outOfScope(paths, touch);
  return outside.map((path) => ({
    kind: 'scope',
    detail: `${path} was changed, outside of the declared scope (${touch.join(', ')})`,
  }));
}

function describe(changes: readonly Change[]): string {
  const named = changes.slice(0, 5).map(({ kind, path }) => `${path} (${kind})`);
  return (
    named.join(', ') + (changes.length > named.length ? ` and ${changes.length - named.length} more` : '')
  );
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
