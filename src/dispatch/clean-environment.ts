import { readVariable, type Env } from '../core/environment.ts';
import { UsageError } from '../core/errors.ts';

/** What a program needs to run at all, and where the CLI has its home. No credentials, and nothing that may hold one. */
const BARE = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
  'CODEX_HOME',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
];
const BARE_ON_WINDOWS = [
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'PROGRAMDATA',
];

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The names of `--keep-env`, each once. Throws a UsageError for a name that is none, or that is not set. */
export function checkKeepEnv(names: readonly string[], cleanEnv: boolean, env: Env): string[] {
  if (names.length > 0 && !cleanEnv) {
    throw new UsageError('--keep-env needs --clean-env: without it every variable is kept');
  }
  for (const name of names) {
    if (!NAME.test(name)) {
      throw new UsageError(
        `--keep-env ${JSON.stringify(name)} is not the name of a variable: write letters, digits and _, not beginning with a digit`,
      );
    }
    if (readVariable(env, name) === undefined) {
      throw new UsageError(`--keep-env ${name} is not set in this environment: set it, or leave it out`);
    }
  }
  return [...new Set(names)];
}

/** The environment of a run with `--clean-env`: made from nothing, with what is kept by name. */
export function cleanEnvironment(
  env: Env,
  keep: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Env {
  const names = [...BARE, ...(platform === 'win32' ? BARE_ON_WINDOWS : []), ...keep];
  const clean: Env = {};
  for (const name of names) {
    const value = readVariable(env, name, platform);
    if (value !== undefined) clean[name] = value;
  }
  return clean;
}
