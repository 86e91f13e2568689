import { BATON_VERSION } from '../core/version.ts';
import type { EvidenceReport } from '../evidence/contract.ts';
import type { AgentClaim } from '../implementers/events.ts';
import { artifactPath } from '../rundir/layout.ts';
import { RESULT_SCHEMA, type ProcessBlock, type Result, type StreamBlock } from '../rundir/result.ts';
import type { Verdict } from '../running/judge.ts';
import { stderrTail } from '../running/stderr-tail.ts';
import type { Run } from './open-run.ts';
import { readReport } from './report.ts';
import type { DispatchRequest } from './request.ts';

/** What is known when a result is written. */
export interface Findings {
  run: Run;
  finishedAt: Date;
  verdict: Verdict;
  claim: AgentClaim;
  process: ProcessBlock;
  stream: StreamBlock;
  report: EvidenceReport;
  /** The CLI's own sandbox was off, and baton ended the run for it. */
  sandboxMissing: boolean;
}

/** Puts the findings into the words of the contract. Pure but for the tail of `stderr.txt`. */
export function composeResult(found: Findings): Result {
  const { run, verdict, claim, report } = found;
  const { request, directory: runDir } = run;
  const { plan, version } = run.known;
  const resumedFrom = run.resume?.kind === 'session' ? run.resume.id : null;
  const tail = verdict.status === 'completed' ? null : stderrTail(artifactPath(runDir, 'stderr'));
  const widened = widening(request);
  const agentReport = readReport(claim.finalText);
  return {
    schema: RESULT_SCHEMA,
    runId: run.id,
    implementer: request.implementer.id,
    batonVersion: BATON_VERSION,
    status: verdict.status,
    exitCode: verdict.exitCode,
    signal: verdict.signal,
    ...(verdict.error === null ? {} : { error: verdict.error }),
    ...(tail === null ? {} : { stderrTail: tail }),

    ...request.implementer.ownFields({ ...request, version, claim, plan, resumedFrom }),

    finalMessage: claim.finalText,
    numTurns: claim.numTurns,
    usage: claim.usage ?? null,
    totalCostUsd: claim.cost.usd,
    touchedFiles: report.touchedFiles,
    ...(report.readOnlyViolation === undefined ? {} : { readOnlyViolation: report.readOnlyViolation }),

    workdir: request.workdir,
    lane: request.lane?.name ?? null,
    laneSource: request.lane?.source ?? null,
    ...(request.lane === null ? {} : { laneDials: request.lane.dials }),
    model: request.model,
    effort: request.effort,
    maxTurns: request.maxTurns,
    maxBudgetUsd: request.maxBudgetUsd === null ? null : Number(request.maxBudgetUsd),
    ...(request.autocompact === null ? {} : { autocompact: request.autocompact }),
    timeout: request.timeout,
    readOnly: request.profile === 'read-only',
    resumed: request.resumeLast || request.session !== null,
    resumeLast: request.resumeLast,
    ...(request.parent === null ? {} : { parent: request.parent }),
    toolSurface: plan.toolSurface,
    shellSandbox: plan.shellSandbox,
    dangerouslySkipPermissions: request.profile === 'bypass',
    ...(widened ? { widened } : {}),

    startedAt: run.startedAt.toISOString(),
    finishedAt: found.finishedAt.toISOString(),
    briefPath: artifactPath(runDir, 'brief'),
    eventsPath: artifactPath(runDir, 'events'),
    finalPath: artifactPath(runDir, 'final'),
    stderrPath: artifactPath(runDir, 'stderr'),
    settingsPath: artifactPath(runDir, 'profile'),
    resultPath: artifactPath(runDir, 'result'),
    patchPath: report.patchPath,

    process: found.process,
    agent: {
      claim: claim.claim,
      reason: found.sandboxMissing ? 'sandbox-unavailable' : claim.reason,
      retryable: found.sandboxMissing ? false : claim.retryable,
      retryAt: claim.retryAt,
      denials: claim.denials,
      retries: claim.retries,
      ...(claim.structuredOutput === undefined ? {} : { structuredOutput: claim.structuredOutput }),
      finalTextSource: claim.finalTextSource,
      resumedFrom,
      model: claim.model,
      toolCalls: claim.toolCalls,
      subagents: claim.subagents,
      ...(agentReport === null ? {} : { report: agentReport }),
    },
    evidence: report.evidence,
    stream: found.stream,
    cost: claim.cost,
  };
}

function widening(request: DispatchRequest): Result['widened'] {
  const { allowHooks, allowWrite, allowDomains } = request;
  if (!allowHooks && allowWrite.length === 0 && allowDomains.length === 0) return undefined;
  return { hooks: allowHooks, write: allowWrite, domains: allowDomains };
}
