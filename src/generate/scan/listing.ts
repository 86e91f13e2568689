import type { Env } from '../../core/environment.ts';
import { BatonError, UsageError } from '../../core/errors.ts';
import { locateRepository } from '../../git/locate.ts';
import type { Repository } from '../../git/repository.ts';
import { firstLine, trustedGit } from '../../git/trusted.ts';
import { readProjectFile } from '../../trust/project-file.ts';

const GIT_MS = 60_000;
/** Names alone; a repository that has more of them than this is not one that an agent can learn about. */
const MAX_LISTING_BYTES = 256 * 1024 ** 2;

/** The files of a repository that are not ignored, and a way to read them. */
export interface Listing {
  repository: Repository;
  /** Relative to the top, `/` between segments, sorted. Names that are not UTF-8 are left out: nobody could write them. */
  paths: string[];
  /** The bytes of a regular file of at most 1 MiB; null for everything else, also for what is reached through a link. */
  read(path: string): Buffer | null;
}

/** Lists the working tree that `root` lies in: tracked files, and untracked ones that are not ignored. */
export async function listRepository(root: string, env: Env): Promise<Listing> {
  const repository = await locateRepository(root, env, GIT_MS);
  if ('problem' in repository) throw new UsageError(repository.detail, { hint: repository.hint });
  const answer = await trustedGit(
    repository,
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { env, timeoutMs: GIT_MS, maxBytes: MAX_LISTING_BYTES },
  );
  if (answer.code !== 0)
    throw new BatonError('git-failed', `git could not list the files: ${firstLine(answer.stderr)}`);
  const names = answer.stdout.toString('utf8').split('\0');
  // A name that ends in `/` is another repository inside this one.
  const usable = names.filter((name) => name !== '' && !name.endsWith('/') && !name.includes('\ufffd'));
  return {
    repository,
    paths: [...new Set(usable)].sort(),
    read: (path) => readOrNull(repository.top, path),
  };
}

/** What cannot be read tells nothing; a scan goes on without it. */
function readOrNull(top: string, path: string): Buffer | null {
  try {
    return readProjectFile(top, path);
  } catch {
    return null;
  }
}
