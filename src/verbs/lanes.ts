import { readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { type Fleet, readFleet } from '../lanes/fleet.ts';
import { type FleetContent, parseFleet } from '../lanes/fleet-file.ts';
import { type Resolved, resolveLane } from '../lanes/resolve.ts';
import { treeAt } from './run-at.ts';

/** Whose lanes: those of the user, and of the project that a directory lies in. */
export interface LanePlace {
  cd: string;
  env: Env;
}

/** Both files of lanes, as they are. Rejects with a UsageError for a directory that cannot be used. */
export async function fleetAt({ cd, env }: LanePlace): Promise<Fleet> {
  const { repository } = await treeAt({ cd, env });
  return readFleet({ repository, env });
}

/** The lane of a name. Rejects with a UsageError where there is none, or where it is of another implementer. */
export async function resolveLaneAt({
  lane,
  implementer,
  ...place
}: LanePlace & { lane: string; implementer: string | undefined }): Promise<Resolved> {
  return resolveLane(await fleetAt(place), lane, implementer);
}

/** What a file of lanes says, and what is wrong with it. */
export interface CheckedFile extends FleetContent {
  path: string;
  source: 'global' | 'project' | null;
  approved: boolean | null;
}

/** Reads the files of lanes that are there, or the one that is named, and nothing else. Rejects where it cannot be read. */
export async function validateLanes({
  file,
  ...place
}: LanePlace & { file: string | null }): Promise<CheckedFile[]> {
  if (file !== null) return [{ path: file, source: null, approved: null, ...parseFleet(read(file)) }];
  const { global, project } = await fleetAt(place);
  return [
    ...(global.present ? [{ ...global, source: 'global' as const, approved: null }] : []),
    ...(project?.present ? [{ ...project, source: 'project' as const }] : []),
  ];
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(resolvePath(file));
  } catch (error) {
    throw new UsageError(`${JSON.stringify(file)} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
