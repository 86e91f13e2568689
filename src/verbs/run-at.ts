import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { locateRepository } from '../git/locate.ts';
import { findRun } from '../rundir/runs.ts';

export interface RunChoice {
  /** A directory of the repository whose runs are meant. */
  cd: string;
  /** A run id or the beginning of one; null is the newest. */
  run: string | null;
  env: Env;
}

/** The directory of the chosen run. Throws a UsageError when there is no such run, or more than one. */
export async function runDirectoryAt(choice: RunChoice): Promise<{ id: string; path: string }> {
  const cwd = realDirectory(choice.cd);
  const repository = await locateRepository(cwd, choice.env, 30_000);
  const treeTop = 'top' in repository ? repository.top : cwd;
  return findRun({ stateHome: stateHome(choice.env), treeTop, id: choice.run });
}

function realDirectory(cd: string): string {
  try {
    return realpathSync(resolve(cd));
  } catch (error) {
    throw new UsageError(`--cd ${JSON.stringify(cd)} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
