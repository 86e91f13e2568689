import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { oneLine, truncate } from '../core/text.ts';

const MAX_LENGTH = 200;

/** A process's command line for a person: one line of at most 200 characters; its bare name where that is all there is. */
export function commandLineOf(pid: number, platform: NodeJS.Platform = process.platform): string {
  const text = platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return truncate(oneLine(text), MAX_LENGTH) || `process ${pid}`;
}

function fromProc(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() || read(`/proc/${pid}/comm`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function fromPs(pid: number): string {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
    windowsHide: true,
  });
  return stdout ?? '';
}
