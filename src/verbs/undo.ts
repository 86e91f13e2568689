import { BatonError, UsageError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { undoDiscard } from '../landing/change-tree.ts';
import { withLandingLock } from '../landing/lock.ts';
import type { LandableRun } from '../landing/plan-landing.ts';
import {
  type DiscardedRecord,
  type LandedRecord,
  type LandingRecord,
  readLandingRecord,
  standingParts,
} from '../landing/record.ts';
import { recover, type Recovery } from '../landing/recover.ts';
import { undoLanding } from '../landing/undo.ts';
import { openWorkshop, workshopFolder } from '../landing/workshop.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readResult } from '../rundir/read-result.ts';
import { findRun, listRuns } from '../rundir/runs.ts';
import { type RunChoice, treeAt } from './run-at.ts';

export interface Undone {
  recovered: Recovery | null;
  record: LandingRecord;
}

/**
 * Takes the last landing of a working tree back, or its last discard; with a run, that of this run. Rejects with a
 * BatonError and nothing changed where there is none, where the commit is not HEAD any more, or was pushed.
 */
export async function undo(
  choice: RunChoice & { onRecovered?: (recovery: Recovery) => void },
): Promise<Undone> {
  const { env } = choice;
  const { repository, treeTop } = await treeAt(choice);
  if ('problem' in repository) throw new UsageError(repository.detail, { hint: repository.hint });
  const home = stateHome(env);
  const folder = workshopFolder(home, treeTop);
  return withLandingLock({ repository, stateHome: home, runId: 'undo' }, async () => {
    const recovered = await recover(repository, { folder, env });
    if (recovered) choice.onRecovered?.(recovered);
    const place = { stateHome: home, treeTop };
    const completed = completedBy(place, recovered);
    if (completed) return { recovered, record: completed };
    const { record, runs } = lastOf(place, choice.run);
    const stores = runs.map(({ directory }) => artifactPath(directory, 'objects'));
    const workshop = await openWorkshop(repository, { folder, stores, env });
    const directories = runs.map(({ directory }) => directory);
    return {
      recovered,
      record:
        record.state === 'landed'
          ? await undoLanding(workshop, record, directories)
          : await undoDiscard(workshop, runs, record),
    };
  });
}

/** Who undoes again what a kill interrupted has it completed by that. */
function completedBy(
  place: { stateHome: string; treeTop: string },
  recovered: Recovery | null,
): LandingRecord | null {
  if (recovered?.outcome !== 'completed' || !recovered.kind.startsWith('undo')) return null;
  const id = recovered.runIds.at(-1) ?? null;
  return readLandingRecord(findRun({ ...place, id }).path);
}

/** What is there to be undone: of a run whose last step was undone, the part that was landed before it. */
function lastStanding(record: LandingRecord | null): LandedRecord | DiscardedRecord | null {
  if (record?.state !== 'undone') return record;
  const parts = standingParts(record);
  const last = parts.at(-1);
  return last ? { ...last, ...(parts.length > 1 && { earlier: parts.slice(0, -1) }) } : null;
}

function lastOf(
  place: { stateHome: string; treeTop: string },
  run: string | null,
): { record: LandedRecord | DiscardedRecord; runs: LandableRun[] } {
  const candidates = run === null ? listRuns(place) : [findRun({ ...place, id: run })];
  const records = candidates
    .map(({ path }) => lastStanding(readLandingRecord(path)))
    .filter((record) => record !== null)
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  const [record] = records;
  if (!record) {
    throw new BatonError('nothing-to-undo', `no landing and no discard is known of ${run ?? place.treeTop}`);
  }
  const runs = record.runIds.map((id): LandableRun => {
    const { path } = findRun({ ...place, id });
    return { id, directory: path, result: readResult(path) };
  });
  return { record, runs };
}
