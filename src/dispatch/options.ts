import type { Env } from '../core/environment.ts';
import type { AgentEvent } from '../implementers/events.ts';
import type { Lane } from '../lanes/lane.ts';
import { RUN_LIMITS, type RunLimits } from '../running/limits.ts';

/**
 * What to hand over, to whom, and within which bounds. Each field is the flag of the same name of `baton dispatch`;
 * durations are texts such as `90s`, `5m`, `1h30m`.
 */
export interface DispatchOptions {
  /** The exact text that the implementer receives on stdin. At most 10,000,000 bytes, not blank. */
  brief: string | Uint8Array;
  /** Directory to work in. Default: the current one. */
  cd?: string;
  /** Default: the lane's, else `claude`. */
  implementer?: string;
  /**
   * Dials for one kind of work: a lane by its name, looked up in the user's file and the project's, or a lane that was
   * found before. Every dial that is set here as well is as it is set here.
   */
  lane?: string | Lane;
  /** Run directory. Default: a new one in baton's state folder. */
  outDir?: string;
  /** The whole run. Default: no limit. */
  timeout?: string;
  /** Silence on stdout and stderr. Default: no limit, since a long command is silent. */
  idleTimeout?: string;
  /** From the launch to the first event. Default: no limit. */
  firstEventTimeout?: string;
  /** How long the process may go on after its terminal event. Default `30s`. */
  completionGrace?: string;
  model?: string;
  effort?: string;
  maxTurns?: number | string;
  /** US dollars, a plain decimal. */
  maxBudgetUsd?: number | string;
  /** `auto`, or tokens such as `150000` or `150k`. */
  autocompact?: string;
  /** Goes on with the session that baton recorded for this directory. Excludes `session`. */
  resumeLast?: boolean;
  /** Goes on with this session of the implementer. */
  session?: string;
  /** The id of the run that this one reworks: they are landed together. */
  parent?: string;
  /** The implementer keeps no session: nothing can be resumed. */
  ephemeral?: boolean;
  /** The session is not recorded for later runs, since its home goes with this one. */
  unrecorded?: boolean;
  readOnly?: boolean;
  dangerouslySkipPermissions?: boolean;
  /** `read-only`, `workspace-write` or `danger-full-access`, for implementers that name their sandbox so. */
  sandbox?: string;
  /** The implementer inherits no variables but the few that a program needs, and those of `keepEnv`. */
  cleanEnv?: boolean;
  /** Names of variables that go along all the same. */
  keepEnv?: readonly string[];
  /** Lets the implementer work outside of a git repository where its CLI refuses to. */
  skipGitRepoCheck?: boolean;
  /** Lets the project's agent hooks run. They run outside the sandbox, from scripts that the implementer may edit. */
  allowHooks?: boolean;
  /** More directories that sandboxed commands may write, such as a package cache. */
  allowWrite?: readonly string[];
  /** Hosts that sandboxed commands may reach. */
  allowDomains?: readonly string[];
  /** Declared scope: globs relative to the top of the working tree. A change outside is reported as a violation. */
  touch?: readonly string[];
  /** Looks at ignored files as well: which were written. Up to `limits.ignored`. */
  scanIgnored?: boolean;
  /** The environment of the run; nothing else is inherited. Default: this process's. */
  env?: Env;
  /** Ends the run: TERM, then KILL. `reason` may be a signal name such as `SIGTERM`; default `SIGINT`. */
  signal?: AbortSignal;
  /** A second request: skips the waits. */
  hurry?: AbortSignal;
  onEvent?: (event: AgentEvent) => void;
  /** The implementer's stderr as it grows. */
  onStderr?: (chunk: Uint8Array) => void;
  /** Called once, as soon as the run has a directory. */
  onStart?: (run: { runId: string; directory: string }) => void;
  /**
   * Awaited once the run has its directory and its lock, before the working tree is looked at: what it writes there is
   * not taken for the implementer's. What it throws ends the run without a result.
   */
  beforeLook?: (run: {
    runId: string;
    directory: string;
    signal: AbortSignal;
    hurry: AbortSignal;
  }) => Promise<void>;
  /** Facts for a person that are no failure, such as user settings that weaken the sandbox. */
  onWarning?: (text: string) => void;
  limits?: Partial<Limits>;
}

/** Bounds that rarely need another value. */
export interface Limits extends RunLimits {
  /** Larger untracked files are fingerprinted, not stored. Default 50 MiB. */
  maxUntrackedBytes: number;
  /** What a scan of ignored files may cost: files, bytes of their names, milliseconds. Default 200,000, 64 MiB, 10,000. */
  ignored: { files: number; pathBytes: number; ms: number };
  /** One call of git. Default 120,000 ms. */
  gitMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  ...RUN_LIMITS,
  maxUntrackedBytes: 50 * 1024 * 1024,
  ignored: { files: 200_000, pathBytes: 64 * 1024 * 1024, ms: 10_000 },
  gitMs: 120_000,
};
