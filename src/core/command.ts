import { spawn } from 'node:child_process';
import { messageOf, systemCode } from './errors.ts';
import type { Env } from './environment.ts';

/** A short command that answers and ends: a version probe, a git call. Not for implementers. */
export interface CommandRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Env;
  timeoutMs: number;
  /** Bytes for stdin; without them stdin is /dev/null, never inherited (an open stdin hangs CLIs). */
  input?: Uint8Array;
  /** Output above this many bytes ends the command with `overflow`. Default 1 GiB. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface CommandResult {
  /** `exited` and `signalled` are the command's own ends; the others are ours. */
  end: 'exited' | 'signalled' | 'timeout' | 'aborted' | 'overflow' | 'not-started';
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
  /** Why it could not start: a system code such as ENOENT, and the message. */
  failure: { code: string; message: string } | null;
}

/**
 * Runs a short command in a process group of its own and never rejects. It settles on `exit` plus a moment for the
 * pipes (a grandchild that holds them open must not hold us), and ends the whole group when its time is up.
 */
export function runCommand(request: CommandRequest): Promise<CommandResult> {
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let ours: 'timeout' | 'aborted' | 'overflow' | null = null;
    let settled = false;

    const finish = (result: Pick<CommandResult, 'end' | 'code' | 'signal' | 'failure'>): void => {
      if (settled) return;
      settled = true;
      clearTimeout(limit);
      request.signal?.removeEventListener('abort', onAbort);
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      resolve({ ...result, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') });
    };
    const fail = (error: unknown): void =>
      finish({
        end: 'not-started',
        code: null,
        signal: null,
        failure: { code: systemCode(error) ?? 'UNKNOWN', message: messageOf(error) },
      });
    const end = (why: 'timeout' | 'aborted' | 'overflow'): void => {
      ours ??= why;
      killGroup(child?.pid);
    };
    const onAbort = (): void => end('aborted');
    const limit = setTimeout(() => end('timeout'), request.timeoutMs);

    let child: ReturnType<typeof spawn> | undefined;
    if (request.signal?.aborted) {
      finish({ end: 'aborted', code: null, signal: null, failure: null });
      return;
    }
    try {
      child = spawn(request.file, request.args, {
        cwd: request.cwd,
        env: request.env,
        stdio: [request.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      // An argument or environment that is too large throws here instead of arriving as an event.
      fail(error);
      return;
    }
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const keep = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > (request.maxBytes ?? 1024 ** 3)) end('overflow');
      else into.push(chunk);
    };
    child.stdout?.on('data', keep(stdout));
    child.stderr?.on('data', keep(stderr));
    child.stdin?.on('error', () => {}); // EPIPE: the exit code tells what happened.
    child.stdin?.end(request.input);
    child.on('error', fail);
    const settle = (code: number | null, signal: NodeJS.Signals | null): void =>
      finish({ end: ours ?? (signal ? 'signalled' : 'exited'), code, signal, failure: null });
    child.on('close', settle);
    child.on('exit', (code, signal) => setTimeout(() => settle(code, signal), ours ? 0 : 500).unref());
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
