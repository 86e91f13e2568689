import { UsageError } from '../core/errors.ts';
import { setLane, unsetLane } from '../lanes/edit.ts';
import type { Fleet, FleetFile, ProjectFleet } from '../lanes/fleet.ts';
import type { Binding, Dials, LaneSource } from '../lanes/lane.ts';
import { approve } from '../trust/approval.ts';
import { type LaneFile, openLaneFile, writeLaneFile } from './lane-file.ts';
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

async function openFile(edit: LaneEdit): Promise<LaneFile> {
  const fleet = await fleetAt(edit);
  const opened = openLaneFile(fleet, scopeOf(edit, fleet));
  if (edit.approve) requireApprovable(opened.project);
  return opened;
}

function scopeOf({ name, scope }: LaneEdit, { global, project }: Fleet): LaneSource {
  if (scope !== null) return scope;
  const has = (file: FleetFile | null): boolean => file?.lanes.some((lane) => lane.name === name) ?? false;
  if (has(global) && has(project))
    throw new UsageError(`there are two lanes ${JSON.stringify(name)}: say --global or --project`);
  return has(project) ? 'project' : 'global';
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

function write(opened: LaneFile, text: string, approving: boolean): EditedLanes {
  const { file, project } = opened;
  const bytes = writeLaneFile(opened, text);
  if (project && approving) approve(project.repository, 'lanes', bytes);
  return {
    path: file.path,
    source: project ? 'project' : 'global',
    approved: project === null || approving,
  };
}
