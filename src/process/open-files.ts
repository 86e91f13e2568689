import { fstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** A file, whatever its name is by now, and also when it has none any more. */
export interface FileIdentity {
  device: bigint;
  inode: bigint;
}

export function identityOf(fd: number): FileIdentity {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { device: dev, inode: ino };
}

/**
 * Whether the process holds one of these files open for writing. One that only reads, such as a person's `tail -f`,
 * does not count. Linux only; false where the process is gone or not ours to look at.
 */
export function writesTo(pid: number, files: readonly FileIdentity[]): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => isOneOf(`${folder}/${fd}`, files) && isForWriting(pid, fd));
  } catch {
    return false;
  }
}

function isOneOf(link: string, files: readonly FileIdentity[]): boolean {
  try {
    // Pipes, sockets and devices are passed over unseen: looking at them could be slow.
    const target = readlinkSync(link);
    if (!target.startsWith('/') || target.startsWith('/dev/')) return false;
    const { dev, ino } = statSync(link, { bigint: true });
    return files.some((file) => file.device === dev && file.inode === ino);
  } catch {
    return false;
  }
}

const ACCESS_MODE = 0o3;

function isForWriting(pid: number, fd: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags.slice(-1), 8) & ACCESS_MODE) !== 0;
  } catch {
    return false;
  }
}
