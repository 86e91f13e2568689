import type { Change, EvidenceBlock, ProfileName, Violation } from '../rundir/result.ts';
import type { BoundaryDifference } from './boundary.ts';
import type { TreeFindings } from './compare-trees.ts';
import type { AfterRequest, EvidenceReport, ObservationRequest } from './contract.ts';
import type { IgnoredDifference } from './ignored.ts';
import { outOfScope } from './scope.ts';
import type { TouchedFiles } from './touched-files.ts';

export interface Findings {
  baseCommit: string | null;
  tree: TreeFindings;
  boundary: BoundaryDifference;
  touched: TouchedFiles;
  /** Null where nobody asked for them. */
  ignored: IgnoredDifference | null;
  /** Sandbox placeholders that were cleared away. */
  removed: string[];
}

type Found = Pick<Violation, 'kind' | 'detail'>;
type Named = Pick<Change, 'kind' | 'path'>;

/** Joins what was found into the evidence. Unknown is not clean: a gap anywhere makes the coverage incomplete. */
export async function judge(
  { profile, touch }: Pick<ObservationRequest, 'profile' | 'touch'>,
  findings: Findings,
  { possible, gaps: otherGaps }: AfterRequest,
): Promise<EvidenceReport> {
  const { baseCommit, tree, touched, ignored } = findings;
  const seen = 'failure' in tree ? null : tree;
  const changes = seen?.changes ?? [];
  const found: Found[] = [
    ...boundariesOf(findings).flatMap(({ violations }) => violations),
    ...(await scopeViolations(changes, touch)),
    ...(profile === 'read-only' ? readOnlyViolations(changes, ignoredChanges(ignored)) : []),
  ];
  const gaps = unique([...gapsOf(findings), ...otherGaps]);
  const evidence: EvidenceBlock = {
    tree: changes.length > 0 ? 'changed' : seen === null || seen.gaps.length > 0 ? 'unknown' : 'unchanged',
    beforeTree: tree.beforeTree,
    afterTree: seen?.afterTree ?? null,
    baseCommit,
    changes,
    violations: found.map(({ kind, detail }) => ({
      kind,
      detail,
      actor: possible(kind) ? 'implementer-possible' : 'excluded-by-sandbox',
    })),
    notices: unique(noticesOf(findings)),
    coverage: { complete: gaps.length === 0, gaps, ignored: ignored?.ignored ?? 'not-scanned' },
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

function boundariesOf({ boundary, tree }: Findings): BoundaryDifference[] {
  return 'failure' in tree ? [boundary] : [boundary, tree.nested];
}

function gapsOf(findings: Findings): string[] {
  const { tree, touched, ignored } = findings;
  return [
    ...('failure' in tree
      ? [`the working tree could not be compared: ${tree.failure}`]
      : [...tree.gaps, ...tree.doubts]),
    ...boundariesOf(findings).flatMap(({ gaps }) => gaps),
    ...('reason' in touched ? [`the touched files are unknown: ${touched.reason}`] : []),
    ...(ignored?.ignored === 'not-scanned' ? [`the ignored files are unknown: ${ignored.reason}`] : []),
  ];
}

function noticesOf(findings: Findings): string[] {
  const { tree, removed, ignored } = findings;
  const changed = ignoredChanges(ignored);
  return [
    ...boundariesOf(findings).flatMap(({ notices }) => notices),
    ...('failure' in tree ? [] : tree.notices),
    ...(changed.length > 0 ? [`ignored files were changed: ${describe(changed)}`] : []),
    ...(removed.length > 0
      ? [`placeholders that the killed sandbox had left were removed: ${removed.join(', ')}`]
      : []),
  ];
}

function ignoredChanges(ignored: IgnoredDifference | null): Named[] {
  return ignored?.ignored === 'scanned' ? ignored.changes : [];
}

function readOnlyViolations(changes: readonly Named[], ignored: readonly Named[]): Found[] {
  const found: Found[] = [];
  if (changes.length > 0)
    found.push({ kind: 'read-only', detail: `the working tree was changed: ${describe(changes)}` });
  if (ignored.length > 0)
    found.push({ kind: 'read-only', detail: `ignored files were changed: ${describe(ignored)}` });
  return found;
}

async function scopeViolations(changes: readonly Change[], touch: readonly string[]): Promise<Found[]> {
  const paths = unique(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
  const outside = await outOfScope(paths, touch);
  return outside.map((path) => ({
    kind: 'scope',
    detail: `${path} was changed, outside of the declared scope (${touch.join(', ')})`,
  }));
}

function describe(changes: readonly Named[]): string {
  const named = changes.slice(0, 5).map(({ kind, path }) => `${path} (${kind})`);
  return (
    named.join(', ') + (changes.length > named.length ? ` and ${changes.length - named.length} more` : '')
  );
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
