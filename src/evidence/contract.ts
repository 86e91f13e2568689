import type { Env } from '../core/environment.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import type { EvidenceBlock, ProfileName, ViolationKind } from '../rundir/result.ts';

/** What an observation needs to know. `repository` was located before anything ran. */
export interface ObservationRequest {
  repository: Repository | NoRepository;
  /** Where the implementer works: the top of the tree or below it. */
  cwd: string;
  /** Holds the private index and objects, and the patch. Its own files are never a change, also when it lies in the tree. */
  runDir: string;
  profile: ProfileName;
  /** Declared scope, globs relative to the top of the tree; empty for none. */
  touch: readonly string[];
  env: Env;
  limits: {
    /** An untracked file above this many bytes is fingerprinted, not stored. */
    maxUntrackedBytes: number;
    /** One git call. */
    gitTimeoutMs: number;
    /** Look at ignored files, too, within these bounds (number of files, bytes of their names, milliseconds); default: not. */
    ignored?: { files: number; pathBytes: number; ms: number };
  };
  signal?: AbortSignal;
}

/** The state before the run, kept until `after`. */
export interface Observation {
  beforeTree: string | null;
  baseCommit: string | null;
  /** Git directories of submodules and nested repositories, for the sandbox's deny list. Absolute, real paths. */
  nestedGitDirs: string[];
  /** Where the repository was, or why there was none. */
  after(end: AfterRequest): Promise<EvidenceReport>;
}

export interface AfterRequest {
  /** Baton had to KILL the implementer: sandbox placeholders may be left on disk. */
  killed: boolean;
  /** Which violations the implementer could have caused; from `containment`. Absent kinds count as possible. */
  possible: (kind: ViolationKind) => boolean;
  /** Gaps that others found (settings that undo the sandbox, an old CLI): they make coverage incomplete. */
  gaps: readonly string[];
  /** A second, faster look after an abort may give up early: this ends the git calls. */
  signal?: AbortSignal;
}

export interface EvidenceReport {
  evidence: EvidenceBlock;
  /** `git status --porcelain` lines; null where git could not say. */
  touchedFiles: string[] | null;
  /** Only for the read-only profile; otherwise undefined. */
  readOnlyViolation: boolean | null | undefined;
  /** `changes.patch`, absolute; null where there is no repository to compare. */
  patchPath: string | null;
}
