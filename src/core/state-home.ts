import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Env } from './environment.ts';

/** Baton's state folder: `$BATON_HOME`, or `baton` under the platform's own (`$XDG_STATE_HOME`, `~/.local/state`, `%LOCALAPPDATA%`). */
export function stateHome(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env['BATON_HOME']) return resolve(env['BATON_HOME']);
  const home = env['HOME'] || homedir();
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'baton');
  const xdg = env['XDG_STATE_HOME'];
  // The XDG rules say that a relative path is to be ignored.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state'), 'baton');
}
