import type { ChildProcess } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { join, sep } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf } from '../core/errors.ts';
import { newRunId } from '../core/ids.ts';
import { launch } from '../process/launch.ts';
import { identityOf } from '../process/open-files.ts';
import { ProcessTree, type FoundProcess } from '../process/tree.ts';
import { gateEnvironment } from './environment.ts';
import type { Gate } from './gate.ts';
import { shellFor } from './shell.ts';

export interface GateLimits {
  /** Between TERM and KILL, milliseconds. */
  termGraceMs: number;
  /** A gate that prints more is ended. */
  maxOutputBytes: number;
}

export const GATE_LIMITS: GateLimits = { termGraceMs: 5_000, maxOutputBytes: 256 * 1024 * 1024 };

export interface GateRun {
  /** Top of the working tree, a real path. */
  top: string;
  /** New; takes stdout and stderr in the order in which they are written. */
  output: string;
  /** The caller's environment. */
  env: Env;
  limits: GateLimits;
  signal: AbortSignal;
  hurry: AbortSignal;
}

/** Why a gate came to its end; `itself` with its exit. */
export type GateEnd = 'itself' | 'timeout' | 'too-much-output' | 'abort';

export type GateOutcome =
  | { started: false; reason: string }
  | {
      started: true;
      end: GateEnd;
      code: number | null;
      signal: string | null;
      durationMs: number;
      outputBytes: number;
      swept: FoundProcess[];
      survivors: FoundProcess[];
      withheld: string[];
    };

const LOOK_MS = 100;
/** After the last look found no leader, its exit is due at once. */
const EXIT_NEWS_MS = 1000;
/** Nobody else may have put something, least of all a link, where the output goes. */
const NEW_FILE = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;

/** Runs one gate to its end, and ends whatever it left. Never rejects. */
export async function runGate(gate: Gate, run: GateRun): Promise<GateOutcome> {
  const place = placeOf(gate, run.top);
  if ('reason' in place) return { started: false, reason: place.reason };
  const marker = newRunId();
  const { env, withheld } = gateEnvironment(run.env, gate, marker);
  const began = performance.now();
  let fds: { input: number; output: number };
  try {
    fds = { input: openSync(devNull, 'r'), output: openSync(run.output, NEW_FILE, 0o600) };
  } catch (error) {
    return { started: false, reason: `its output cannot be kept: ${messageOf(error)}` };
  }
  try {
    const launched = await launch({
      ...shellFor(gate.command, env),
      env,
      cwd: place.cwd,
      stdio: [fds.input, fds.output, fds.output],
    });
    if ('failure' in launched) return { started: false, reason: launched.failure.message };
    const { child, pid } = launched;
    const tree = new ProcessTree({ pid, runId: marker, logs: [identityOf(fds.output)] });
    const exit = exitOf(child);
    const end = await endOf(gate, run, exit, () => fstatSync(fds.output).size);
    const { swept, survivors } = await tree.end({ termGraceMs: run.limits.termGraceMs, hurry: run.hurry });
    const exited = await soon(exit);
    if (exited === null) child.unref();
    return {
      started: true,
      end,
      code: exited?.code ?? null,
      signal: exited?.signal ?? null,
      durationMs: Math.round(performance.now() - began),
      outputBytes: fstatSync(fds.output).size,
      swept,
      survivors,
      withheld,
    };
  } finally {
    closeSync(fds.input);
    closeSync(fds.output);
  }
}

/** Where it runs. A link may have been put there meanwhile that leads out of the tree. */
function placeOf(gate: Gate, top: string): { cwd: string } | { reason: string } {
  try {
    const cwd = realpathSync(join(top, gate.cwd));
    if (cwd === top || cwd.startsWith(`${top}${sep}`)) return { cwd };
    return { reason: `its directory ${gate.cwd} leads out of the working tree` };
  } catch {
    return { reason: `its directory ${gate.cwd} is not there` };
  }
}

/** Waits for the first reason to end it. */
function endOf(gate: Gate, run: GateRun, exit: Promise<Exit>, size: () => number): Promise<GateEnd> {
  return new Promise((resolve) => {
    const settle = (end: GateEnd): void => {
      clearTimeout(limit);
      clearInterval(look);
      run.signal.removeEventListener('abort', onAbort);
      resolve(end);
    };
    const onAbort = (): void => settle('abort');
    const limit = setTimeout(() => settle('timeout'), gate.timeoutMs);
    const look = setInterval(() => {
      if (size() > run.limits.maxOutputBytes) settle('too-much-output');
    }, LOOK_MS);
    void exit.then(() => settle('itself'));
    run.signal.addEventListener('abort', onAbort, { once: true });
    if (run.signal.aborted) onAbort();
  });
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** The exit, or null for a process that could not be ended and goes on without us. */
async function soon(exit: Promise<Exit>): Promise<Exit | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, EXIT_NEWS_MS, null);
  });
  const exited = await Promise.race([exit, late]);
  clearTimeout(timer);
  return exited;
}
