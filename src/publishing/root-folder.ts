import { closeSync, constants, fsyncSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode, UsageError } from '../core/errors.ts';

/** A folder below the root that was reached through real folders only. */
export interface OpenFolder {
  /** What to hand to the system for a name in this folder. The name itself may be a link: never follow it. */
  at(name: string): string;
  /** Makes what was made and renamed in it last. Does nothing where the platform cannot. */
  sync(): void;
}

/** Why a folder could not be entered: it is not there, or `reason` (for a person) says what is in the way. */
export type NotEntered = { missing: string } | { reason: string };

type Opened = { folder: OpenFolder; close: () => void } | NotEntered;

const FOLDER =
  constants.O_RDONLY |
  (constants.O_DIRECTORY ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * The folder that is published into, and the only way from it to the folders below. A link is never followed.
 *
 * On Linux each folder on the way is opened by descriptor, without following links, and all work goes through
 * `/proc/self/fd/<n>/`: a parent that somebody swaps for a link after it was looked at leads nowhere. Elsewhere, and
 * where there is no `/proc`, the way is looked at before each step, and `isThere` tells afterwards where a file ended.
 */
export class RootFolder {
  /** A real path. */
  readonly path: string;
  readonly #fd: number | null;

  private constructor(path: string, fd: number | null) {
    this.path = path;
    this.#fd = fd;
  }

  /** Throws a UsageError for what is no folder. To be closed. */
  static open(root: string, platform: NodeJS.Platform = process.platform): RootFolder {
    let path: string;
    try {
      path = realpathSync.native(root);
      if (!lstatSync(path).isDirectory()) throw new Error('it is no folder');
    } catch (error) {
      throw new UsageError(`nothing can be published in ${JSON.stringify(root)}: ${messageOf(error)}`, {
        cause: error,
      });
    }
    return new RootFolder(path, platform === 'linux' ? openDescriptor(path) : null);
  }

  /** Whether swapped parents are kept out, and not only noticed. */
  get heldByDescriptor(): boolean {
    return this.#fd !== null;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }

  /** Does `work` in the folder at `path` (`''` is the root itself). */
  within<T>(path: string, work: (folder: OpenFolder) => T): { done: T } | NotEntered {
    const names = path === '' ? [] : path.split('/');
    const opened = this.#fd === null ? this.#walk(names) : descend(this.#fd, names);
    if (!('folder' in opened)) return opened;
    try {
      return { done: work(opened.folder) };
    } finally {
      opened.close();
    }
  }

  /** Whether the path leads, through no link, to a file in this root: not to be trusted while somebody swaps folders. */
  isThere(path: string): boolean {
    const whole = join(this.path, path);
    try {
      return realpathSync(whole) === whole;
    } catch {
      return false;
    }
  }

  #walk(names: readonly string[]): Opened {
    let at = this.path;
    for (const [index, name] of names.entries()) {
      at = join(at, name);
      const stat = lstatSync(at, { throwIfNoEntry: false });
      const shown = names.slice(0, index + 1).join('/');
      if (!stat) return { missing: shown };
      if (!stat.isDirectory()) return { reason: inTheWay(shown, stat.isSymbolicLink()) };
    }
    return {
      folder: { at: (name) => join(at, name), sync: () => syncFolder(at) },
      close: () => {},
    };
  }
}

/** Null where there is no `/proc` that knows our descriptors. */
function openDescriptor(path: string): number | null {
  const fd = openSync(path, FOLDER);
  try {
    if (readlinkSync(`/proc/self/fd/${fd}`) === path) return fd;
  } catch {
    // No `/proc` here.
  }
  closeSync(fd);
  return null;
}

function descend(root: number, names: readonly string[]): Opened {
  let fd = root;
  const leave = (): void => {
    if (fd !== root) closeSync(fd);
  };
  for (const [index, name] of names.entries()) {
    const next = enter(fd, name, names.slice(0, index + 1).join('/'));
    leave();
    if (typeof next !== 'number') return next;
    fd = next;
  }
  return {
    folder: { at: (name) => `/proc/self/fd/${fd}/${name}`, sync: () => fsyncSync(fd) },
    close: leave,
  };
}

function enter(parent: number, name: string, shown: string): number | NotEntered {
  const at = `/proc/self/fd/${parent}/${name}`;
  try {
    return openSync(at, FOLDER);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code === 'ENOENT') return { missing: shown };
    if (code === 'ENOTDIR' || code === 'ELOOP') return { reason: inTheWay(shown, isLink(at)) };
    return { reason: `${shown} cannot be entered: ${code}` };
  }
}

function isLink(at: string): boolean {
  return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function inTheWay(shown: string, link: boolean): string {
  return link ? `${shown} is a symbolic link: nothing is written through one` : `${shown} is no folder`;
}

/** A folder's own entries survive a power cut only once it was synced; not every platform lets a program ask for it. */
export function syncFolder(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY);
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // Windows, and some network file systems.
  } finally {
    closeSync(fd);
  }
}
