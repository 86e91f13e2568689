export { dispatch, startRun, type RunHandle } from './dispatch/dispatch.ts';
export type { DispatchOptions, Limits } from './dispatch/options.ts';
export type { Dials, Lane } from './lanes/lane.ts';
export { ResultNotWritten } from './dispatch/settle.ts';
export {
  snakeCase as normalizeCodexItemType,
  textOf as collectCodexText,
} from './implementers/codex/spellings.ts';
export { loadPrompt, type PromptOptions } from './prompts/load.ts';
export { BatonError, UsageError } from './core/errors.ts';
export { resolveTimeout, type Limit } from './running/resolve-timeout.ts';
export { runClaude, runCodex, runLLM, type TextRun } from './running/text.ts';
export { TextRunError, type TextFailure } from './running/text-error.ts';
export type { TextOptions } from './running/text-options.ts';
export type { AgentEvent } from './implementers/events.ts';
export type {
  AgentBlock,
  AgentReport,
  Change,
  ChangeKind,
  Claim,
  CostBlock,
  Denial,
  EvidenceBlock,
  LeftProcess,
  ProcessBlock,
  ProcessExit,
  ProfileName,
  Reason,
  ReportedGate,
  Result,
  SandboxMode,
  Status,
  StreamBlock,
  TimeoutKind,
  Violation,
  ViolationKind,
} from './rundir/result.ts';
export * from './skills-api.ts';
