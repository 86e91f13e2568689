import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Env } from '../core/environment.ts';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import { which } from './which.ts';
import { resolveShim, type LaunchTarget } from './windows-shim.ts';

export interface LaunchOptions {
  file: string;
  args: readonly string[];
  /** The whole environment: nothing is inherited. */
  env: Env;
  cwd: string;
  /** Open file descriptors for stdin, stdout and stderr, which stay the caller's to close; or a pipe to stdin. */
  stdio: readonly [number | 'pipe', number, number];
  /** On Windows, the arguments go as they stand: `cmd.exe` has rules of its own for quotes. Default false. */
  verbatim?: boolean;
}

export interface LaunchFailure {
  /** `missing-cwd`, `nul-byte`, `windows-shim`, or the system's own: ENOENT, EACCES, E2BIG ... */
  code: string;
  message: string;
}

export type Launched = { child: ChildProcess; pid: number } | { failure: LaunchFailure };

/** Starts a process as the leader of a group and session of its own. Never throws and never rejects. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const field = fieldWithNul(options);
  if (field !== null) return { failure: { code: 'nul-byte', message: `${field} holds a NUL byte` } };
  try {
    const { file, args } = targetFor(options);
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [...options.stdio],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: options.verbatim ?? false,
    });
    if (child.pid !== undefined) {
      child.on('error', () => {}); // a signal that could not be sent; the exit is what counts
      return { child, pid: child.pid };
    }
    const error = await new Promise((resolve) => child.once('error', resolve));
    return { failure: explain(error, options) };
  } catch (error) {
    // An argument or environment that is too large throws instead of arriving as an event.
    return { failure: explain(error, options) };
  }
}

/** The argument, variable or path that holds a NUL byte, which no system call could pass on; null when none does. */
function fieldWithNul(options: LaunchOptions): string | null {
  if (hasNul(options.file)) return 'the executable';
  if (hasNul(options.cwd)) return 'the working directory';
  const argument = options.args.findIndex(hasNul);
  if (argument !== -1) return `argument ${argument + 1}`;
  const variable = Object.entries(options.env).find((pair) => pair.some(hasNul))?.[0];
  return variable === undefined ? null : `the environment variable ${JSON.stringify(variable)}`;
}

function hasNul(text: string): boolean {
  return text.includes('\0');
}

function targetFor(options: LaunchOptions): LaunchTarget {
  if (process.platform !== 'win32') return { file: options.file, args: [...options.args] };
  return resolveShim(options.file, options.args, {
    readText: (path) => readFileSync(path, 'utf8'),
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
    node: which('node', options.env),
  });
}

/** The system says ENOENT of the executable also when it is the working directory that is missing. */
function explain(error: unknown, options: LaunchOptions): LaunchFailure {
  if (!isDirectory(options.cwd)) {
    return {
      code: 'missing-cwd',
      message: `the working directory ${options.cwd} is not there or is no directory`,
    };
  }
  const code = error instanceof BatonError ? error.code : (systemCode(error) ?? 'unknown');
  return { code, message: `${options.file} could not be started: ${messageOf(error)}` };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
