import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { locateRepository } from '../git/locate.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import { findRun } from '../rundir/runs.ts';

export interface RunChoice {
  /** A directory of the repository whose runs are meant. */
  cd: string;
  /** A run id or the beginning of one; null is the newest. */
  run: string | null;
  env: Env;
}

export interface FoundRun {
  id: string;
  /** Its directory. */
  path: string;
  repository: Repository | NoRepository;
  /** Top of the working tree, or the directory itself outside git; a real path. */
  treeTop: string;
}

/** The chosen run, and where it worked. Throws a BatonError when there is no such run, or more than one. */
export async function runDirectoryAt(choice: RunChoice): Promise<FoundRun> {
  const { repository, treeTop } = await treeAt(choice);
  const run = findRun({ stateHome: stateHome(choice.env), treeTop, id: choice.run });
  return { ...run, repository, treeTop };
}

/** The working tree that a directory lies in. Throws a UsageError for a directory that cannot be used. */
export async function treeAt({
  cd,
  env,
}: Pick<RunChoice, 'cd' | 'env'>): Promise<Pick<FoundRun, 'repository' | 'treeTop'>> {
  const cwd = realDirectory(cd);
  const repository = await locateRepository(cwd, env, 30_000);
  return { repository, treeTop: 'top' in repository ? repository.top : cwd };
}

function realDirectory(cd: string): string {
  try {
    return realpathSync(resolve(cd));
  } catch (error) {
    throw new UsageError(`--cd ${JSON.stringify(cd)} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
