import type { Result } from '../../rundir/result.ts';
import type { ChangedFile } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import type { GateFact } from '../gate-fact.ts';
import type { ToolCall } from '../timeline.ts';

/** All that is known of a run when it is reviewed. */
export interface Reviewed {
  result: Result;
  files: readonly ChangedFile[];
  /** Null where no gates were run. */
  gates: readonly GateFact[] | null;
  /** The commands and edits of the implementer, in order. */
  calls: readonly ToolCall[];
  /** Test files of the tree after the run, changed or not, by path; empty where they were not read. */
  testTexts: ReadonlyMap<string, string>;
}

/** Pure: looks for one kind of thing, or for a few that are found in the same place. */
export type Detector = (run: Reviewed) => Finding[];
