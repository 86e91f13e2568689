import { newRunId } from '../core/ids.ts';
import { stateHome } from '../core/state-home.ts';
import type { AgentClaim, AgentEvent, EventReader } from '../implementers/events.ts';
import type { LaunchPlan } from '../implementers/implementer.ts';
import { writeArtifact } from '../rundir/artifact.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { Reason } from '../rundir/result.ts';
import { childEnvironment } from './child-environment.ts';
import { abortCause, judge, judgeAbort, judgePreflight, type Verdict } from './judge.ts';
import { RUN_LIMITS } from './limits.ts';
import { runImplementer } from './run.ts';
import { stderrTail } from './stderr-tail.ts';
import { openTextDirectory, type TextDirectory } from './text-directory.ts';
import type { TextRequest } from './text-options.ts';

/** After its result the CLI has only to leave. */
const COMPLETION_GRACE_MS = 30_000;

/** What one prompt to one process came to. */
export interface TextOutcome {
  verdict: Verdict;
  claim: AgentClaim;
  /** Why it failed, where the claim or a CLI that left without a record says so. */
  reason: Reason | null;
  retryable: boolean | null;
  /** The agent's own last words, also where the run failed; ''. */
  said: string;
  stderrTail: string[];
  /** Where the raw stream is kept; null where it was removed. */
  directory: string | null;
}

export interface TextLaunch {
  prompt: Uint8Array;
  /** JSON text; null where any text will do. */
  outputSchema: string | null;
  /** Milliseconds. */
  wallMs: number;
}

/** Looks for the CLI, starts it, follows it to its end, and judges. Then its files go, unless they are to be kept. */
export async function launchForText(request: TextRequest, launch: TextLaunch): Promise<TextOutcome> {
  const runId = newRunId();
  const directory = openTextDirectory(runId, request.debug ? request.env : null);
  if (directory.kept) request.listeners.onKept?.(directory.path);
  try {
    writeArtifact(directory.path, 'brief', launch.prompt);
    writeArtifact(directory.path, 'events', '');
    writeArtifact(directory.path, 'stderr', '');
    return await follow(request, launch, { runId, directory, reader: request.implementer.reader() });
  } finally {
    directory.close();
  }
}

interface Place {
  runId: string;
  directory: TextDirectory;
  reader: EventReader;
}

async function follow(request: TextRequest, launch: TextLaunch, place: Place): Promise<TextOutcome> {
  const { directory, reader } = place;
  let said = '';
  let heard = false;
  const verdict = await runToVerdict(request, launch, place, (event) => {
    heard = true;
    if (event.type === 'text' && !event.subagent) said = event.text;
    request.listeners.onEvent?.(event);
  });
  const claim = reader.claim();
  if (directory.kept) writeArtifact(directory.path, 'final', claim.finalText);
  const tail = stderrTail(artifactPath(directory.path, 'stderr'));
  const falseStart = heard || verdict.status !== 'failed' ? null : request.implementer.falseStart?.(tail);
  return {
    verdict: falseStart ? { ...verdict, error: falseStart.text } : verdict,
    claim,
    reason: falseStart ? falseStart.reason : claim.reason,
    retryable: falseStart ? falseStart.retryable : claim.retryable,
    said,
    stderrTail: tail,
    directory: directory.kept ? directory.path : null,
  };
}

async function runToVerdict(
  request: TextRequest,
  launch: TextLaunch,
  { runId, directory, reader }: Place,
  onEvent: (event: AgentEvent) => void,
): Promise<Verdict> {
  const { implementer, signal, hurry, listeners } = request;
  const env = childEnvironment(request.env, runId);
  const probe = await implementer.probe({
    env,
    cwd: request.workdir,
    profile: 'read-only',
    platform: process.platform,
    limitMs: RUN_LIMITS.preflightMs,
    signal,
    stateHome: stateHome(request.env),
  });
  if (signal.aborted) return judgeAbort(abortCause(signal));
  for (const { text } of probe.warnings) listeners.onWarning?.(text);
  if (probe.binary === null || probe.answer === 'missing' || probe.answer === 'hung')
    return judgePreflight(implementer, probe, RUN_LIMITS.preflightMs);

  const plan = implementer.plan({
    binary: probe.binary,
    profile: 'read-only',
    cwd: request.workdir,
    runDir: directory.path,
    env,
    platform: process.platform,
    resume: null,
    model: request.model,
    effort: request.effort,
    maxTurns: null,
    maxBudgetUsd: null,
    autocompact: null,
    allowHooks: false,
    allowWrite: [],
    allowDomains: [],
    protect: [],
    ephemeral: true,
    ...(probe.features ? { features: probe.features } : {}),
    // The check keeps work from being lost that no repository holds; a run that cannot write needs none.
    skipGitRepoCheck: true,
    text: { tools: request.tools, outputSchema: launch.outputSchema },
  });
  writePlanned(directory, plan);
  const outcome = await runImplementer({
    plan,
    runId,
    files: {
      brief: artifactPath(directory.path, 'brief'),
      events: artifactPath(directory.path, 'events'),
      stderr: artifactPath(directory.path, 'stderr'),
    },
    reader,
    clocks: {
      wall: launch.wallMs,
      firstEvent: null,
      idle: null,
      completionGrace: COMPLETION_GRACE_MS,
      termGrace: RUN_LIMITS.termGraceMs,
    },
    limits: RUN_LIMITS,
    abort: signal,
    hurry,
    onEvent,
    ...(listeners.onStderr ? { onStderr: listeners.onStderr } : {}),
  });
  if (outcome.process.exit === 'aborted') return judgeAbort(abortCause(signal));
  const { source } = request.timeout;
  const clockFlags = { wall: source, firstEvent: '', idle: '' };
  return judge(
    { id: implementer.id, unavailable: implementer.unavailable, claim: reader.claim(), clockFlags },
    outcome,
  );
}

function writePlanned(directory: TextDirectory, plan: LaunchPlan): void {
  for (const { name, content } of plan.artifacts) writeArtifact(directory.path, name, content);
}
