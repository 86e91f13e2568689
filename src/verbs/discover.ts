import { resolve } from 'node:path';
import type { Env } from '../core/environment.ts';
import { type Discovery, discoverClis } from '../lanes/discover/discover.ts';

export interface DiscoverOptions {
  env: Env;
  /** Where a run would work: a shim may choose another version there. Default: here. */
  cd?: string;
  /** Of each question that a CLI is asked. Default 5,000 ms. */
  limitMs?: number;
  signal?: AbortSignal;
}

/** Long enough for a slow disk; what takes longer hangs. */
export const PROBE_LIMIT_MS = 5000;

/** The agent CLIs of this machine: which are there, work, and are signed in. Never a model call, and never a hang. */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  return discoverClis({
    env: options.env,
    cwd: resolve(options.cd ?? '.'),
    platform: process.platform,
    limitMs: options.limitMs ?? PROBE_LIMIT_MS,
    signal: options.signal ?? new AbortController().signal,
  });
}
