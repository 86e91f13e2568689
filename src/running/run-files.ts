import { closeSync, constants, openSync } from 'node:fs';
import { identityOf, type FileIdentity } from '../process/open-files.ts';
import type { RunRequest } from './contract.ts';

/** What the implementer gets as stdin, stdout and stderr. */
export interface RunFiles {
  stdio: readonly [number, number, number];
  logs: readonly FileIdentity[];
  close(): void;
}

/** Appending, so that a grandchild with the same log overwrites nothing; never through a link that someone put there. */
const LOG_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Opens the brief for reading and the logs for appending. Throws the system's error, with nothing left open. */
export function openRunFiles(files: RunRequest['files']): RunFiles {
  const open: number[] = [];
  const close = (): void => {
    for (const fd of open.splice(0)) closeSync(fd);
  };
  const keep = (fd: number): number => {
    open.push(fd);
    return fd;
  };
  try {
    const brief = keep(openSync(files.brief, 'r'));
    const events = keep(openSync(files.events, LOG_FLAGS, 0o600));
    const stderr = keep(openSync(files.stderr, LOG_FLAGS, 0o600));
    return { stdio: [brief, events, stderr], logs: [identityOf(events), identityOf(stderr)], close };
  } catch (error) {
    close();
    throw error;
  }
}
