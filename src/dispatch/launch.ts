import { systemClock } from '../core/clock.ts';
import { stateHome } from '../core/state-home.ts';
import type { AgentEvent } from '../implementers/events.ts';
import type { Probe } from '../implementers/implementer.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { RunOutcome } from '../running/contract.ts';
import { runImplementer } from '../running/run.ts';
import type { AbortWatch } from './abort.ts';
import type { FirstLook } from './look-first.ts';
import { protectedPaths, writePlanned, type Run } from './open-run.ts';
import type { DispatchOptions } from './options.ts';

/** Starts the implementer and follows it to its end. Null where the preflight or an abort came first. */
export async function launch(
  run: Run,
  look: FirstLook,
  options: DispatchOptions,
  abort: AbortWatch,
): Promise<RunOutcome | null> {
  const { probe } = look;
  if (
    abort.cause() !== null ||
    probe.binary === null ||
    probe.answer === 'missing' ||
    probe.answer === 'hung'
  )
    return null;
  const first = await launchBinary(run, look, { ...probe, binary: probe.binary }, options, abort);
  if (first.launchError?.code !== 'ENOENT' || abort.cause() !== null) return first;
  // An update may have replaced the executable between the preflight and now: look once more where it is.
  const again = await run.request.implementer.probe({
    env: run.env,
    cwd: run.request.workdir,
    profile: run.request.profile,
    platform: process.platform,
    limitMs: run.request.limits.preflightMs,
    signal: abort.signal,
    stateHome: stateHome(run.request.env),
  });
  if (again.binary === null || again.answer === 'hung') return first;
  run.known.version = again.version;
  return launchBinary(run, look, { ...again, binary: again.binary }, options, abort);
}

function launchBinary(
  run: Run,
  look: FirstLook,
  { binary, features = [] }: Pick<Probe, 'features'> & { binary: string },
  options: DispatchOptions,
  abort: AbortWatch,
): Promise<RunOutcome> {
  const { request } = run;
  const plan = run.planLaunch(
    binary,
    protectedPaths(run.repository, run.directory, look.before?.nestedGitDirs ?? []),
    features,
  );
  for (const gap of plan.gaps ?? []) {
    run.gaps.push(gap);
    options.onWarning?.(gap);
  }
  writePlanned(run.directory, plan, run.known.plan);
  run.known.plan = plan;
  return runImplementer({
    plan,
    runId: run.id,
    files: {
      brief: artifactPath(run.directory, 'brief'),
      events: artifactPath(run.directory, 'events'),
      stderr: artifactPath(run.directory, 'stderr'),
    },
    reader: run.reader,
    clocks: { ...request.clocks, termGrace: request.limits.termGraceMs },
    limits: { maxRecordBytes: request.limits.maxRecordBytes, minFreeBytes: request.limits.minFreeBytes },
    abort: abort.signal,
    hurry: abort.hurry,
    onEvent: (event) => onEvent(run, event, options),
    ...(options.onStderr ? { onStderr: options.onStderr } : {}),
    onStarted: (started) => {
      run.known.pid = started.pid;
      run.live.started(started);
    },
  });
}

/** The session is recorded as soon as it is known: a run that is killed can be resumed all the same. */
function onEvent(run: Run, event: AgentEvent, options: DispatchOptions): void {
  if (event.type === 'session') run.keepSession(event.sessionId);
  options.onEvent?.(event);
}

/** How long the run took so far, in milliseconds. */
export function elapsed(run: Run): number {
  return systemClock.monotonic() - run.startedMonotonic;
}
