import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { type FrozenRepository, freeze } from '../git/frozen.ts';
import { openPrivateGit, type PrivateGit } from '../git/private-git.ts';
import type { Repository } from '../git/repository.ts';
import { makePrivateFolder, treeKey } from '../rundir/state-folder.ts';

/** One call of git. Snapshots of large trees take their time. */
export const GIT_MS = 600_000;

/** Where a landing is prepared: a git directory of baton's own that reads the repository's objects and the runs'. */
export interface Workshop extends PrivateGit {
  repository: Repository;
  frozen: FrozenRepository;
  /** Holds `objects`, index files, and what else the preparation needs. */
  folder: string;
  env: Env;
}

/** The folder of a working tree's landings in the state folder. */
export function workshopFolder(stateHome: string, treeTop: string): string {
  return join(stateHome, 'landings', treeKey(treeTop));
}

/** Makes the workshop anew, after a crash with the objects that are there. `stores` are those of the runs. */
export async function openWorkshop(
  repository: Repository,
  options: { folder: string; stores: readonly string[]; env: Env; keepObjects?: boolean },
): Promise<Workshop> {
  const { folder, stores, env, keepObjects = false } = options;
  const objects = join(folder, 'objects');
  try {
    makePrivateFolder(folder);
    if (!keepObjects) rmSync(objects, { recursive: true, force: true });
    mkdirSync(join(objects, 'info'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BatonError('state-folder', `the landing cannot be prepared in ${folder}: ${messageOf(error)}`, {
      hint: 'set BATON_HOME to a folder that can be written',
      cause: error,
    });
  }
  writeFileSync(join(objects, 'info', 'alternates'), stores.map((store) => `${quoted(store)}\n`).join(''));
  const frozen = await freeze(repository, { env, timeoutMs: GIT_MS });
  const git = openPrivateGit(frozen, {
    folder: join(folder, 'git'),
    objects,
    head: null,
    env,
    timeoutMs: GIT_MS,
  });
  return { ...git, repository, frozen, folder, env };
}

/** Git takes a line that begins with a quote as a C string. */
function quoted(path: string): string {
  if (!path.includes('\n') && !path.startsWith('"') && !path.startsWith('#')) return path;
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
