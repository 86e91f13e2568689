import { stateHome } from '../core/state-home.ts';
import { BatonError, UsageError } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import type { LandableRun } from '../landing/plan-landing.ts';
import { type LandingRecord, readLandingRecord } from '../landing/record.ts';
import { workshopFolder } from '../landing/workshop.ts';
import { readResult } from '../rundir/read-result.ts';
import { findRun } from '../rundir/runs.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

/** A run with those that it reworks, as far as they were not landed or discarded already. */
export interface Chain {
  repository: Repository;
  stateHome: string;
  /** Where landings in this working tree are prepared. */
  folder: string;
  /** Oldest first; the last is the chosen one. */
  runs: LandableRun[];
  last: LandableRun;
}

/** Finds the chosen run and its chain. Throws a BatonError where there is none, or where git does not have the tree. */
export async function chainAt(choice: RunChoice): Promise<Chain> {
  const { id, path, repository } = await runDirectoryAt(choice);
  if ('problem' in repository) throw new UsageError(repository.detail, { hint: repository.hint });
  const home = stateHome(choice.env);
  const last: LandableRun = { id, directory: path, result: readResult(path) };
  const runs = [last];
  for (let first = last; first.result.parent !== undefined; ) {
    const parent = findRun({ stateHome: home, treeTop: repository.top, id: first.result.parent });
    if (isSettled(readLandingRecord(parent.path)) || runs.some((run) => run.id === parent.id)) break;
    first = { id: parent.id, directory: parent.path, result: readResult(parent.path) };
    runs.unshift(first);
  }
  return { repository, stateHome: home, folder: workshopFolder(home, repository.top), runs, last };
}

/** Throws where the run was landed or discarded already. A landing of a part leaves the rest to be landed. */
export function refuseSettled({ id, directory }: LandableRun): void {
  const record = readLandingRecord(directory);
  if (record?.state === 'discarded') {
    throw new BatonError('discarded', `run ${id} was discarded (${record.at})`, {
      hint: `take that back first: baton undo ${id}`,
    });
  }
  if (record?.state === 'landed' && isSettled(record)) {
    throw new BatonError('landed', `run ${id} was landed already: commit ${record.commit.slice(0, 12)}`, {
      hint: `to take it back: baton undo ${id}`,
    });
  }
}

function isSettled(record: LandingRecord | null): boolean {
  return record?.state === 'discarded' || (record?.state === 'landed' && record.only.length === 0);
}
