import { type Env, readVariable } from '../core/environment.ts';

/** How a command line is handed to the platform's shell. */
export function shellFor(
  command: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): { file: string; args: string[] } {
  return platform === 'win32'
    ? { file: readVariable(env, 'COMSPEC', platform) || 'cmd.exe', args: ['/d', '/s', '/c', command] }
    : { file: '/bin/sh', args: ['-c', command] };
}
