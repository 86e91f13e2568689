import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Env } from './environment.ts';

/** Where a user keeps what baton shall use everywhere: `baton` under `$XDG_CONFIG_HOME`, `~/.config` or `%APPDATA%`. */
export function configHome(env: Env, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] || homedir();
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'baton');
  const xdg = env['XDG_CONFIG_HOME'];
  // The XDG rules say that a relative path is to be ignored.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.config'), 'baton');
}
