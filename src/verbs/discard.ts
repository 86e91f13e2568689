import { discard as takeOut, type DiscardStep } from '../landing/change-tree.ts';
import { withLandingLock } from '../landing/lock.ts';
import { rawFrom, type RawPath } from '../git/raw-path.ts';
import type { LandableRun } from '../landing/plan-landing.ts';
import { type DiscardedRecord, readLandingRecord, standingParts } from '../landing/record.ts';
import { recover, type Recovery } from '../landing/recover.ts';
import { openWorkshop } from '../landing/workshop.ts';
import { artifactPath } from '../rundir/layout.ts';
import { chainAt, refuseSettled } from './chain.ts';
import type { RunChoice } from './run-at.ts';

export interface Discarded {
  recovered: Recovery | null;
  record: DiscardedRecord;
}

/**
 * Takes exactly what a run, or a chain of runs, changed back out of the working tree. Rejects with a BatonError and
 * nothing changed where later edits are in the same lines.
 */
export async function discard(
  options: RunChoice & { onStep?: (step: DiscardStep) => void; onRecovered?: (recovery: Recovery) => void },
): Promise<Discarded> {
  const { env } = options;
  const { repository, stateHome, folder, runs, last } = await chainAt(options);
  return withLandingLock({ repository, stateHome, runId: last.id }, async () => {
    const recovered = await recover(repository, { folder, env });
    if (recovered) options.onRecovered?.(recovered);
    // Who discards again what a kill interrupted has it completed by that.
    const record = recovered?.kind === 'discard' ? readLandingRecord(last.directory) : null;
    if (record?.state === 'discarded' && recovered?.runIds.includes(last.id)) return { recovered, record };
    refuseSettled(last);
    const stores = runs.map(({ directory }) => artifactPath(directory, 'objects'));
    const workshop = await openWorkshop(repository, { folder, stores, env });
    return { recovered, record: await takeOut(workshop, runs, landedPart(last), options.onStep) };
  });
}

/** What `land --only` has committed of a run is not discarded with the rest. */
function landedPart({ directory }: LandableRun): RawPath[] {
  return standingParts(readLandingRecord(directory)).flatMap(({ only }) => only.map(rawFrom));
}
