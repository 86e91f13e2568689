/**
 * `result.json`: what is known about a finished run. Three blocks answer three questions and never lend each
 * other a word: `process` how it ended, `agent` what the implementer says, `evidence` what baton saw.
 *
 * `result-schema.ts` holds the same contract as zod schemas; the two are checked against each other by the compiler.
 */
export const RESULT_SCHEMA = 'delegate-relay.result.v1';

export type Status =
  | 'completed'
  | 'failed'
  | 'timeout'
  | 'aborted'
  | 'claude_unavailable'
  | 'codex_unavailable'
  | 'scripted_unavailable';

/** Codex's names for what a run may do. */
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

export type ProfileName = 'write' | 'read-only' | 'bypass';

export type ProcessExit = 'code' | 'signal' | 'timeout' | 'aborted' | 'unobserved' | 'not-started';

export type TimeoutKind = 'first-event' | 'idle' | 'wall';

/** A process that outlived the implementer: found by its marker, group, parent, sample or open log. */
export interface LeftProcess {
  pid: number;
  /** Its command line or name, at most 200 characters. */
  command: string;
}

export interface ProcessBlock {
  pid: number | null;
  exit: ProcessExit;
  timeoutKind: TimeoutKind | null;
  /** Baton ended it in the completion grace, after its terminal event. */
  endedAfterResult: boolean;
  swept: LeftProcess[];
  survivors: LeftProcess[];
  durationMs: number;
  /** How far wall time ran away from monotonic time: a suspend, or a clock that was set. */
  clockGapMs: number;
}

export type Claim = 'success' | 'error' | 'none';

export type Reason =
  | 'usage-limit'
  | 'rate-limit'
  | 'overloaded'
  | 'auth'
  | 'max-turns'
  | 'budget'
  | 'context-overflow'
  | 'session-not-found'
  | 'needs-input'
  | 'sandbox-unavailable'
  | 'api-error'
  | 'other';

export interface Denial {
  tool: string;
  input: unknown;
  reason: string | null;
}

export interface AgentBlock {
  claim: Claim;
  reason: Reason | null;
  retryable: boolean | null;
  /** ISO 8601, where the implementer said when. */
  retryAt: string | null;
  denials: Denial[];
  retries: number;
  structuredOutput?: unknown;
  finalTextSource: 'result' | 'assistant' | 'none';
  resumedFrom: string | null;
  model: string | null;
  toolCalls: number;
  subagents: number;
  /** The parts of its own report, where the final text has them. */
  report?: AgentReport;
}

/** What a brief asks for at the end of the final text. Null: no such part; an empty list: it says that there is none. */
export interface AgentReport {
  /** What changed and why, as written. */
  changed: string | null;
  files: { path: string; note: string }[] | null;
  gates: ReportedGate[] | null;
  deviations: string[] | null;
  questions: string[] | null;
}

export interface ReportedGate {
  command: string;
  outcome: 'passed' | 'failed' | 'not-run' | 'unclear';
  /** What it says of it, as written. */
  note: string;
}

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'mode' | 'type';

export interface Change {
  /** Relative to the top of the working tree, `/` between segments. Bytes that are no UTF-8 are written `\xNN`. */
  path: string;
  from?: string;
  kind: ChangeKind;
  /** Lines; null for binary content. */
  added: number | null;
  deleted: number | null;
  /** The path already differed from HEAD before the run. */
  preexisting: boolean;
}

export type ViolationKind =
  | 'commit'
  | 'ref'
  | 'stash'
  | 'index'
  | 'hooks'
  | 'git-config'
  | 'agent-settings'
  | 'scope'
  | 'read-only'
  | 'outside';

export interface Violation {
  kind: ViolationKind;
  /** A sentence for a person, naming the ref, file or setting and both values. */
  detail: string;
  actor: 'implementer-possible' | 'excluded-by-sandbox';
}

export interface EvidenceBlock {
  tree: 'changed' | 'unchanged' | 'unknown';
  beforeTree: string | null;
  afterTree: string | null;
  baseCommit: string | null;
  changes: Change[];
  violations: Violation[];
  /** Facts that are no violation but that a person may want to know, such as a remote-tracking ref that moved. */
  notices: string[];
  coverage: {
    complete: boolean;
    gaps: string[];
    ignored: 'scanned' | 'not-scanned';
  };
}

export interface StreamBlock {
  bytes: number;
  events: number;
  unreadable: number;
  oversize: number;
  truncated: boolean;
}

export interface CostBlock {
  usd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  byModel: {
    [model: string]: {
      usd: number | null;
      inputTokens: number | null;
      outputTokens: number | null;
      cachedTokens: number | null;
    };
  };
}

export interface Result {
  schema: typeof RESULT_SCHEMA;
  tool?: string;
  runId: string;
  implementer: string;
  batonVersion: string;
  status: Status;
  exitCode: number;
  signal: string | null;
  error?: string;
  stderrTail?: string[];

  claudeVersion?: string | null;
  permissionMode?: string;
  sessionId?: string | null;
  resultSubtype?: string | null;

  codexVersion?: string | null;
  threadId?: string | null;
  session?: string | null;
  sandbox?: SandboxMode;
  cleanEnv?: boolean;
  keepEnv?: string[];

  finalMessage: string;
  numTurns: number | null;
  usage: unknown;
  totalCostUsd: number | null;
  touchedFiles: string[] | null;
  readOnlyViolation?: boolean | null;

  workdir: string;
  lane: string | null;
  laneSource: 'global' | 'project' | null;
  /** The dials that the lane decided, by name; the others are by flag or default. Absent without a lane. */
  laneDials?: string[];
  model: string | null;
  effort: string | null;
  maxTurns: number | null;
  maxBudgetUsd: number | null;
  autocompact?: string;
  timeout: string | null;
  readOnly: boolean;
  resumed: boolean;
  resumeLast: boolean;
  /** The run that this one reworks; absent where it reworks none. */
  parent?: string;
  toolSurface: string[];
  shellSandbox: 'strict' | 'not-applicable' | 'unsupported-on-native-windows';
  dangerouslySkipPermissions: boolean;
  /** What was widened on request; absent where nothing was. */
  widened?: { hooks: boolean; write: string[]; domains: string[] };

  startedAt: string;
  finishedAt: string;
  briefPath: string;
  eventsPath: string;
  finalPath: string;
  stderrPath: string;
  settingsPath: string | null;
  resultPath?: string;
  patchPath?: string | null;

  process: ProcessBlock;
  agent: AgentBlock;
  evidence: EvidenceBlock;
  stream: StreamBlock;
  cost: CostBlock;
}
