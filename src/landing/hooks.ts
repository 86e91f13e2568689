import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, GIT_LOCAL_VARIABLES, readVariable, withoutVariables } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import { answerOf, pathOutside } from '../git/trusted.ts';
import { birthOf } from '../process/birth.ts';
import { launch } from '../process/launch.ts';
import { which } from '../process/which.ts';
import type { ProcessIdentity } from '../rundir/live.ts';
import { oneLine, succeed } from './trees.ts';
import { GIT_MS, type Workshop } from './workshop.ts';

export type HookName = 'pre-commit' | 'prepare-commit-msg' | 'commit-msg' | 'post-commit';

const HOOKS: readonly HookName[] = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

/** How a hook of the user's ended. */
export interface HookRun {
  name: HookName;
  code: number;
  /** What it printed, on both streams. */
  output: string;
}

export interface HookRequest {
  workshop: Workshop;
  name: HookName;
  args?: readonly string[];
  /** The index of the commit that is being made; without it, the user's own. */
  index?: string;
  /** Called once it runs: after a crash, nobody may restore what a living hook is still at work on. */
  onStart: (hook: ProcessIdentity) => void;
  signal?: AbortSignal;
}

/** The hooks that there are. Git also takes them from settings by now: then any may be. */
export async function findHooks({ env, repository, frozen }: Workshop): Promise<ReadonlySet<HookName>> {
  if (frozen.settings.some(({ section }) => section === 'hook')) return new Set(HOOKS);
  const folder = await succeed(
    answerOf('rev-parse', {
      file: gitOutside(env, repository.top),
      args: ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'],
      cwd: repository.top,
      env: hookEnvironment(env, undefined),
      timeoutMs: GIT_MS,
    }),
    'rev-parse',
  );
  return new Set(HOOKS.filter((name) => existsSync(join(oneLine(folder), name))));
}

/**
 * Waits for a line before it becomes the program: a hook must not begin before it is written down that it runs, or a
 * kill in between would have the next command restore files under its hands. If baton dies first, it never begins.
 */
const WAIT_FOR_GO = ['/bin/sh', '-c', 'read -r go && exec "$@" </dev/null', 'sh'] as const;

/**
 * Runs a hook as `git commit` would: by git itself, with the user's environment, and for as long as it takes. A hook
 * that is not there ends with 0 and no output.
 */
export async function runHook(request: HookRequest): Promise<HookRun> {
  const { workshop, name, args = [], index, signal } = request;
  const log = join(workshop.folder, 'hook-output.txt');
  const output = openSync(log, 'w', 0o600);
  const git = [gitOutside(workshop.env, workshop.repository.top), 'hook', 'run', '--ignore-missing', name];
  const [file = '', ...rest] = [...(process.platform === 'win32' ? [] : WAIT_FOR_GO), ...git, '--', ...args];
  try {
    const started = await launch({
      file,
      args: rest,
      cwd: workshop.repository.top,
      env: hookEnvironment(workshop.env, index),
      stdio: ['pipe', output, output],
    });
    if ('failure' in started) {
      throw new BatonError('hook', `the hook ${name} could not be started: ${started.failure.message}`);
    }
    const { child, pid } = started;
    request.onStart({ pid, birth: birthOf(pid) });
    child.stdin?.on('error', () => {}); // it was killed at the gate: the exit tells
    child.stdin?.end('go\n');
    const code = await endOf(child, pid, signal);
    const printed = readFileSync(log, 'utf8');
    if (code !== 0 && printed.includes("'hook' is not a git command")) {
      throw new BatonError('git-too-old', `this git cannot run the hook ${name} for others`, {
        hint: 'install git 2.36 or newer',
      });
    }
    return { name, code, output: printed };
  } finally {
    closeSync(output);
  }
}

function endOf(child: Launched['child'], pid: number, signal: AbortSignal | undefined): Promise<number> {
  return new Promise((resolve) => {
    const onAbort = (): void => {
      try {
        process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
      } catch {
        // It has just ended.
      }
    };
    child.once('exit', (code, by) => {
      signal?.removeEventListener('abort', onAbort);
      resolve(code ?? (by === null ? 1 : 128));
    });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

type Launched = Extract<Awaited<ReturnType<typeof launch>>, { pid: number }>;

/** Not the `git` that an implementer may have put into `node_modules/.bin`. */
function gitOutside(env: Env, top: string): string {
  const path = pathOutside(readVariable(env, 'PATH') ?? '', top);
  const git = which('git', { ...env, PATH: path });
  if (git === null) throw new BatonError('git-not-started', 'git is not on PATH', { hint: 'install git' });
  return git;
}

function hookEnvironment(env: Env, index: string | undefined): Env {
  return {
    ...withoutVariables(env, GIT_LOCAL_VARIABLES),
    // Nobody sits at a terminal here, as with `git commit -m`.
    GIT_EDITOR: ':',
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  };
}
