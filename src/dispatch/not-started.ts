import type { EvidenceReport } from '../evidence/contract.ts';
import type { ProcessBlock, ProcessExit, StreamBlock } from '../rundir/result.ts';

/** The facts of a run in which no implementer started. */
export function noProcess(
  exit: ProcessExit,
  durationMs: number,
  timeoutKind: ProcessBlock['timeoutKind'] = null,
): ProcessBlock {
  return {
    pid: null,
    exit,
    timeoutKind,
    endedAfterResult: false,
    swept: [],
    survivors: [],
    durationMs: Math.round(durationMs),
    clockGapMs: 0,
  };
}

export const NO_STREAM: StreamBlock = { bytes: 0, events: 0, unreadable: 0, oversize: 0, truncated: false };

/** What is known of the tree before anybody could look. */
export function unseenEvidence(why: string, readOnly: boolean): EvidenceReport {
  return {
    evidence: {
      tree: 'unknown',
      beforeTree: null,
      afterTree: null,
      baseCommit: null,
      changes: [],
      violations: [],
      notices: [],
      coverage: { complete: false, gaps: [why], ignored: 'not-scanned' },
    },
    touchedFiles: null,
    readOnlyViolation: readOnly ? null : undefined,
    patchPath: null,
  };
}
