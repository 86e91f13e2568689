import type { Env } from '../core/environment.ts';
import { locateRepository } from '../git/locate.ts';
import { readFleet } from './fleet.ts';
import { requireDriven, type Resolved, resolveLane } from './resolve.ts';

/** Which lane, for a run where. */
export interface LaneRequest {
  name: string;
  /** Who was asked for; the lane chooses where nobody was. */
  implementer: string | undefined;
  /** The directory of the run, a real path. */
  cwd: string;
  env: Env;
  gitTimeoutMs: number;
}

/** The lane of a run that is to be started. Rejects with a UsageError where there is none that can be. */
export async function laneAt(request: LaneRequest): Promise<Resolved> {
  const { name, implementer, cwd, env, gitTimeoutMs } = request;
  const repository = await locateRepository(cwd, env, gitTimeoutMs);
  const resolved = resolveLane(readFleet({ repository, env }), name, implementer);
  requireDriven(resolved.lane);
  return resolved;
}
