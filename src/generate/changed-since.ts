import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { BatonError, UsageError } from '../core/errors.ts';
import { truncate } from '../core/text.ts';
import type { Repository } from '../git/repository.ts';
import { firstLine, type GitOutput, trustedGit } from '../git/trusted.ts';

const GIT_MS = 60_000;
/** A diff for a model: more would not be read with care. */
const MAX_DIFF = 60_000;
const MAX_DIFF_BYTES = 64 * 1024 ** 2;
const MAX_DIFF_PATHS = 200;

/** Never a program of somebody's configuration, and never a guess of what was renamed. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color'];

/** What git knows of the history of a working tree. */
export interface History {
  repository: Repository;
  env: Env;
}

/** The full id of a commit that somebody named; null where there is none of that name. */
export async function commitOf(history: History, name: string): Promise<string | null> {
  const { code, stdout } = await git(history, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  return code === 0 ? stdout.toString('latin1').trim() : null;
}

/** Those of the files that no commit has as they lie there: untracked, edited, staged, or nothing is committed yet. */
export async function uncommitted(history: History, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0 || (await commitOf(history, 'HEAD')) === null) return new Set(paths);
  const status = await answer(history, [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--',
    ...paths.map(literal),
  ]);
  // Two letters, a space, and the path.
  return new Set(
    status
      .toString('utf8')
      .split('\0')
      .map((record) => record.slice(3)),
  );
}

/** The commit that last changed a file that is committed as it lies there; null where none did. */
export async function lastChanged(history: History, path: string): Promise<string | null> {
  const commit = (await answer(history, ['rev-list', '-1', 'HEAD', '--', literal(path)]))
    .toString('latin1')
    .trim();
  if (commit === '') return null;
  if (shallowCommits(history.repository).includes(commit)) {
    throw new BatonError(
      'shallow-history',
      `the history of this clone ends before ${path} was last changed`,
      {
        hint: 'fetch all of it (`git fetch --unshallow`, or `fetch-depth: 0` in CI), or name a commit with --since',
      },
    );
  }
  return commit;
}

/** Files that differ between a commit and the working tree, untracked ones among them; sorted. */
export async function changedSince(history: History, commit: string): Promise<string[]> {
  const tracked = await answer(history, ['diff', ...PLAIN, '--name-only', '-z', commit, '--']);
  const untracked = await answer(history, ['ls-files', '-z', '--others', '--exclude-standard']);
  const names = `${tracked.toString('utf8')}\0${untracked.toString('utf8')}`.split('\0');
  return [...new Set(names)].filter((name) => name !== '' && !name.endsWith('/')).sort();
}

/** What changed in these files, as far as there is room. */
export async function diffSince(history: History, commit: string, paths: readonly string[]): Promise<string> {
  const asked = paths.slice(0, MAX_DIFF_PATHS).map(literal);
  try {
    const diff = await answer(history, ['diff', ...PLAIN, commit, '--', ...asked], MAX_DIFF_BYTES);
    const text = diff.toString('utf8').trim();
    // Untracked files are in no diff: they can be read.
    return text === '' ? '(no lines: the files are new, or too many)' : truncate(text, MAX_DIFF);
  } catch (error) {
    if (error instanceof BatonError && error.code === 'git-overflow')
      return '(too large to show: read the files)';
    throw error;
  }
}

function literal(path: string): string {
  return `:(top,literal)${path}`;
}

/** Where a shallow clone was cut off: such a commit seems to have made every file. */
function shallowCommits({ commonDir }: Repository): string[] {
  try {
    return readFileSync(join(commonDir, 'shallow'), 'latin1').split('\n');
  } catch {
    return [];
  }
}

async function answer(history: History, args: readonly string[], maxBytes?: number): Promise<Buffer> {
  const { code, stdout, stderr } = await git(history, args, maxBytes);
  if (code === 0) return stdout;
  throw new BatonError('git-failed', `git ${args[0] ?? ''} failed: ${firstLine(stderr)}`);
}

function git({ repository, env }: History, args: readonly string[], maxBytes?: number): Promise<GitOutput> {
  return trustedGit(repository, args, {
    env,
    timeoutMs: GIT_MS,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

/** The full id of the commit that `--since` names. Throws a UsageError where it names none. */
export async function sinceCommit(history: History, name: string): Promise<string> {
  const commit = await commitOf(history, name);
  if (commit !== null) return commit;
  throw new UsageError(`--since ${JSON.stringify(name)} is no commit of this repository`);
}
