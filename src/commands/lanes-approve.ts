import type { Command } from '@commander-js/extra-typings';
import { approveLanes, type LaneReview, reviewLanes } from '../verbs/approve-lanes.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { reviewText } from './lanes-text.ts';
import { canAsk, confirm } from './questions.ts';
import { styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureApproveLanes(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Show the lanes of this project, and after a yes let them count: until the file changes, and not in a clone.',
    )
    .option('--cd <dir>', 'a directory of the project (default: here)', value)
    .option('--yes', 'you have looked at the file: do not ask')
    .option('--json', 'the lanes, the hash and the files that were written as JSON')
    .action(async ({ cd = process.cwd(), yes = false, json = false }) => {
      const review = await reviewLanes({ cd, env: io.env });
      const show = (text: string): void => void (json ? null : io.stdout.write(text));
      show(reviewText(review, styleFor(io.colour)));
      if (review.file.approved) {
        show('it is approved already\n');
        if (json) io.stdout.write(jsonOf(review, true, []));
        return done(0);
      }
      // Whoever is asked has to see what about, and stdout is for a program.
      if (json && !yes && canAsk(io)) io.stderr.write(reviewText(review, styleFor(false)));
      const agreed =
        yes || (await confirm(io, `approve ${visible(review.file.path)} as it is now?`, '--yes'));
      const files = agreed ? approveLanes(review) : [];
      if (json) io.stdout.write(jsonOf(review, agreed, files));
      show(agreed ? `approved, in ${files.join(' and ')}\n` : 'not approved, nothing was written\n');
      done(agreed ? 0 : 1);
    });
}

function jsonOf({ file, lanes }: LaneReview, approved: boolean, files: readonly string[]): string {
  const shown = lanes.map(({ name, implementer, dials, problem, replaces }) => ({
    lane: name,
    implementer,
    dials,
    problem,
    replaces,
  }));
  return `${JSON.stringify({ path: file.path, hash: file.hash, approved, files, lanes: shown })}\n`;
}
