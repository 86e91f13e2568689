/** A command of the project that must pass. Every field is filled in. */
export interface Gate {
  /** Tells it from the others: letters, digits and `. _ -`. */
  name: string;
  /** For the shell: `sh -c`, on Windows `cmd /c`. */
  command: string;
  /** Relative to the top of the working tree; `.` is the top itself. */
  cwd: string;
  timeoutMs: number;
  /** Variables of its own; `true` passes one of the caller's on that would be withheld as a credential. */
  env: { [name: string]: string | true };
  /** Globs: it runs only where the run changed a path that one of them matches. Empty: always. */
  when: string[];
  /** Who asked for it. A command of the configuration is the repository's, and needs approval. */
  source: 'config' | 'flag';
}

/** Ample for a slow test suite, and an end for one that hangs. */
export const DEFAULT_TIMEOUT_MS = 30 * 60 * 1000;

export const GATE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * `could-not-run` is never a verdict about the work: a program or its dependencies are missing. `not-run`: nobody tried.
 */
export type GateState = 'passed' | 'failed' | 'could-not-run' | 'not-run';

/** How it went before the run and now. */
export type SinceBefore = 'new' | 'already-there' | 'mended';

/** One gate, and what became of it. */
export interface GateResult {
  name: string;
  command: string;
  cwd: string;
  source: Gate['source'];
  state: GateState;
  /** False where its `when` matches nothing that changed: then it is `not-run`, and nobody misses it. */
  applies: boolean;
  /** A sentence for a person; null for a gate that passed. */
  reason: string | null;
  /** Null where it did not exit by itself. */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  durationMs: number;
  /** The file with all that it printed, relative to the run directory; null where nothing was started. */
  output: string | null;
  outputBytes: number;
  /** The tree that it ran on; null where that is not known, or it did not run. */
  tree: string | null;
  /** Paths that it changed in the working tree; null where that is not known. */
  changedTree: string[] | null;
  /** Processes that it left behind, and that were ended: `pid command`. */
  left: string[];
  /** Processes that could not be ended. */
  survivors: string[];
  /** Names of variables of the caller's that it did not get. */
  withheld: string[];
  /** A failure against the gates before the run; null without such a look, or where there is nothing to say. */
  since: SinceBefore | null;
}

/** `gates.json`: the last time that the gates of a run were run. */
export interface GatesRecord {
  schema: typeof GATES_SCHEMA;
  runId: string;
  /** Where the gates of the repository stand, and the hash that was looked for among the approvals. */
  config: { path: string; hash: string; approved: boolean } | null;
  /** The working tree when the first gate began. */
  tree: string | null;
  /** Whether that was the tree that the run left. */
  treeIs: TreeIs;
  /** Paths that the run changed and that decide about what the gates do. */
  decidedBy: string[];
  /** Empty also where only the look before the run was taken. */
  gates: GateResult[];
  /** The same gates before the run; null where nobody asked. */
  baseline: GateResult[] | null;
  /** Why something is not known. */
  gaps: string[];
  /** ISO 8601; null where only the look before the run was taken. */
  startedAt: string | null;
  finishedAt: string | null;
}

export const GATES_SCHEMA = 'baton.gates.v1';

/** `after`: exactly what the run left. `other`: something was changed since. */
export type TreeIs = 'after' | 'other' | 'unknown';
