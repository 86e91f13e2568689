import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary.ts';

const OWN_CONFIG = '[user]\n\tname = Test Person\n\temail = test@example.invalid\n[gc]\n\tauto = 0\n';

/** Files by path; text or bytes, or null to delete. */
export interface Files {
  [path: string]: string | Uint8Array | null;
}

/** A real git repository in a temporary folder. */
export interface TestRepository {
  /** The top of its working tree, a real path. */
  dir: string;
  /** Runs git in it and returns stdout without its last newline; throws with stderr when git fails. */
  git(...args: string[]): string;
  /** Writes (or with null deletes) files, making folders as needed. Nothing is staged. */
  write(files: Files): void;
  read(path: string): string;
  /** Makes a file executable, or not. */
  setExecutable(path: string, on: boolean): void;
  /** Writes the files, stages everything and commits; returns the commit's id. */
  commit(files?: Files, message?: string): string;
  head(): string;
  /** `git status --porcelain` lines, untracked files one by one. */
  status(): string[];
  /** See `fingerprint`. */
  fingerprint(): Fingerprint;
}

export interface RepositoryOptions {
  /** Where to make it; default: a temporary folder of its own. */
  dir?: string;
  /** Committed first; null leaves the branch unborn. Default: one `README.md`. */
  files?: Files | null;
  objectFormat?: 'sha1' | 'sha256';
  /** Extra `git config` of the repository. */
  config?: { [name: string]: string };
}

/** Makes a repository on the branch `main`, with an author of its own and no configuration of the machine's. */
export function makeRepository(options: RepositoryOptions = {}): TestRepository {
  const dir = options.dir ?? temporaryFolder();
  mkdirSync(dir, { recursive: true });
  runGit(dir, ['init', '-q', '-b', 'main', `--object-format=${options.objectFormat ?? 'sha1'}`]);
  // Written, not set by `git config`: thousands of repositories are made, and each call is a process.
  appendFileSync(join(dir, '.git', 'config'), OWN_CONFIG);
  for (const [name, value] of Object.entries(options.config ?? {})) runGit(dir, ['config', name, value]);
  const repository = openRepository(dir);
  const files = options.files === undefined ? { 'README.md': '# Test\n' } : options.files;
  if (files) repository.commit(files, 'first');
  return repository;
}

/** The same handle on a repository, or a linked worktree, that exists already. */
export function openRepository(dir: string): TestRepository {
  const git = (...args: string[]): string => runGit(dir, args);
  const write = (files: Files): void => {
    for (const [path, content] of Object.entries(files)) writeOrDelete(join(dir, path), content);
  };
  return {
    dir,
    git,
    write,
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    setExecutable: (path, on) => chmodSync(join(dir, path), on ? 0o755 : 0o644),
    commit: (files = {}, message = 'change') => {
      write(files);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    head: () => git('rev-parse', 'HEAD'),
    status: () => git('status', '--porcelain', '-uall').split('\n').filter(Boolean),
    fingerprint: () =>
      fingerprint(git('rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir').split('\n')),
  };
}

/** SHA-256 by path of what must not change under a run: index, objects, refs, stash, logs, config, hooks, HEAD. */
export interface Fingerprint {
  [path: string]: string;
}

/**
 * Reads git's own files byte for byte, without running git over them (git itself refreshes the index). Two
 * fingerprints that are equal mean that nothing was written; a difference names the file.
 */
function fingerprint(gitDirs: readonly string[]): Fingerprint {
  const found: Fingerprint = {};
  for (const top of new Set(gitDirs)) addFiles(found, top, '');
  return found;
}

function addFiles(found: Fingerprint, top: string, path: string): void {
  for (const name of readdirSync(join(top, path)).sort()) {
    const below = join(path, name);
    const file = join(top, below);
    const stat = lstatSync(file);
    if (stat.isDirectory()) addFiles(found, top, below);
    else
      found[file] = stat.isSymbolicLink()
        ? `link ${readlinkSync(file)}`
        : stat.isFile()
          ? hashOf(file)
          : 'special';
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function writeOrDelete(file: string, content: string | Uint8Array | null): void {
  if (content === null) {
    rmSync(file, { recursive: true, force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function runGit(cwd: string, args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: cwd,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
  const out = execFileSync('git', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1024 ** 3,
  });
  return out.endsWith('\n') ? out.slice(0, -1) : out;
}
