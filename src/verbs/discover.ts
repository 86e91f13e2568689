import type { Env } from '../core/environment.ts';
import { type Discovery, discoverClis } from '../lanes/discover/discover.ts';
import { checkDirectory } from '../running/checks.ts';
import { RUN_LIMITS } from '../running/limits.ts';

export interface DiscoverOptions {
  env: Env;
  /** Where a run would work: a shim may choose another version there. Default: here. */
  cd?: string;
  /** Of each question that a CLI is asked. Default 10,000 ms. */
  limitMs?: number;
  signal?: AbortSignal;
}

/** As long as the preflight of a run: what takes longer would not be dispatched to. */
export const PROBE_LIMIT_MS = RUN_LIMITS.preflightMs;

/**
 * The agent CLIs of this machine: which are there, work, and are signed in. Never a model call, and never a hang.
 * Rejects with a UsageError for a directory that is not there.
 */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  return discoverClis({
    env: options.env,
    cwd: checkDirectory(options.cd ?? '.').workdir,
    platform: process.platform,
    limitMs: options.limitMs ?? PROBE_LIMIT_MS,
    signal: options.signal ?? new AbortController().signal,
  });
}
