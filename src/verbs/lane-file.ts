import { mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf, UsageError } from '../core/errors.ts';
import type { Fleet, FleetFile, ProjectFleet } from '../lanes/fleet.ts';
import type { LaneSource } from '../lanes/lane.ts';

/** A file of lanes that is to be edited, as it is. */
export interface LaneFile {
  file: FleetFile;
  /** With its byte order mark, so that it stays; null where the file is to be made. */
  text: string | null;
  /** Null for the user's own file. */
  project: ProjectFleet | null;
}

/** The user's file or the project's. Throws a UsageError where there is no project, or what is there cannot be edited. */
export function openLaneFile(fleet: Fleet, scope: LaneSource): LaneFile {
  const project = scope === 'project' ? requireProject(fleet) : null;
  const file = project ?? fleet.global;
  if (file.present && file.bytes === null)
    throw new UsageError(`${file.path} cannot be edited: ${file.problem ?? 'it cannot be read'}`);
  return { file, text: file.bytes && textOf(file.path, file.bytes), project };
}

/** Writes the whole file or nothing, and returns its bytes. Throws a BatonError `lanes-file` where that fails. */
export function writeLaneFile({ file, project }: LaneFile, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  try {
    // A link to the user's file stays one. The project's file is none, or it would not have been read.
    const path = project ? file.path : behindLink(file);
    mkdirSync(dirname(path), { recursive: true });
    const mode = file.present ? statSync(path).mode & 0o777 : project ? 0o644 : 0o600;
    writeFileAtomic(path, bytes, mode);
  } catch (error) {
    throw new BatonError('lanes-file', `${file.path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return bytes;
}

/** Where the file lies, or would: people link to their dotfiles before there is one. */
function behindLink({ path, present }: FleetFile): string {
  if (present) return realpathSync(path);
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return path;
  }
}

function requireProject({ project, unseen }: Fleet): ProjectFleet {
  if (project) return project;
  throw new UsageError(unseen ?? 'there is no project here: --project needs a git repository');
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${path} cannot be edited: it is not UTF-8`, { cause: error });
  }
}
