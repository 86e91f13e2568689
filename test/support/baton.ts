import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished, TestRunner } from 'vitest';
import type { Env } from '../../src/core/environment.ts';
import type { Result } from '../../src/rundir/result.ts';
import { ensureBuilt } from './build.ts';
import type { Surroundings } from './environment.ts';
import { isAlive } from './processes.ts';
import { BUILT, PROJECT } from './project.ts';
import { temporaryFolder } from './temporary.ts';

/** The executables that a user has. */
export const PROGRAMS = {
  baton: join(PROJECT, 'bin', 'baton.js'),
  scripted: join(PROJECT, 'bin', 'baton-scripted.js'),
  relay: BUILT.relay,
  codexRelay: BUILT.codexRelay,
} as const;

export interface StartOptions {
  env: Env;
  cwd?: string;
  program?: keyof typeof PROGRAMS;
  /** Another copy of that program. */
  file?: string;
  /** Written to stdin, which is then closed; without it stdin is empty. */
  input?: string | Uint8Array;
  /** The Node to run it with; default: this one. */
  node?: string;
}

/** How a program ended, and all that it printed. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A program that was started and may still run. */
export interface Started {
  pid: number;
  /** What it printed until now. */
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

/** Starts a built program. Should the test end before it does, it is killed. */
export async function startBaton(args: readonly string[], options: StartOptions): Promise<Started> {
  await ensureBuilt();
  const child = spawn(
    options.node ?? process.execPath,
    [options.file ?? PROGRAMS[options.program ?? 'baton'], ...args],
    {
      cwd: options.cwd ?? temporaryFolder(),
      env: options.env,
      stdio: 'pipe',
    },
  );
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {}); // it may leave without reading all of it
  child.stdin.end(options.input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout: textOf(out), stderr: textOf(err) }),
    );
  });
  if (TestRunner.getCurrentTest()) onTestFinished(() => void child.kill('SIGKILL'));
  return {
    pid: child.pid ?? -1,
    stdout: () => textOf(out),
    stderr: () => textOf(err),
    signal: (name) => void child.kill(name),
    ended,
  };
}

/** Runs a built program to its end. */
export async function runBaton(args: readonly string[], options: StartOptions): Promise<Ended> {
  return (await startBaton(args, options)).ended;
}

export interface DispatchOptions extends Partial<StartOptions> {
  /** Where the implementer works. */
  cd: string;
  brief?: string | Uint8Array;
  /** More flags. */
  args?: readonly string[];
  /** The run directory; default: a new one outside `cd`. */
  outDir?: string;
}

/** A dispatch under way, and its run directory. */
export interface StartedDispatch extends Started {
  dir: string;
}

/** A finished dispatch. */
export interface Dispatched extends Ended {
  dir: string;
  /** `result.json`; null where none was written. */
  result: Result | null;
}

/** Starts `baton dispatch` (or with `program: 'relay'` or `'codexRelay'` a drop-in) with a brief in a file of its own. */
export async function startDispatch(where: Surroundings, options: DispatchOptions): Promise<StartedDispatch> {
  const folder = temporaryFolder();
  const brief = join(folder, 'brief.md');
  writeFileSync(brief, options.brief ?? 'Do the work.\n');
  const dir = options.outDir ?? join(folder, 'run');
  const verb = options.program === undefined || options.program === 'baton' ? ['dispatch'] : [];
  const args = [...verb, '--brief', brief, '--cd', options.cd, '--out-dir', dir, ...(options.args ?? [])];
  const started = await startBaton(args, {
    ...options,
    env: options.env ?? where.env,
    cwd: options.cwd ?? where.root,
  });
  return { ...started, dir };
}

/** `startDispatch` to its end, with the result that it wrote. */
export async function dispatch(where: Surroundings, options: DispatchOptions): Promise<Dispatched> {
  const { dir, ended } = await startDispatch(where, options);
  return { ...(await ended), dir, result: readResult(dir) };
}

/** The `result.json` of a run directory; null where there is none. */
export function readResult(dir: string): Result | null {
  const file = join(dir, 'result.json');
  return existsSync(file) ? parse(readFileSync(file, 'utf8')) : null;
}

/** The result of a run that must have one: fails with what the program printed when there is none. */
export function resultOf(run: Dispatched): Result {
  if (run.result) return run.result;
  throw new Error(
    `no result.json; exit ${run.code ?? run.signal}\nstdout: ${run.stdout}\nstderr: ${run.stderr}`,
  );
}

/** Waits until `look` answers something other than undefined or false; throws when that takes longer than `limitMs`. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false,
  limitMs = 30_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms for ${what}`);
    await sleep(20);
  }
}

/** Waits until a file has something in it and returns its text: how a fake tells that it got so far. */
export function untilFile(file: string): Promise<string> {
  return until(`the file ${file}`, () => existsSync(file) && (readFileSync(file, 'utf8') || undefined));
}

/** Waits until a process is gone. */
export async function untilDead(pid: number): Promise<void> {
  await until(`the end of process ${pid}`, () => !isAlive(pid));
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

/** Results are held against the published schema elsewhere; here their type is taken on trust. */
function parse(json: string): Result {
  const value: Result = JSON.parse(json);
  return value;
}
