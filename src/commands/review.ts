import type { Command } from '@commander-js/extra-typings';
import { review } from '../verbs/review.ts';
import type { ExitCode, Io } from './io.ts';
import { value } from './flags.ts';
import { reviewText } from './review-text.ts';
import { styleFor } from './style.ts';

export function configureReview(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Gather what a careful reviewer looks at first in what a run changed: the newest run of this repository, or the one that is named.',
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option(
      '--html [file]',
      'write the report as one page that opens from disk (default: into the run directory)',
    )
    .option('--json', 'the findings as JSON')
    .addHelpText('after', HELP)
    .action(async (run, { cd = process.cwd(), html, json = false }) => {
      const found = await review({
        cd,
        run: run ?? null,
        env: io.env,
        ...(html !== undefined && { page: html }),
      });
      const { runId, runIds, findings, notReviewed, pagePath } = found;
      if (json) io.stdout.write(`${JSON.stringify({ runId, runIds, findings, notReviewed, pagePath })}\n`);
      else io.stdout.write(reviewText(found, styleFor(io.colour)));
      done(0);
    });
}

const HELP = `
A finding is a place to look at, never a verdict: there may be good reasons for it, and no finding proves nothing.

Exit code: 0 whatever was found; 1 the run cannot be reviewed; 2 usage.
`;
