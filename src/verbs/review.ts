import { dirname, join, resolve } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { reportPage } from '../review/html/page.ts';
import { type Chain, type ReviewedRun, reviewRun } from '../review/review.ts';
import { writeArtifact } from '../rundir/artifact.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readResult } from '../rundir/read-result.ts';
import { chainAt } from './chain.ts';
import { diff } from './diff.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

export interface ReviewOptions extends RunChoice {
  /** Writes the report as a page too: to this file, or with `true` into the run directory. */
  page?: string | true;
}

export interface Review extends ReviewedRun {
  runId: string;
  /** With those that it reworks, oldest first: what they changed together is what was reviewed. */
  runIds: string[];
  /** Where the page was written, absolute; null where none was asked for. */
  pagePath: string | null;
}

/**
 * A finished run with what a careful reviewer looks at first. Throws a BatonError where it has no result, and a
 * ConflictError where the runs of a chain cannot be told from what was edited between them.
 */
export async function review(options: ReviewOptions): Promise<Review> {
  const { id, path, repository } = await runDirectoryAt(options);
  const { parent, evidence } = readResult(path);
  const chained = parent === undefined || evidence.tree === 'unknown' ? null : await chainOf(options);
  const reviewed = await reviewRun({
    runDir: path,
    repository,
    env: options.env,
    ...(chained && { chain: chained.chain }),
  });
  const runIds = chained?.runIds ?? [id];
  return { runId: id, runIds, ...reviewed, pagePath: writePage(reviewed, path, options.page) };
}

/** The run with those that it reworks: what has to be looked at is what would be landed. */
async function chainOf(options: ReviewOptions): Promise<{ runIds: string[]; chain: Chain }> {
  const [{ runs }, { runIds, changes, patchPath }] = [await chainAt(options), await diff(options)];
  const earlier = runs.slice(0, -1).map(({ result }) => result);
  return { runIds, chain: { earlier, changes, patchPath, objects: join(dirname(patchPath), 'objects') } };
}

function writePage(run: ReviewedRun, runDir: string, page: string | true | undefined): string | null {
  if (page === undefined) return null;
  const path = page === true ? artifactPath(runDir, 'report') : resolve(page);
  try {
    if (page === true) writeArtifact(runDir, 'report', reportPage(run));
    else writeFileAtomic(path, reportPage(run));
  } catch (error) {
    throw new BatonError('not-written', `the report cannot be written to ${path}: ${messageOf(error)}`, {
      hint: 'name another file: --html <file>',
      cause: error,
    });
  }
  return path;
}
