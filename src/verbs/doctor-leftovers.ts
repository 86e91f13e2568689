import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { stateHome } from '../core/state-home.ts';
import { artifactPath } from '../rundir/layout.ts';
import { liveness } from '../rundir/live.ts';
import { freeReserve } from '../rundir/reserve.ts';
import { type Examined, warning } from './doctor-check.ts';

/** What a baton that was killed could not remove: its temporary folders, and the room that its runs had put aside. */
export function leftovers(env: Env, temp: string): Examined[] {
  const folders = staleFolders(temp, Date.now());
  const reserves = lostReserves(join(stateHome(env), 'runs'));
  const count = folders.length + reserves.length;
  if (count === 0) return [];
  const what = [
    ...(folders.length > 0 ? [`${folders.length} old temporary folders in ${temp}`] : []),
    ...(reserves.length > 0 ? [`the reserve of ${reserves.length} runs that were killed`] : []),
  ].join(', ');
  return [
    warning('leftovers', `a baton that was killed left things behind: ${what}`, 'baton doctor --fix', {
      question: `Remove ${what}?`,
      inRepository: false,
      apply: async () => {
        for (const folder of folders) rmSync(folder, { recursive: true, force: true });
        for (const run of reserves) freeReserve(run);
        return `removed ${what}`;
      },
    }),
  ];
}

const FOLDER = /^baton-(?:probe|rehearsal|text|tmp)-[A-Za-z0-9]{6}$/;
/** Longer than a run can take: its time limit is at most 25 days. */
const STALE_MS = 30 * 24 * 3_600_000;

/** Folders of ours that this user made long ago. */
function staleFolders(temp: string, now: number): string[] {
  return namesIn(temp)
    .filter((name) => FOLDER.test(name))
    .map((name) => join(temp, name))
    .filter((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      const own = process.getuid === undefined || stat?.uid === process.getuid();
      return stat?.isDirectory() === true && own && now - stat.mtimeMs > STALE_MS;
    });
}

/** Directories of runs that hold a reserve which nobody will give back. */
function lostReserves(runs: string): string[] {
  return namesIn(runs)
    .flatMap((tree) => namesIn(join(runs, tree)).map((run) => join(runs, tree, run)))
    .filter((run) => existsSync(artifactPath(run, 'reserve')) && liveness(run) === 'lost');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
