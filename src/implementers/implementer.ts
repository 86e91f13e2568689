import type { Env } from '../core/environment.ts';
import type { ArtifactName } from '../rundir/layout.ts';
import type { ProfileName, Reason, Result, Status, ViolationKind } from '../rundir/result.ts';
import type { AgentClaim, EventReader } from './events.ts';
import type { InspectRequest, Inspection } from './inspection.ts';

/** What a dispatch can ask of this implementer. A dial that is not supported is a usage error before anything starts. */
export interface Capabilities {
  resume: boolean;
  resumeLast: boolean;
  readOnly: boolean;
  model: boolean;
  /** The levels that are accepted, or true for any bare word. */
  effort: readonly string[] | boolean;
  maxTurns: boolean;
  maxBudgetUsd: boolean;
  autocompact: boolean;
  bypass: boolean;
  /** `--sandbox`: the mode of the CLI's own sandbox is asked for by its name. */
  sandboxModes: boolean;
  ephemeral: boolean;
  cleanEnv: boolean;
  skipGitRepoCheck: boolean;
  allowDomains: boolean;
  /** Where baton has no record of a last session, the CLI's own may be taken. */
  resumeUnrecorded: boolean;
  /** A session goes on with the profile it had, unless another one is asked for. */
  keepsProfile: boolean;
  /** Shared temp folders are closed to a write run, which gets a folder of its own. */
  ownTemp: boolean;
}

/** One look at the installed CLI before a run. Never a model call, never longer than the limit it was given. */
export interface Probe {
  answer: 'ok' | 'missing' | 'abnormal' | 'hung';
  /** The resolved path of the executable; null when there is none. */
  binary: string | null;
  /** Where something lies on PATH that cannot be started: why, in a sentence. */
  why?: string;
  /** The version text; `unknown` when the binary answered abnormally; null when there is none. */
  version: string | null;
  /** Things a person should know, such as user settings that undo the sandbox. A `gap` makes coverage incomplete. */
  warnings: { text: string; gap: boolean }[];
  /** What a plan has to know of this version and its settings, in words of the implementer's own. */
  features?: readonly string[];
}

export interface ProbeRequest {
  env: Env;
  cwd: string;
  profile: ProfileName;
  platform: NodeJS.Platform;
  limitMs: number;
  signal: AbortSignal;
  /** Where answers that hold for one version may be remembered; without it none is. */
  stateHome?: string;
}

/** Who asks for what, before anything is made. */
export interface RefusalRequest {
  profile: ProfileName;
  env: Env;
  platform: NodeJS.Platform;
  /** Of this process; undefined where the platform has none. */
  uid: number | undefined;
}

/** Why a run cannot be, and the way out. */
export interface Refusal {
  message: string;
  hint: string;
}

/** Everything a launch depends on; planning it touches nothing on disk. */
export interface LaunchRequest {
  /** Resolved path of the executable. */
  binary: string;
  profile: ProfileName;
  cwd: string;
  runDir: string;
  /** The child's environment, already cleaned, without the markers. */
  env: Env;
  platform: NodeJS.Platform;
  resume: { kind: 'session'; id: string } | { kind: 'last' } | null;
  model: string | null;
  effort: string | null;
  maxTurns: number | null;
  /** As written, so that no digit is lost. */
  maxBudgetUsd: string | null;
  autocompact: string | null;
  allowHooks: boolean;
  allowWrite: readonly string[];
  allowDomains: readonly string[];
  /** Directories (or files) that must stay read-only in the sandbox: git dirs, nested git dirs, the run directory. */
  protect: readonly string[];
  /** The session ends with the run: the CLI need not keep it. */
  ephemeral: boolean;
  /** A run for its text; null for a dispatch. */
  text: TextLaunch | null;
  /** From the probe; without it the plan is one that every version should take. */
  features?: readonly string[];
  /** The profile was asked for, and is not merely the default or that of the resumed session. */
  profileAsked?: boolean;
  /** `cwd` without links, where that is another path. */
  realWorkdir?: string;
  /** The run's own temp folder, which exists. */
  tempDir?: string | null;
  skipGitRepoCheck?: boolean;
}

/** What a run for its text asks of the CLI, beside the profile. */
export interface TextLaunch {
  /** `profile`: those of the profile. `none`: it can only talk. */
  tools: 'profile' | 'none';
  /** The JSON Schema that the answer must match, as JSON text; null where any text will do. */
  outputSchema: string | null;
}

export interface LaunchPlan {
  file: string;
  args: string[];
  env: Env;
  cwd: string;
  /** Files to write into the run directory before the launch, such as `profile.json`. */
  artifacts: { name: ArtifactName; content: string }[];
  toolSurface: string[];
  permissionMode: string;
  shellSandbox: Result['shellSandbox'];
  /** True where the shell sandbox must be on: a session that says otherwise is ended. */
  sandboxRequired: boolean;
  /** What this sandbox cannot keep from the implementer though it should: a sentence each. */
  gaps?: readonly string[];
}

/** What this profile on this platform still lets the implementer write or reach. One line each, each with a test. */
export interface Containment {
  lines: ContainmentLine[];
}

export interface ContainmentLine {
  /** Which kind of violation this line speaks of. */
  kind: ViolationKind;
  /** Whether the implementer could have done it: decides a violation's `actor`. */
  possible: boolean;
  /** Why, in a sentence: goes to the docs and to `baton show`. */
  why: string;
}

/** What the fields of a result that are an implementer's own are made of. */
export interface OwnFacts {
  version: string | null;
  claim: AgentClaim;
  plan: LaunchPlan;
  profile: ProfileName;
  /** As asked for; null where none was. */
  session: string | null;
  /** The session that went on; null for a fresh one. */
  resumedFrom: string | null;
  cleanEnv: boolean;
  /** Names of variables, never their values. */
  keepEnv: readonly string[];
}

/** The fields of a result that not every implementer has: the names that callers of its older relay know. */
export type OwnFields = Pick<
  Result,
  | 'tool'
  | 'claudeVersion'
  | 'codexVersion'
  | 'permissionMode'
  | 'sandbox'
  | 'sessionId'
  | 'threadId'
  | 'session'
  | 'resultSubtype'
  | 'cleanEnv'
  | 'keepEnv'
>;

/** Why a CLI left before it printed a record. */
export interface FalseStart {
  reason: Reason | null;
  retryable: boolean | null;
  text: string;
}

/** The one seam of the product: an agent CLI is a folder with these members. */
export interface Implementer {
  readonly id: string;
  /** The status of a run whose executable is missing. */
  readonly unavailable: Status;
  readonly capabilities: Capabilities;
  /** Pure: a profile that its CLI would refuse at the start, such as bypass as root; null where there is no objection. */
  refuse(request: RefusalRequest): Refusal | null;
  probe(request: ProbeRequest): Promise<Probe>;
  /** A longer look than the probe, for a person: loaded only when asked for, and never by a dispatch. */
  inspect(request: InspectRequest): Promise<Inspection>;
  plan(request: LaunchRequest): LaunchPlan;
  containment(
    request: Pick<LaunchRequest, 'profile' | 'platform' | 'allowHooks' | 'allowWrite'>,
  ): Containment;
  reader(): EventReader;
  /** Pure. */
  ownFields(facts: OwnFacts): OwnFields;
  /**
   * Pure: what the last lines of stderr say of a CLI that exited with an error before its first record. Null where they
   * say nothing known. Once there was a record, stderr is never asked: tools print there too.
   */
  falseStart?(stderr: readonly string[]): FalseStart | null;
}
