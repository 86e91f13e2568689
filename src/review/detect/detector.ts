import type { Change, Result } from '../../rundir/result.ts';
import type { ChangedFile } from '../changed-file.ts';
import type { Finding } from '../finding.ts';
import type { GateFact } from '../gate-fact.ts';
import type { ToolCall } from '../timeline.ts';

/** All that is known of a run when it is reviewed. */
export interface Reviewed {
  result: Result;
  /** Of a chain: each of its runs by itself, oldest first. `result` has what they changed together. */
  runs?: readonly Result[];
  files: readonly ChangedFile[];
  /** Null where no gates were run. */
  gates: readonly GateFact[] | null;
  /** The commands and edits of the implementer, in order. */
  calls: readonly ToolCall[];
  /** Test files of the tree after the run, changed or not, by path; empty where they were not read. */
  testTexts: ReadonlyMap<string, string>;
}

/** What any run of a chain changed, though a later one took it back: what its words may be about. */
export function everChanged({ result, runs = [] }: Reviewed): Change[] {
  return [result, ...runs].flatMap(({ evidence }) => evidence.changes);
}

/** Pure: looks for one kind of thing, or for a few that are found in the same place. */
export type Detector = (run: Reviewed) => Finding[];
