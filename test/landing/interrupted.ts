import { copyEnv } from '../../src/core/environment.ts';
import { locateRepository } from '../../src/git/locate.ts';
import { discard } from '../../src/landing/change-tree.ts';
import { land } from '../../src/landing/land.ts';
import { type LandableRun, planLanding } from '../../src/landing/plan-landing.ts';
import { openWorkshop } from '../../src/landing/workshop.ts';
import { undoLanding } from '../../src/landing/undo.ts';
import type { LandedRecord } from '../../src/landing/record.ts';

/** What a process of its own does, and the step at which it dies. */
export interface Attempt {
  verb: 'land' | 'discard' | 'undo';
  dir: string;
  folder: string;
  run: LandableRun;
  landed?: LandedRecord;
  dieAt: string;
  /** How many times that step has been seen when it dies; 1 is the first. */
  time: number;
}

/** A program: it kills itself as a power cut would. */
async function main(attempt: Attempt): Promise<void> {
  const { verb, dir, folder, run, landed, dieAt } = attempt;
  const env = copyEnv(process.env);
  const repository = await locateRepository(dir, env, 20_000);
  if ('problem' in repository) throw new Error(repository.detail);
  const workshop = await openWorkshop(repository, { folder, stores: [`${run.directory}/objects`], env });
  let left = attempt.time;
  const onStep = (step: string): void => {
    if (step === dieAt && (left -= 1) === 0) process.kill(process.pid, 'SIGKILL');
  };
  if (verb === 'discard') await discard(workshop, [run], [], onStep);
  else if (verb === 'undo' && landed) await undoLanding(workshop, landed, [run.directory], onStep);
  else {
    const runs = [run];
    const plan = await planLanding(workshop, {
      runs,
      only: [],
      takeWhole: [],
      includeMyEdits: false,
      takeCommits: false,
    });
    await land(workshop, {
      runs,
      plan,
      message: 'Land it',
      trailers: [],
      only: [],
      includeMyEdits: false,
      acceptHookChanges: false,
      acceptedViolations: [],
      gates: { state: 'none-configured', tree: null, bound: null, without: null },
      onStep,
    });
  }
}

await main(JSON.parse(process.argv[2] ?? ''));
