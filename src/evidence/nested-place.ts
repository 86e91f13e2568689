import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathIn, type RawPath, showPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import type { NestedRepository } from './nested-boundary.ts';
import { readSmallFile } from './plain-file.ts';
import { statOf } from './print.ts';

/** What the sandbox must not write: each `.git`, and the directory that it stands for. Absolute, real paths. */
export function nestedGitDirs(repositories: readonly NestedRepository[]): string[] {
  const paths = repositories.flatMap(({ top, gitDir }) => [join(top, '.git'), gitDir, commonDirOf(gitDir)]);
  return [...new Set(paths.flatMap((path) => realPath(path) ?? []))];
}

/** The repository whose working tree is `path`; null where its `.git` leads nowhere. */
export function openNested(top: string, path: RawPath): NestedRepository | null {
  // The names that git itself could not write as UTF-8 cannot be handed to a sandbox either.
  const folder = join(top, showPath(path));
  const gitDir = gitDirOf(folder);
  return gitDir === null ? null : { path: showPath(path), top: folder, gitDir };
}

/** Where `.git` leads: a folder itself, or named by a file (submodules, linked worktrees). Null where it leads nowhere. */
export function gitDirOf(folder: string): string | null {
  const dotGit = join(folder, '.git');
  try {
    if (lstatSync(dotGit).isDirectory()) return realpathSync(dotGit);
    const target = /^gitdir: (.*?)\n*$/s.exec(readSmallFile(dotGit, 4096).toString('utf8'))?.[1];
    return target === undefined ? realpathSync(dotGit) : realpathSync(resolve(folder, target));
  } catch {
    return null;
  }
}

function commonDirOf(gitDir: string): string {
  try {
    return resolve(gitDir, readSmallFile(join(gitDir, 'commondir'), 4096).toString('utf8').trim());
  } catch {
    return gitDir;
  }
}

/** A linked worktree of the same repository that lies inside this one: its refs are watched as our own. */
export function sharesOurs({ gitDir }: NestedRepository, { commonDir }: Repository): boolean {
  const way = relative(join(commonDir, 'worktrees'), gitDir);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a folder has a `.git`. One that may not be searched has none that counts: git names it as unreadable. */
export function hasGit(top: string, folder: RawPath): boolean {
  try {
    return statOf(pathIn(top, `${folder}/.git`)) !== null;
  } catch {
    return false;
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
