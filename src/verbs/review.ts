import { resolve } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { reportPage } from '../review/html/page.ts';
import { type ReviewedRun, reviewRun } from '../review/review.ts';
import { writeArtifact } from '../rundir/artifact.ts';
import { artifactPath } from '../rundir/layout.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

export interface ReviewOptions extends RunChoice {
  /** Writes the report as a page too: to this file, or with `true` into the run directory. */
  page?: string | true;
}

export interface Review extends ReviewedRun {
  runId: string;
  /** Where the page was written, absolute; null where none was asked for. */
  pagePath: string | null;
}

/** A finished run with what a careful reviewer looks at first. Throws a BatonError where it has no result. */
export async function review(options: ReviewOptions): Promise<Review> {
  const { id, path, repository } = await runDirectoryAt(options);
  const reviewed = await reviewRun({ runDir: path, repository, env: options.env });
  return { runId: id, ...reviewed, pagePath: writePage(reviewed, path, options.page) };
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
