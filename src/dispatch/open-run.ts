import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { newRunId } from '../core/ids.ts';
import { systemClock } from '../core/clock.ts';
import type { Env } from '../core/environment.ts';
import { BatonError, messageOf, systemCode, UsageError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import type { EventReader } from '../implementers/events.ts';
import type { LaunchPlan, LaunchRequest } from '../implementers/implementer.ts';
import { writeArtifact } from '../rundir/artifact.ts';
import { createRunDirectory, type RunDirectory } from '../rundir/directory.ts';
import type { LiveRecord } from '../rundir/live.ts';
import { recordSession } from '../rundir/sessions.ts';
import { acquireTreeLock } from '../rundir/tree-lock.ts';
import { childEnvironment } from '../running/child-environment.ts';
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

/** Takes the tree lock, makes the run directory, and keeps the brief. On failure the lock is given back. */
export function openRun(request: DispatchRequest, repository: Repository | NoRepository): Run {
  const home = stateHome(request.env);
  const id = newRunId();
  const treeTop = 'top' in repository ? repository.top : request.realWorkdir;
  const resume = chooseSession(request, home);
  refuseTreeAsRunDirectory(request, treeTop);
  const lock =
    request.profile === 'read-only' ? null : acquireTreeLock({ stateHome: home, treeTop, runId: id });
  try {
    const directory = createRunDirectory({ stateHome: home, treeTop, outDir: request.outDir, runId: id });
    try {
      return begin(request, repository, directory, { id, home, resume, release: () => lock?.release() });
    } catch (error) {
      directory.close();
      throw unwritable(directory.path, error);
    }
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function begin(
  request: DispatchRequest,
  repository: Repository | NoRepository,
  directory: RunDirectory,
  { id, home, resume, release }: { id: string; home: string; resume: Run['resume']; release: () => void },
): Run {
  const { path } = directory;
  const { implementer } = request;
  const env = childEnvironment(request.env, id);
  const planLaunch = (binary: string, protect: readonly string[]): LaunchPlan =>
    implementer.plan({
      ...request,
      binary,
      cwd: request.workdir,
      runDir: path,
      env,
      platform: process.platform,
      resume,
      protect,
      text: null,
    });
  const plan = planLaunch(implementer.id, []);
  writeArtifact(path, 'brief', request.brief);
  writeArtifact(path, 'events', '');
  writeArtifact(path, 'stderr', '');
  writePlanned(path, plan);
  return {
    id,
    directory: path,
    request,
    repository,
    env,
    resume,
    startedAt: new Date(systemClock.wall()),
    startedMonotonic: systemClock.monotonic(),
    reader: implementer.reader(),
    live: directory.live,
    known: { version: null, plan, pid: null },
    gaps: [],
    warnings: directory.unrecorded === null ? [] : [directory.unrecorded],
    keepSession: (sessionId) => {
      if (request.ephemeral) return;
      recordSession({
        stateHome: home,
        implementer: implementer.id,
        cwd: request.realWorkdir,
        sessionId,
        runId: id,
        profile: request.profile,
      });
    },
    planLaunch,
    close: () => {
      directory.close();
      release();
    },
  };
}

/** What the system refuses here (a full disk, a limit of the size of files) is no fault of baton's. */
function unwritable(path: string, error: unknown): unknown {
  if (systemCode(error) === undefined) return error;
  return new BatonError('run-directory', `the run directory ${path} cannot be written: ${messageOf(error)}`, {
    hint: 'nothing was dispatched; make room, or name another directory with --out-dir',
    cause: error,
  });
}

/** The sandbox keeps the run directory read-only: one that holds the working tree would leave nothing to write. */
function refuseTreeAsRunDirectory({ profile, outDir, realWorkdir }: DispatchRequest, treeTop: string): void {
  if (profile === 'read-only' || outDir === null) return;
  const real = existsSync(outDir) ? realpathSync(outDir) : outDir;
  const holder = [realWorkdir, treeTop].find((path) => path === real || path.startsWith(`${real}${sep}`));
  if (holder === undefined) return;
  throw new UsageError(
    `--out-dir ${JSON.stringify(outDir)} holds the working tree ${holder}: the implementer may not write in its run directory`,
    { hint: 'name a directory of its own' },
  );
}

/** Written anew for each launch and never read back: the file of an earlier run may have been edited. */
export function writePlanned(directory: string, plan: LaunchPlan): void {
  for (const { name, content } of plan.artifacts) writeArtifact(directory, name, content);
}
