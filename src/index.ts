export { dispatch, startRun, type RunHandle } from './dispatch/dispatch.ts';
export type { DispatchOptions, Limits } from './dispatch/options.ts';
export type { Dials, Lane } from './lanes/lane.ts';
export { ResultNotWritten } from './dispatch/settle.ts';
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
