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
import { cleanEnvironment } from './clean-environment.ts';
import type { DispatchRequest } from './request.ts';
import { chooseSession } from './resume.ts';
import { makeTempFolder, type TempFolder } from './temp-folder.ts';

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
  planLaunch(binary: string, protect: readonly string[], features: readonly string[]): LaunchPlan;
  close(): void;
}

/** Takes the tree lock, makes the run directory, and keeps the brief. On failure the lock is given back. */
export function openRun(asked: DispatchRequest, repository: Repository | NoRepository): Run {
  const home = stateHome(asked.env);
  const id = newRunId();
  const treeTop = 'top' in repository ? repository.top : asked.realWorkdir;
  const { resume, profile, warning } = chooseSession(asked, home);
  const request = { ...asked, profile };
  refuseTreeAsRunDirectory(request, treeTop);
  const held: (() => void)[] = [];
  // In the opposite order of taking: the lock goes last.
  const release = (): void =>
    held
      .splice(0)
      .reverse()
      .forEach((giveBack) => giveBack());
  try {
    if (request.profile !== 'read-only') {
      const lock = acquireTreeLock({ stateHome: home, treeTop, runId: id });
      held.push(() => lock.release());
    }
    const directory = createRunDirectory({ stateHome: home, treeTop, outDir: request.outDir, runId: id });
    held.push(() => directory.close());
    const temp = ownTemp(request);
    if (temp) held.push(() => temp.remove());
    try {
      return begin(request, repository, directory, { id, home, resume, warning, temp, release });
    } catch (error) {
      throw unwritable(directory.path, error);
    }
  } catch (error) {
    release();
    throw error;
  }
}

interface Opening {
  id: string;
  home: string;
  resume: Run['resume'];
  warning: string | null;
  temp: TempFolder | null;
  release: () => void;
}

function ownTemp({ implementer, profile, env }: DispatchRequest): TempFolder | null {
  return implementer.capabilities.ownTemp && profile === 'write' ? makeTempFolder(env) : null;
}

function begin(
  request: DispatchRequest,
  repository: Repository | NoRepository,
  directory: RunDirectory,
  { id, home, resume, warning, temp, release }: Opening,
): Run {
  const { path } = directory;
  const { implementer } = request;
  const inherited = request.cleanEnv ? cleanEnvironment(request.env, request.keepEnv) : request.env;
  const env = childEnvironment(inherited, id);
  const planLaunch: Run['planLaunch'] = (binary, protect, features) =>
    implementer.plan({
      ...request,
      binary,
      cwd: request.workdir,
      runDir: path,
      env,
      platform: process.platform,
      resume,
      protect,
      features,
      tempDir: temp?.path ?? null,
      text: null,
    });
  const plan = planLaunch(implementer.id, protectedPaths(repository, path, []), []);
  writeArtifact(path, 'brief', request.brief);
  writeArtifact(path, 'events', '');
  writeArtifact(path, 'stderr', '');
  writePlanned(path, plan, null);
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
    warnings: [
      ...(warning === null ? [] : [warning]),
      ...(directory.unrecorded === null ? [] : [directory.unrecorded]),
      ...outsideGit(request, repository),
    ],
    keepSession: (sessionId) => {
      if (request.ephemeral || request.unrecorded) return;
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
    close: release,
  };
}

/** Said before the CLI itself refuses, which it does in a line on stderr. */
function outsideGit(
  { implementer, skipGitRepoCheck }: DispatchRequest,
  repository: Repository | NoRepository,
): string[] {
  if ('top' in repository || skipGitRepoCheck || !implementer.capabilities.skipGitRepoCheck) return [];
  return [
    `${implementer.id} refuses to work outside of a git repository, unless the directory is trusted: --skip-git-repo-check lets it`,
  ];
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

/** Never read back: what a launch is given is what was planned for it. What `written` already had is not written again. */
export function writePlanned(directory: string, plan: LaunchPlan, written: LaunchPlan | null): void {
  for (const { name, content } of plan.artifacts) {
    if (written?.artifacts.some((old) => old.name === name && old.content === content)) continue;
    writeArtifact(directory, name, content);
  }
}

/** What the sandbox must keep read-only: every git directory, and the run's own records. */
export function protectedPaths(
  repository: Repository | NoRepository,
  directory: string,
  nestedGitDirs: readonly string[],
): string[] {
  const own = 'top' in repository ? [repository.gitDir, repository.commonDir] : [];
  return [...new Set([...own, ...nestedGitDirs, realpathSync(directory)])];
}
