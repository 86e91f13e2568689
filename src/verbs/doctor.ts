import type { Env } from '../core/environment.ts';
import type { Check } from '../implementers/inspection.ts';
import { checkDirectory, chooseImplementer } from '../running/checks.ts';
import type { Examined, Fix } from './doctor-check.ts';
import { cliChecks } from './doctor-clis.ts';
import { machineChecks } from './doctor-machine.ts';
import { projectChecks } from './doctor-project.ts';
import { PROBE_LIMIT_MS } from './discover.ts';

export interface DoctorOptions {
  /** Where a run would work. */
  cd: string;
  /** Who would do it. */
  implementer: string;
  env: Env;
  signal: AbortSignal;
}

export interface Diagnosis {
  /** A dispatch to this implementer would start: no check is a `problem`. */
  ok: boolean;
  implementer: string;
  /** Other implementers that could do it. */
  others: string[];
  checks: Check[];
  /** What can be mended here, once a person agrees. */
  fixes: Fix[];
}

/**
 * Looks at everything that a dispatch needs, side by side, and changes nothing. Rejects with a UsageError for a directory
 * or an implementer that is not there.
 */
export async function doctor({ cd, implementer, env, signal }: DoctorOptions): Promise<Diagnosis> {
  const chosen = chooseImplementer(implementer, env);
  const { workdir } = checkDirectory(cd);
  const request = { env, cwd: workdir, platform: process.platform, limitMs: PROBE_LIMIT_MS, signal };
  const clis = cliChecks(chosen, request);
  const [{ checks: ofClis, usable }, machine, project] = await Promise.all([
    clis,
    machineChecks(env, workdir, PROBE_LIMIT_MS),
    projectChecks({ cd: workdir, env, implementer: chosen, usable: clis.then((found) => found.usable) }),
  ]);
  const examined: Examined[] = [...machine, ...ofClis, ...project];
  const checks = examined.map(({ check }) => check);
  return {
    ok: checks.every(({ state }) => state !== 'problem'),
    implementer: chosen.id,
    others: usable.filter((id) => id !== chosen.id),
    checks,
    fixes: examined.flatMap(({ fix }) => fix ?? []),
  };
}
