import { type Env, readVariable } from '../core/environment.ts';

/** How a command line is handed to the platform's shell. */
export function shellFor(
  command: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): { file: string; args: string[]; verbatim: boolean } {
  if (platform !== 'win32') return { file: '/bin/sh', args: ['-c', command], verbatim: false };
  // With /s, cmd takes off the outer quotes and reads what is between them as it stands.
  const file = readVariable(env, 'COMSPEC', platform) || 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
}
