import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { readVariable, type Env } from '../core/environment.ts';

export interface WhichOptions {
  platform?: NodeJS.Platform;
  /** Where a name with a slash in it, such as `./claude`, is looked for. */
  cwd?: string;
  /** Whether there is a file that can be run; the real disk unless a test says otherwise. */
  isExecutable?: (path: string) => boolean;
}

/**
 * The path of an executable on the PATH of `env`, or null. Nothing is remembered: an update may replace the file
 * between two runs. Only absolute folders of PATH count: a relative or empty one would let a file of the project pass
 * for the agent CLI.
 */
export function which(name: string, env: Env, options: WhichOptions = {}): string | null {
  const platform = options.platform ?? process.platform;
  const isExecutable = options.isExecutable ?? isExecutableFile;
  return placesOf(name, env, platform, options.cwd).find((path) => isExecutable(path)) ?? null;
}

/** Every path that the name may mean, in the order of PATH, whatever lies there. */
export function placesOf(name: string, env: Env, platform: NodeJS.Platform, cwd?: string): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const names = platform === 'win32' ? withExtensions(name, env) : [name];
  if (name.includes('/') || (platform === 'win32' && /[\\:]/.test(name))) {
    const folder = cwd ?? (path.isAbsolute(name) ? '' : process.cwd());
    return names.map((one) => path.resolve(folder, one));
  }
  const folders = (readVariable(env, 'PATH', platform) ?? '')
    .split(path.delimiter)
    .map((folder) => (platform === 'win32' ? folder.replace(/^"(.*)"$/, '$1') : folder))
    .filter((folder) => path.isAbsolute(folder));
  return folders.flatMap((folder) => names.map((one) => path.join(folder, one)));
}

/** Windows runs a file by its extension. A name without one is tried with each that PATHEXT lists. */
function withExtensions(name: string, env: Env): string[] {
  const extensions = (readVariable(env, 'PATHEXT', 'win32') || '.COM;.EXE;.BAT;.CMD')
    .toLowerCase()
    .split(';');
  const own = win32.extname(name).toLowerCase();
  return own !== '' && extensions.includes(own)
    ? [name]
    : extensions.map((extension) => `${name}${extension}`);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
