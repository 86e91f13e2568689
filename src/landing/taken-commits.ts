import { BatonError } from '../core/errors.ts';
import type { LandableRun } from './plan-landing.ts';
import { plainGit } from './target.ts';
import { oneLine, succeed } from './trees.ts';
import type { Workshop } from './workshop.ts';

/**
 * The commits between `base` and HEAD, newest first, where all of them were made while the runs were under way: those
 * may give way to the landed commit. Throws where there is none, or where one is somebody else's.
 */
export async function commitsToTake(
  workshop: Workshop,
  runs: readonly LandableRun[],
  base: string | null,
  head: string | null,
): Promise<string[]> {
  if (head === null || head === base)
    throw new BatonError('no-commits', 'there are no commits of the run to take in');
  const git = plainGit(workshop);
  if (base !== null && (await git(['merge-base', '--is-ancestor', base, head])).code !== 0) {
    throw new BatonError(
      'no-commits',
      `HEAD does not go back to ${base.slice(0, 12)}, where the run began: its commits cannot be told`,
    );
  }
  const range = base === null ? [head] : [head, `^${base}`];
  const listed = oneLine(await succeed(git(['log', '--format=%H %ct', ...range]), 'log'));
  const commits = listed.split('\n').map((line) => line.split(' '));
  const others = commits.filter(([, at]) => !runs.some((run) => isWithin(run, Number(at))));
  const [other] = others;
  if (other) {
    throw new BatonError(
      'others-commits',
      `commit ${other[0]?.slice(0, 12)} was not made during the run: it is not taken in`,
      {
        hint: 'land without --take-commits, on top of the commits that are there',
      },
    );
  }
  return commits.map(([commit = '']) => commit);
}

/** Git counts whole seconds. */
function isWithin({ result }: LandableRun, seconds: number): boolean {
  return (
    seconds >= Math.floor(Date.parse(result.startedAt) / 1000) &&
    seconds <= Date.parse(result.finishedAt) / 1000
  );
}
