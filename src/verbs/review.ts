import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { locateRepository } from '../git/locate.ts';
import { type ReviewedRun, reviewRun } from '../review/review.ts';
import { runDirectoryAt, type RunChoice } from './run-at.ts';

/** A finished run with what a careful reviewer looks at first. Throws where it has no result. */
export async function review(choice: RunChoice): Promise<ReviewedRun & { runId: string }> {
  const run = await runDirectoryAt(choice);
  const repository = await locateRepository(realpathSync(resolve(choice.cd)), choice.env, 30_000);
  const reviewed = await reviewRun({ runDir: run.path, repository, env: choice.env });
  return { runId: run.id, ...reviewed };
}
