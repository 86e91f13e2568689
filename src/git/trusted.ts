import { delimiter, dirname, isAbsolute, relative, sep } from 'node:path';
import { runCommand } from '../core/command.ts';
import { type Env, GIT_LOCAL_VARIABLES, withoutVariables } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import type { Repository } from './repository.ts';

/** What git answered: its exit code (zero or not), its bytes, and its words. */
export interface GitOutput {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export interface GitOptions {
  /** The user's environment; whatever could redirect git is taken out here. */
  env: Env;
  timeoutMs: number;
  /** Bytes for stdin; without them stdin is closed. */
  input?: Uint8Array;
  signal?: AbortSignal;
  /** Output above this many bytes is an error. Default 1 GiB. */
  maxBytes?: number;
  /** Set last, over everything else: a private index, object store or git directory. */
  extraEnv?: Env;
}

/** No hook, no monitor, no cache that others fill, and no stat shortcut that a touched clock could use. */
const FLAGS: readonly string[] = [
  '--no-optional-locks',
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.safecrlf=false',
    'core.fileMode=true',
    'core.trustctime=true',
    'core.checkStat=default',
    'core.quotePath=true',
  ].flatMap((setting) => ['-c', setting]),
];

/** These would otherwise start git inside submodules, whose configuration the implementer may have written. */
const LOOKS_INTO_SUBMODULES: ReadonlySet<string> = new Set([
  'status',
  'diff',
  'diff-files',
  'diff-index',
  'diff-tree',
]);

/** Variables that change what git's answers look like or mean, besides the ones that bind it to a repository. */
const DISTORTING_VARIABLES: readonly string[] = [
  'GIT_ATTR_SOURCE',
  'GIT_DIFF_OPTS',
  'GIT_EXTERNAL_DIFF',
  'GIT_GLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_OPTIONAL_LOCKS',
];

/**
 * Runs git over a repository that was located earlier, with everything fixed that could make git run, read or write
 * something else: directories are named outright, so that a rewritten `.git` file cannot redirect it.
 *
 * A non-zero exit is an answer. Throws `BatonError` with code `git-not-started`, `git-timeout`, `git-aborted`,
 * `git-overflow` or `git-killed` where there is no answer.
 */
export async function trustedGit(
  repository: Repository,
  args: readonly string[],
  options: GitOptions,
): Promise<GitOutput> {
  const [command = '', ...rest] = args;
  const submodules = LOOKS_INTO_SUBMODULES.has(command) ? ['--ignore-submodules=all'] : [];
  return answerOf(command, {
    file: 'git',
    args: [...FLAGS, command, ...submodules, ...rest],
    cwd: repository.top,
    env: {
      ...cleanGitEnv(options.env, repository.top),
      GIT_DIR: repository.gitDir,
      GIT_COMMON_DIR: repository.commonDir,
      GIT_WORK_TREE: repository.top,
      ...options.extraEnv,
    },
    timeoutMs: options.timeoutMs,
    ...(options.input && { input: options.input }),
    ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
    ...(options.signal && { signal: options.signal }),
  });
}

/** The environment for any git call of ours; `writable` is the folder whose programs must not be found. */
export function cleanGitEnv(env: Env, writable: string): Env {
  const clean = withoutVariables(env, [...GIT_LOCAL_VARIABLES, ...DISTORTING_VARIABLES]);
  for (const name of Object.keys(clean)) {
    if (name.toUpperCase() === 'PATH') clean[name] = pathOutside(clean[name] ?? '', writable);
  }
  return {
    ...clean,
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/**
 * A search path without relative entries and without folders inside `writable`: under `npm run` the first entry is the
 * project's own `node_modules/.bin`, and an implementer that puts a `git` there would have it run by baton.
 */
export function pathOutside(path: string, writable: string): string {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInside(writable, entry))
    .join(delimiter);
}

function isInside(folder: string, path: string): boolean {
  // Everything is inside the root of the disk; a tree there cannot be told from the system.
  if (dirname(folder) === folder) return false;
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Starts git and turns everything that is no answer into an error. */
export async function answerOf(
  command: string,
  request: Parameters<typeof runCommand>[0],
): Promise<GitOutput> {
  const { end, code, signal, stdout, stderr, failure } = await runCommand(request);
  if (end === 'exited') return { code: code ?? -1, stdout, stderr };
  if (end === 'not-started') {
    throw new BatonError(
      'git-not-started',
      `git could not be started: ${failure?.message ?? 'no reason given'}`,
      {
        hint: 'Install git and make sure that it is on PATH.',
      },
    );
  }
  const why = {
    timeout: { code: 'git-timeout', text: `did not answer within ${request.timeoutMs} ms` },
    aborted: { code: 'git-aborted', text: 'was stopped before it answered' },
    overflow: { code: 'git-overflow', text: `printed more than ${request.maxBytes ?? 1024 ** 3} bytes` },
    signalled: { code: 'git-killed', text: `was ended by ${signal ?? 'a signal'}` },
  }[end];
  throw new BatonError(why.code, `git ${command} ${why.text}`);
}

/** The first line of what git said, for a sentence of ours. */
export function firstLine(stderr: string): string {
  return stderr.trim().split('\n', 1)[0] || 'no reason given';
}
