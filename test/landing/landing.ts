import { join } from 'node:path';
import type { Env } from '../../src/core/environment.ts';
import { locateRepository } from '../../src/git/locate.ts';
import type { Repository } from '../../src/git/repository.ts';
import { land, type LandRequest } from '../../src/landing/land.ts';
import { type LandableRun, planLanding, type PlanRequest } from '../../src/landing/plan-landing.ts';
import type { LandedRecord } from '../../src/landing/record.ts';
import { openWorkshop, type Workshop } from '../../src/landing/workshop.ts';
import { plainEnv, watch } from '../evidence/watching.ts';
import { exampleResult } from '../rundir/example.ts';
import type { Fingerprint, TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A run in which `act` is the implementer, with the evidence that baton has of it. */
export async function runOf(repository: TestRepository, act: () => unknown): Promise<LandableRun> {
  const directory = join(temporaryFolder(), 'run');
  const startedAt = new Date().toISOString();
  const { evidence } = await watch(repository.dir, act, { runDir: directory });
  const id = `20261130-120000-000-${String((count += 1)).padStart(8, '0')}`;
  return {
    id,
    directory,
    result: { ...exampleResult(), runId: id, evidence, startedAt, finishedAt: new Date().toISOString() },
  };
}

let count = 0;

export async function workshopAt(
  repository: TestRepository,
  runs: readonly LandableRun[],
  { folder = temporaryFolder(), env = plainEnv() }: { folder?: string; env?: Env } = {},
): Promise<Workshop> {
  const stores = runs.map(({ directory }) => join(directory, 'objects'));
  return openWorkshop(await located(repository, env), { folder, stores, env });
}

export async function located({ dir }: TestRepository, env = plainEnv()): Promise<Repository> {
  const found = await locateRepository(dir, env, 20_000);
  if ('problem' in found) throw new Error(found.detail);
  return found;
}

/** Plans and lands, with nothing asked for but what `options` says. */
export async function landRuns(
  workshop: Workshop,
  runs: readonly LandableRun[],
  options: Partial<PlanRequest & LandRequest> = {},
): Promise<LandedRecord> {
  const { only = [], takeWhole = [], includeMyEdits = false, takeCommits = false, ...rest } = options;
  const plan = await planLanding(workshop, { runs, only, takeWhole, includeMyEdits, takeCommits });
  return land(workshop, {
    runs,
    plan,
    message: 'Land it',
    trailers: [],
    only,
    includeMyEdits,
    acceptHookChanges: false,
    acceptedViolations: [],
    gates: { state: 'none-configured', tree: null, bound: null, without: null },
    ...rest,
  });
}

/** The files of the git directory that are not what they were. */
export function changedFiles(before: Fingerprint, after: Fingerprint): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (file) => before[file] !== after[file],
  );
}
