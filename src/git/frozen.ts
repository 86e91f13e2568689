import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Env, readVariable } from '../core/environment.ts';
import { BatonError, systemCode } from '../core/errors.ts';
import { type ConfigEntry, parseConfigList, settingOf } from './config-entries.ts';
import type { Repository } from './repository.ts';
import { type GitOptions, trustedGit } from './trusted.ts';

/**
 * How a repository was configured at one moment, held in memory. Whatever is written later to its configuration, its
 * `info` files or the user's own ones has no effect on git calls that go through it.
 */
export interface FrozenRepository {
  repository: Repository;
  settings: ConfigEntry[];
  /** Contents, null where there is no such file. */
  excludes: Buffer | null;
  attributes: Buffer | null;
  infoExclude: Buffer | null;
  infoAttributes: Buffer | null;
  /** File names on this disk do not tell upper from lower case. */
  ignoreCase: boolean;
}

/** Sections that would bind the copy to the original, reach the network, or change what output looks like. */
const DROPPED_SECTIONS: ReadonlySet<string> = new Set([
  'alias',
  'credential',
  'diff',
  'extensions',
  'fsmonitor',
  'gc',
  'include',
  'includeif',
  'maintenance',
  'remote',
  'status',
  'submodule',
  'trace2',
]);
const DROPPED_CORE: ReadonlySet<string> = new Set([
  'alternaterefscommand',
  'attributesfile',
  'bare',
  'excludesfile',
  'fsmonitor',
  'hookspath',
  'repositoryformatversion',
  'sharedrepository',
  'splitindex',
  'sshcommand',
  'worktree',
]);
/** Reads everything that decides how git sees the working tree. One git process. */
export async function freeze(
  repository: Repository,
  options: Pick<GitOptions, 'env' | 'timeoutMs' | 'signal'>,
): Promise<FrozenRepository> {
  const answer = await trustedGit(repository, ['config', '--list', '-z'], options);
  if (answer.code !== 0)
    throw new BatonError(
      'git-config',
      `the configuration of this repository cannot be read: ${answer.stderr.trim()}`,
    );
  const settings = parseConfigList(answer.stdout);
  const userFile = (name: string, fallback: string): Buffer | null => {
    const path = settingOf(settings, 'core', name);
    return readIfThere(
      typeof path === 'string'
        ? expandPath(path, repository.top, options.env)
        : join(configHome(options.env), 'git', fallback),
    );
  };
  return {
    repository,
    settings: settings.filter(
      ({ section, name }) =>
        !DROPPED_SECTIONS.has(section) && !(section === 'core' && DROPPED_CORE.has(name)),
    ),
    excludes: userFile('excludesfile', 'ignore'),
    attributes: userFile('attributesfile', 'attributes'),
    infoExclude: readIfThere(join(repository.commonDir, 'info', 'exclude')),
    infoAttributes: readIfThere(join(repository.commonDir, 'info', 'attributes')),
    ignoreCase: settingOf(settings, 'core', 'ignorecase') === 'true',
  };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

function configHome(env: Env): string {
  return readVariable(env, 'XDG_CONFIG_HOME') || join(readVariable(env, 'HOME') ?? '/', '.config');
}

/** Git itself reads `~/` and a path that is relative to where it runs. */
function expandPath(value: string, top: string, env: Env): string {
  const path = Buffer.from(value, 'latin1').toString('utf8');
  return path.startsWith('~/') ? join(readVariable(env, 'HOME') ?? '/', path.slice(2)) : resolve(top, path);
}
