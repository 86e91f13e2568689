import type { AgentEvent, EventReader } from '../implementers/events.ts';
import type { LaunchPlan } from '../implementers/implementer.ts';
import type { ProcessBlock, StreamBlock } from '../rundir/result.ts';

/** One implementer process, from launch to the last of its descendants. */
export interface RunRequest {
  /** Already carries the run marker and the depth in its environment. */
  plan: LaunchPlan;
  /** Value of the run marker. */
  runId: string;
  files: { brief: string; events: string; stderr: string };
  reader: EventReader;
  clocks: {
    /** Milliseconds; null is off. */
    wall: number | null;
    firstEvent: number | null;
    idle: number | null;
    completionGrace: number;
    /** Between TERM and KILL. */
    termGrace: number;
  };
  limits: {
    /** A longer record is skipped and counted. */
    maxRecordBytes: number;
    /** Free bytes under which the run is stopped. */
    minFreeBytes: number;
  };
  /** First request to stop: TERM, then KILL. */
  abort: AbortSignal;
  /** Second request: skip the waits. */
  hurry: AbortSignal;
  onEvent?: (event: AgentEvent) => void;
  /** The implementer's stderr as it grows. */
  onStderr?: (chunk: Uint8Array) => void;
  onStarted?: (process: { pid: number; birth: string | null }) => void;
}

/** Why baton itself ended a run that no clock and no person had ended. */
export type StopCause =
  | { kind: 'disk'; message: string }
  /** The CLI said that its shell sandbox is off though the plan requires it. */
  | { kind: 'sandbox'; message: string };

export interface RunOutcome {
  process: ProcessBlock;
  stream: StreamBlock;
  /** The process's own exit code, where it had one and baton judges it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /**
   * It could not be started. `code`: the system's (ENOENT, EACCES, E2BIG ...) where the executable is to blame, or
   * `missing-cwd`, `nul-byte`, `windows-shim`, `run-directory` (its own files could not be opened).
   */
  launchError: { code: string; message: string } | null;
  stopped: StopCause | null;
  /** Something of the tree had to be KILLed. */
  killed: boolean;
  /** Parts of the end that could not be watched (no /proc, unreadable environment): facts for coverage. */
  gaps: string[];
}
