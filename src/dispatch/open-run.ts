import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRunId } from '../core/ids.ts';
import { systemClock } from '../core/clock.ts';
import type { Env } from '../core/environment.ts';
import { stateHome } from '../core/state-home.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import type { EventReader } from '../implementers/events.ts';
import type { LaunchPlan, LaunchRequest } from '../implementers/implementer.ts';
import { createRunDirectory } from '../rundir/directory.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { LiveRecord } from '../rundir/live.ts';
import { recordSession } from '../rundir/sessions.ts';
import { acquireTreeLock } from '../rundir/tree-lock.ts';
import { childEnvironment } from './child-environment.ts';
import type { DispatchRequest } from './request.ts';
import { chooseSession } from './resume.ts';

/** A run that has its directory and, if it may write, its working tree to itself. */
export interface Run {
  id: string;
  directory: string;
  request: DispatchRequest;
  repository: Repository | NoRepository;
  /** The implementer's environment. */
  env: Env;
  resume: LaunchRequest['resume'];
  startedAt: Date;
  startedMonotonic: number;
  reader: EventReader;
  live: LiveRecord;
  /** Facts for the result that become known on the way. */
  known: { version: string | null; plan: LaunchPlan; pid: number | null };
  /** Why parts of the run could not be seen. */
  gaps: string[];
  /** What a person should hear. */
  warnings: string[];
  keepSession(sessionId: string): void;
  planLaunch(binary: string, protect: readonly string[]): LaunchPlan;
  close(): void;
}

/** Takes the tree lock, makes the run directory, and keeps the brief. On failure nothing of it stays. */
export function openRun(request: DispatchRequest, repository: Repository | NoRepository): Run {
  const home = stateHome(request.env);
  const id = newRunId();
  const treeTop = 'top' in repository ? repository.top : request.realWorkdir;
  const resume = chooseSession(request, home);
  const lock =
    request.profile === 'read-only' ? null : acquireTreeLock({ stateHome: home, treeTop, runId: id });
  try {
    const directory = createRunDirectory({ stateHome: home, treeTop, outDir: request.outDir, runId: id });
    const path = directory.path;
    const env = childEnvironment(request.env, id);
    const planLaunch = (binary: string, protect: readonly string[]): LaunchPlan =>
      request.implementer.plan({
        ...request,
        binary,
        cwd: request.workdir,
        runDir: path,
        env,
        platform: process.platform,
        resume,
        protect,
      });
    const plan = planLaunch(request.implementer.id, []);
    keepBrief(path, request.brief);
    writeArtifacts(path, plan);
    return {
      id,
      directory: path,
      request,
      repository,
      env,
      resume,
      startedAt: new Date(systemClock.wall()),
      startedMonotonic: systemClock.monotonic(),
      reader: request.implementer.reader(),
      live: directory.live,
      known: { version: null, plan, pid: null },
      gaps: [],
      warnings: directory.unrecorded === null ? [] : [directory.unrecorded],
      keepSession: (sessionId) => {
        recordSession({
          stateHome: home,
          implementer: request.implementer.id,
          cwd: request.realWorkdir,
          sessionId,
          runId: id,
          profile: request.profile,
        });
      },
      planLaunch,
      close: () => {
        directory.live.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function keepBrief(directory: string, brief: Uint8Array): void {
  writeFileSync(artifactPath(directory, 'brief'), brief, { mode: 0o600 });
  for (const name of ['events', 'stderr'] as const)
    closeSync(openSync(artifactPath(directory, name), 'a', 0o600));
}

/** Written anew for each launch and never read back: the file of an earlier run may have been edited. */
export function writeArtifacts(directory: string, plan: LaunchPlan): void {
  for (const { name, content } of plan.artifacts)
    writeFileSync(join(directory, name), content, { mode: 0o600 });
}
