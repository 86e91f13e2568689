import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf, UsageError } from '../core/errors.ts';
import { setLane, unsetLane } from '../lanes/edit.ts';
import type { Fleet, FleetFile, ProjectFleet } from '../lanes/fleet.ts';
import type { Binding, Dials, LaneSource } from '../lanes/lane.ts';
import { approve } from '../trust/approval.ts';
import { fleetAt, type LanePlace } from './lanes.ts';

export interface LaneEdit extends LanePlace {
  name: string;
  /** Which file; null is the one that has the lane, and the user's for a lane that is new. */
  scope: LaneSource | null;
  /** Approves the project's file in the same step, if it was approved before. */
  approve: boolean;
}

/** What was written. */
export interface EditedLanes {
  path: string;
  source: LaneSource;
  /** Whether the file counts as it is now; the user's own always does. */
  approved: boolean;
}

/**
 * Sets dials of a lane, which is made where it is new. With another implementer than before, the old dials go: they
 * were chosen for another CLI. Rejects with a UsageError where the lane would not hold, and then nothing is written.
 */
export async function setLaneAt({
  implementer: asked,
  dials: given,
  ...edit
}: LaneEdit & { implementer: string | undefined; dials: Dials }): Promise<EditedLanes & Binding> {
  const target = await openFile(edit);
  const before = target.file.lanes.find(({ name }) => name === edit.name);
  const implementer = asked ?? before?.implementer ?? undefined;
  if (implementer === undefined)
    throw new UsageError(`the lane ${edit.name} needs an implementer: say --implementer <key>`);
  const kept = before?.problem === null && before.implementer === implementer ? before.dials : {};
  const binding = { implementer, dials: { ...kept, ...given } };
  const written = write(target, setLane(target.text, edit.name, binding), edit.approve);
  return { ...written, ...binding };
}

/** Takes a lane out, or some fields of it. Rejects with a UsageError for what is not there. */
export async function unsetLaneAt({
  fields,
  ...edit
}: LaneEdit & { fields: readonly string[] }): Promise<EditedLanes> {
  const target = await openFile(edit);
  if (target.text === null) throw new UsageError(`there is no lane ${JSON.stringify(edit.name)}`);
  return write(target, unsetLane(target.text, edit.name, fields), edit.approve);
}

/** The file that is to be edited, as it is. */
interface Target {
  file: FleetFile;
  /** Null where the file is to be made. */
  text: string | null;
  project: ProjectFleet | null;
}

async function openFile(edit: LaneEdit): Promise<Target> {
  const fleet = await fleetAt(edit);
  const project = scopeOf(edit, fleet) === 'project' ? requireProject(fleet) : null;
  const file = project ?? fleet.global;
  if (file.present && file.bytes === null)
    throw new UsageError(`${file.path} cannot be edited: ${file.problem ?? 'it cannot be read'}`);
  if (edit.approve) requireApprovable(project);
  return { file, text: file.bytes && textOf(file.path, file.bytes), project };
}

function scopeOf({ name, scope }: LaneEdit, { global, project }: Fleet): LaneSource {
  if (scope !== null) return scope;
  const has = (file: FleetFile | null): boolean => file?.lanes.some((lane) => lane.name === name) ?? false;
  if (has(global) && has(project))
    throw new UsageError(`there are two lanes ${JSON.stringify(name)}: say --global or --project`);
  return has(project) ? 'project' : 'global';
}

function requireProject({ project, unseen }: Fleet): ProjectFleet {
  if (project) return project;
  throw new UsageError(unseen ?? 'there is no project here: --project needs a git repository');
}

/** What a person has not looked at is not approved in passing: an edit of one lane shows none of the others. */
function requireApprovable(project: ProjectFleet | null): void {
  if (!project) throw new UsageError("--approve is for the project's file: your own needs no approval");
  if (project.approved || !project.present) return;
  throw new UsageError(
    `--approve cannot be given: ${project.path} was not approved before this edit either`,
    {
      hint: 'edit it without --approve, and then let `baton lanes approve` show all of it',
    },
  );
}

/** With its byte order mark, so that it stays. */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${path} cannot be edited: it is not UTF-8`, { cause: error });
  }
}

function write({ file, project }: Target, text: string, approving: boolean): EditedLanes {
  const bytes = Buffer.from(text);
  try {
    mkdirSync(dirname(file.path), { recursive: true });
    // A link to the user's file stays one. The project's file is none, or it would not have been read.
    const path = file.present && !project ? realpathSync(file.path) : file.path;
    const mode = file.present ? statSync(path).mode & 0o777 : project ? 0o644 : 0o600;
    writeFileAtomic(path, bytes, mode);
  } catch (error) {
    throw new BatonError('lanes-file', `${file.path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (project && approving) approve(project.repository, 'lanes', bytes);
  return {
    path: file.path,
    source: project ? 'project' : 'global',
    approved: project === null || approving,
  };
}
