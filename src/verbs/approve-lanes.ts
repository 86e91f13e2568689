import { UsageError } from '../core/errors.ts';
import type { ProjectFleet } from '../lanes/fleet.ts';
import type { FileLane } from '../lanes/fleet-file.ts';
import { approve } from '../trust/approval.ts';
import { fleetAt, type LanePlace } from './lanes.ts';

/** The project's file as it was read, for a person to look at before it counts. */
export interface LaneReview {
  file: ProjectFleet & { bytes: Uint8Array; hash: string };
  lanes: (FileLane & {
    /** The user has a lane of that name, which this one would take the place of. */
    replaces: boolean;
  })[];
}

/** What an approval would be given to. Rejects with a UsageError where there is nothing that could count. */
export async function reviewLanes(place: LanePlace): Promise<LaneReview> {
  const { global, project, unseen } = await fleetAt(place);
  if (!project)
    throw new UsageError(unseen ?? 'there is no project here: only lanes of a git repository are approved');
  const { bytes, hash } = project;
  if (!project.present)
    throw new UsageError(`there is nothing to approve: ${project.path} is not there`, {
      hint: 'make it with `baton lanes set <name> --project --implementer <key>`',
    });
  if (bytes === null || hash === null || project.problem !== null)
    throw new UsageError(`${project.path} cannot be approved: ${project.problem ?? 'it cannot be read'}`);
  const lanes = project.lanes.map((lane) => ({
    ...lane,
    replaces: global.lanes.some(({ name }) => name === lane.name),
  }));
  return { file: { ...project, bytes, hash }, lanes };
}

/** Approves the bytes that were looked at, whatever the file holds by now. Returns the files that say so. */
export function approveLanes({ file }: LaneReview): string[] {
  return approve(file.repository, 'lanes', file.bytes);
}
