import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_MARKER } from '../../src/core/environment.ts';
import { systemCode } from '../../src/core/errors.ts';

export interface FoundProcess {
  pid: number;
  parent: number;
  /** Its command line, arguments separated by spaces. */
  command: string;
}

/** Whether a process with this id exists and is not merely waiting to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
  return process.platform !== 'linux' || statOf(pid)?.state !== 'Z';
}

/** Living processes that carry this run's marker in their environment. Linux only: elsewhere nothing is found. */
export function processesOfRun(runId: string): FoundProcess[] {
  return find((pid) => environmentOf(pid).includes(`${RUN_MARKER}=${runId}`));
}

/**
 * Living processes that belong to a temporary folder: it stands in their environment or arguments, or they work in it.
 * Finds what a test left behind whatever it did to its session or parent. Linux only.
 */
export function processesUnder(folder: string): FoundProcess[] {
  return find(
    (pid) =>
      environmentOf(pid).some((entry) => entry.includes(folder)) ||
      commandOf(pid).includes(folder) ||
      (linkOf(`/proc/${pid}/cwd`) ?? '').startsWith(folder),
  );
}

/** Ends processes at once. Only ever call it with processes that the test itself started. */
export function endProcesses(processes: readonly { pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }
}

/** Waits until none is left and returns []; or returns what is still there after `limitMs`. */
export async function waitUntilGone(look: () => FoundProcess[], limitMs = 10_000): Promise<FoundProcess[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const left = look();
    if (left.length === 0 || performance.now() > end) return left;
    await sleep(50);
  }
}

function find(belongs: (pid: number) => boolean): FoundProcess[] {
  if (process.platform !== 'linux') return [];
  const found: FoundProcess[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const stat = statOf(pid);
    if (!stat || stat.state === 'Z' || !belongs(pid)) continue;
    found.push({ pid, parent: stat.parent, command: commandOf(pid) });
  }
  return found;
}

function statOf(pid: number): { state: string; parent: number } | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold any character, a parenthesis too.
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return state === undefined || parent === undefined ? undefined : { state, parent: Number(parent) };
}

function environmentOf(pid: number): string[] {
  return read(`/proc/${pid}/environ`).split('\0');
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

/** The text of a file of /proc; empty when the process is gone or is not ours to look at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
