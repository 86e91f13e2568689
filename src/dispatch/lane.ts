import { copyEnv } from '../core/environment.ts';
import type { Lane } from '../lanes/lane.ts';
import { checkDirectory } from '../running/checks.ts';
import { DEFAULT_LIMITS, type DispatchOptions } from './options.ts';

/** A lane's part in a run: what it is called, where it stands, and which dials it decided. */
export interface AppliedLane {
  name: string;
  source: Lane['source'];
  /** Those that no flag decided. */
  dials: string[];
}

/** Options with a lane's dials in them, and no lane any more. */
export interface LanedOptions {
  options: Omit<DispatchOptions, 'lane'>;
  lane: AppliedLane | null;
}

/** Each dial: the option itself, else the lane's. Rejects with a UsageError for a lane that cannot be used. */
export async function withLane(options: DispatchOptions): Promise<LanedOptions> {
  const { lane, ...own } = await withLaneFound(options);
  if (!lane) return { options: own, lane: null };
  const { layered } = await import('./layered.ts');
  return layered(own, lane);
}

/** Options whose lane is no mere name. What is needed for it is loaded only where a lane was named. */
export async function withLaneFound<Options extends Partial<DispatchOptions>>(
  options: Options,
): Promise<Omit<Options, 'lane'> & { lane?: Lane }> {
  const { lane, ...own } = options;
  if (lane === undefined) return own;
  if (typeof lane !== 'string') return { ...own, lane };
  const { laneAt } = await import('../lanes/lane-at.ts');
  const found = await laneAt({
    name: lane,
    implementer: options.implementer,
    cwd: checkDirectory(options.cd ?? process.cwd()).realWorkdir,
    env: options.env ?? copyEnv(process.env),
    gitTimeoutMs: options.limits?.gitMs ?? DEFAULT_LIMITS.gitMs,
  });
  for (const note of found.notes) options.onWarning?.(note);
  return { ...own, lane: found.lane };
}
