import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf, systemCode } from '../core/errors.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import { contentHash, isApproved } from '../trust/approval.ts';
import { readProjectFile } from '../trust/project-file.ts';
import { type FleetContent, parseFleet } from './fleet-file.ts';

/** Below the top of a working tree. */
export const PROJECT_FLEET = '.delegate/config.json';

/** A larger file is none. The project's file has the same limit. */
const MAX_BYTES = 1024 * 1024;

/** All lanes that can be named in one place. */
export interface Fleet {
  global: FleetFile;
  /** Null where there is no repository. */
  project: ProjectFleet | null;
  /** Why it is not known whether the project has lanes; null where that is known. */
  unseen: string | null;
}

/** One file of lanes. `problem` says why none of them counts. */
export interface FleetFile extends FleetContent {
  path: string;
  /** Something is there, readable or not. */
  present: boolean;
  /** As read; null where nothing was. */
  bytes: Uint8Array | null;
}

/** The project's file: its lanes count only once a person approved its bytes. */
export interface ProjectFleet extends FleetFile {
  repository: Repository;
  /** Hex SHA-256 of the bytes; null where nothing was read. */
  hash: string | null;
  approved: boolean;
}

/** Reads both files. Never throws: what cannot be read has a `problem`, and the other file counts all the same. */
export function readFleet({ repository, env }: { repository: Repository | NoRepository; env: Env }): Fleet {
  return {
    global: readGlobal(globalFleetPath(env)),
    project: 'top' in repository ? readProject(repository) : null,
    unseen: unseenIn(repository),
  };
}

/** Git itself declined to look: a project may be there all the same. */
function unseenIn(repository: Repository | NoRepository): string | null {
  if ('top' in repository || repository.problem === 'none' || repository.problem === 'bare') return null;
  return `the lanes of the project are not used: ${repository.detail}`;
}

/** The user's own file: `delegate-skills/config.json` under `$XDG_CONFIG_HOME` or `~/.config`, on every platform. */
export function globalFleetPath(env: Env): string {
  const xdg = env['XDG_CONFIG_HOME'];
  // The XDG rules say that a relative path is to be ignored.
  const home = xdg && isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.config');
  return join(home, 'delegate-skills', 'config.json');
}

function readGlobal(path: string): FleetFile {
  return read(path, () => readOwnFile(path));
}

function readProject(repository: Repository): ProjectFleet {
  const path = join(repository.top, ...PROJECT_FLEET.split('/'));
  const file = read(path, () => readProjectFile(repository.top, PROJECT_FLEET));
  const { bytes } = file;
  return {
    ...file,
    repository,
    hash: bytes && contentHash(bytes),
    approved: bytes !== null && isApproved(repository, 'lanes', bytes),
  };
}

function read(path: string, bytesOf: () => Uint8Array | null): FleetFile {
  try {
    const bytes = bytesOf();
    const content = bytes === null ? { lanes: [], problem: null } : parseFleet(bytes);
    return { path, present: bytes !== null, bytes, ...content };
  } catch (error) {
    return { path, present: true, bytes: null, lanes: [], problem: messageOf(error) };
  }
}

/** People keep their settings elsewhere and link to them: their own file may be a link, but must be a file in the end. */
function readOwnFile(path: string): Uint8Array | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is no regular file');
    if (stat.size > MAX_BYTES) throw new Error(`it has ${stat.size} bytes, the limit is ${MAX_BYTES}`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
