import { stateHome } from '../core/state-home.ts';
import type { Observation } from '../evidence/contract.ts';
import { observe } from '../evidence/observe.ts';
import type { Probe } from '../implementers/implementer.ts';
import type { AbortWatch } from './abort.ts';
import type { Run } from './open-run.ts';
import type { DispatchOptions } from './options.ts';

/** What is there before the implementer starts. `before` is null where an abort came first. */
export interface FirstLook {
  probe: Probe;
  before: Observation | null;
}

/**
 * The preflight and the before-snapshot: side by side for a write run; one after the other for a read-only one,
 * where even a version probe that writes must not be taken for a part of the run.
 */
export async function lookFirst(run: Run, options: DispatchOptions, abort: AbortWatch): Promise<FirstLook> {
  const { request } = run;
  const asked = request.implementer.probe({
    env: run.env,
    cwd: request.workdir,
    profile: request.profile,
    platform: process.platform,
    limitMs: request.limits.preflightMs,
    signal: abort.signal,
    stateHome: stateHome(request.env),
  });
  if (request.profile === 'read-only') await asked;
  const [probe, before] = await Promise.all([asked, observeTree(run, abort)]);
  run.known.version = probe.version;
  for (const { text, gap } of probe.warnings) {
    run.warnings.push(text);
    if (gap) run.gaps.push(text);
  }
  for (const text of run.warnings) options.onWarning?.(text);
  return { probe, before };
}

async function observeTree(run: Run, abort: AbortWatch): Promise<Observation | null> {
  const { request } = run;
  try {
    return await observe({
      repository: run.repository,
      cwd: request.realWorkdir,
      runDir: run.directory,
      profile: request.profile,
      touch: request.touch,
      env: request.env,
      limits: {
        maxUntrackedBytes: request.limits.maxUntrackedBytes,
        gitTimeoutMs: request.limits.gitMs,
        ...(request.scanIgnored ? { ignored: request.limits.ignored } : {}),
      },
      signal: abort.signal,
    });
  } catch (error) {
    if (abort.cause() !== null) return null;
    throw error;
  }
}
