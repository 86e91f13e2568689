import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { messageOf, systemCode } from '../core/errors.ts';
import { contentHash } from '../trust/approval.ts';
import type { Owner } from './journal.ts';
import type { OpenFolder, RootFolder } from './root-folder.ts';

/** A regular file as it lies there. */
export interface SeenFile {
  kind: 'file';
  bytes: Buffer;
  /** Lower-case hex SHA-256. */
  hash: string;
  /** Permission bits. */
  mode: number;
  owner: Owner;
}

/** What lies at a path. `blocked`: nothing can be written there, and `reason` says so to a person. */
export type Seen = { kind: 'absent' } | SeenFile | { kind: 'blocked'; reason: string };

/** Looks at a path below the root, through real folders only. Never throws for what lies there. */
export function look(root: RootFolder, path: string): Seen {
  const [folder, name] = splitPath(path);
  const entered = root.within(folder, (open) => lookIn(open, name));
  if ('done' in entered) return entered.done;
  return 'missing' in entered ? { kind: 'absent' } : { kind: 'blocked', reason: entered.reason };
}

/** Looks at a name in an open folder. A link is not followed, and what is no regular file is not opened for reading. */
export function lookIn(folder: OpenFolder, name: string): Seen {
  let fd: number;
  try {
    // Asked first: opening a device may do something.
    const there = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (!there) return { kind: 'absent' };
    if (!there.isFile()) return { kind: 'blocked', reason: kindOf(there) };
    fd = openSync(
      folder.at(name),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kind: 'absent' };
    return { kind: 'blocked', reason: `it cannot be read: ${systemCode(error) ?? messageOf(error)}` };
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { kind: 'blocked', reason: kindOf(stat) };
    const bytes = readFileSync(fd);
    return {
      kind: 'file',
      bytes,
      hash: contentHash(bytes),
      mode: stat.mode & 0o7777,
      owner: { uid: stat.uid, gid: stat.gid },
    };
  } finally {
    closeSync(fd);
  }
}

/** The folder (`''` for the root) and the name. */
export function splitPath(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
}

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'it is a symbolic link: nothing is written through one';
  if (stat.isDirectory()) return 'a folder has this name';
  if (stat.isFIFO()) return 'a FIFO has this name';
  if (stat.isSocket()) return 'a socket has this name';
  return stat.isFile() ? 'it was replaced while it was looked at' : 'a device has this name';
}
