/** Every kind of finding, in the order in which a reviewer should look, with the heading of its group. */
export const FINDING_KINDS = {
  'boundary-violation': 'Done against the rules of a run',
  'claim-unsupported': 'Said, and not borne out by the evidence',
  'deviation-reported': 'Deviations and questions that the report names',
  'report-incomplete': 'Changed, and not in the report',
  'test-deleted': 'Tests deleted',
  'test-disabled': 'Tests disabled',
  'test-skipped': 'Tests skipped',
  'test-focused': 'Tests focused: the others no longer run',
  'assertion-removed': 'Assertions removed',
  'assertion-loosened': 'Assertions loosened',
  'value-hard-coded': 'Values that a test asserts, hard-coded',
  'gate-config-changed': 'Gate configuration changed',
  secret: 'Secrets',
  'out-of-scope': 'Outside the declared scope',
  'error-swallowed': 'Errors swallowed',
  'suppression-added': 'Checks suppressed',
  'snapshot-rewritten': 'Snapshots rewritten',
  'generated-edited': 'Generated or vendored files edited',
  'dependency-added': 'Dependencies added',
  'lock-file-changed': 'Lock files changed',
  'debug-leftover': 'Debug leftovers',
  denied: 'Denied to the implementer',
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

/** A place to look at, never a verdict. */
export interface Finding {
  kind: FindingKind;
  /** Relative to the top of the tree, as `Change.path`; null where the finding is about no file. */
  file: string | null;
  /** From 1, in the file as it was on that side; null where no line can be named. */
  line: number | null;
  /** Which side of the change `line` counts in: what is gone is on the `before` side. */
  side: 'before' | 'after' | null;
  /** The line itself, or the words of the claim; at most 200 characters, a secret masked. */
  text: string;
  /** A sentence: what was seen. */
  detail: string;
}

const ORDER: readonly string[] = Object.keys(FINDING_KINDS);

/** By kind, then file, then line. The same finding twice is one. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const byIdentity = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...byIdentity.values()].sort(
    (a, b) =>
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
