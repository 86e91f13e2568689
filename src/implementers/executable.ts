import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../core/clock.ts';
import { type CommandResult, runCommand } from '../core/command.ts';
import { lastLines, oneLine, truncate } from '../core/text.ts';
import { headOf, missingInterpreter, type NotFound, whyNotFound } from '../process/not-found.ts';
import { which } from '../process/which.ts';
import type { InspectRequest } from './inspection.ts';

/** What a name on PATH turned out to be. */
export type Executable =
  | NotFound
  /** `banner`: it printed more than its version. */
  | { state: 'ready'; path: string; version: string; banner: boolean }
  /** It answers, with nothing that reads like a version. */
  | { state: 'no-version'; path: string; said: string }
  /** A script for a program that is not there. */
  | { state: 'no-interpreter'; path: string; interpreter: string }
  /** It vanished, is being written, or is half a file. */
  | { state: 'updating'; path: string; why: string }
  /** It cannot be started, or fails even when asked for its version. */
  | { state: 'failing'; path: string; why: string }
  | { state: 'hung'; path: string; limitMs: number };

/** For so long an update may come to its end. */
const UPDATE_MS = 1000;
const PAUSE_MS = 100;
const MAX_BYTES = 1024 ** 2;

/**
 * Looks for a CLI on PATH and asks it for its version. `own` is the form of a line that is its version; without it any
 * line that looks like one counts. A file that is just being replaced is looked at again, at least
 * once. Never throws.
 */
export async function inspectExecutable(
  name: string,
  request: InspectRequest,
  own?: RegExp,
): Promise<Executable> {
  const end = systemClock.monotonic() + Math.min(request.limitMs, UPDATE_MS);
  let seen: string | null = null;
  for (;;) {
    const path = which(name, request.env, { platform: request.platform });
    const found: Executable =
      path !== null
        ? await start(path, request, own)
        : seen !== null
          ? { state: 'updating', path: seen, why: 'it was there a moment ago, and is gone now' }
          : whyNotFound(name, request.env, request.platform);
    const last = request.signal.aborted || (seen !== null && systemClock.monotonic() >= end);
    if (found.state !== 'updating' || last) return found;
    seen = found.path;
    await sleep(PAUSE_MS);
  }
}

async function start(path: string, request: InspectRequest, own: RegExp | undefined): Promise<Executable> {
  const answer = await runCommand({
    file: path,
    args: ['--version'],
    cwd: request.cwd,
    env: request.env,
    timeoutMs: request.limitMs,
    maxBytes: MAX_BYTES,
    signal: request.signal,
  });
  if (answer.end === 'timeout') return { state: 'hung', path, limitMs: request.limitMs };
  if (answer.failure) return notStarted(path, answer.failure);
  const version = versionIn(answer.stdout.toString('utf8'), own);
  if (answer.end === 'exited' && answer.code === 0 && version !== null)
    return { state: 'ready', path, ...version };
  const damage = damageOf(path, answer);
  if (damage !== null) return { state: 'updating', path, why: damage };
  if (answer.end === 'exited' && answer.code === 0)
    return { state: 'no-version', path, said: saidBy(answer) };
  return { state: 'failing', path, why: endingOf(answer) };
}

function notStarted(path: string, failure: NonNullable<CommandResult['failure']>): Executable {
  if (failure.code === 'ENOENT') {
    const interpreter = missingInterpreter(path);
    return interpreter === null
      ? { state: 'updating', path, why: 'it vanished between being found and being started' }
      : { state: 'no-interpreter', path, interpreter };
  }
  if (failure.code === 'ETXTBSY') return { state: 'updating', path, why: 'it is just being written' };
  if (failure.code === 'ENOEXEC')
    return { state: 'updating', path, why: 'it is no program that this machine can run' };
  return { state: 'failing', path, why: failure.message };
}

/**
 * What is wrong with the file itself, after it gave no good answer. The system hands what it cannot run to `/bin/sh`,
 * so that half a program, or an empty one, ends like a script that fails, or does nothing.
 */
function damageOf(path: string, { end, signal, stderr }: CommandResult): string | null {
  const head = headOf(path);
  if (head.length === 0) return 'it is an empty file';
  if (end === 'signalled' && (signal === 'SIGBUS' || signal === 'SIGSEGV'))
    return `it crashed at the start (${signal}), as half a program does`;
  const shellRead = head.includes(0) && stderr.startsWith(`${path}:`);
  return shellRead ? 'it is no program that this machine can run' : null;
}

const VERSION = /^(?:[A-Za-z][\w./@-]* ){0,3}v?\d+(?:\.\d+)+[\w.+-]*(?: .{0,60})?$/;

/** The line that is the version, and whether there were others. The last one: what a shim has to say comes before. */
export function versionIn(text: string, own?: RegExp): { version: string; banner: boolean } | null {
  const lines = lastLines(text, 1000).map((line) => truncate(oneLine(line), 200));
  const version =
    lines.findLast((line) => (own ?? VERSION).test(line)) ?? lines.findLast((line) => VERSION.test(line));
  return version === undefined ? null : { version, banner: lines.length > 1 };
}

function saidBy({ stdout, stderr }: CommandResult): string {
  const [line = ''] = lastLines(`${stderr}\n${stdout.toString('utf8')}`, 1);
  return truncate(oneLine(line), 200);
}

function endingOf(answer: CommandResult): string {
  const said = saidBy(answer);
  const how =
    answer.end === 'exited'
      ? `it exits ${answer.code}`
      : answer.end === 'signalled'
        ? `it is ended by ${answer.signal}`
        : answer.end === 'overflow'
          ? 'it prints without end'
          : 'it was stopped';
  return said === '' ? how : `${how}: ${said}`;
}
