// The review over real code: successive versions of packages that ship their tests.
//
//   node bench/review/packages.mjs <folder of a version> <folder of the next> ...

import { basename } from 'node:path';
import { findingsBetween, loadReview, scratchRepository } from './whole-diff.mjs';

const folders = process.argv.slice(2);
const review = await loadReview();
const repository = scratchRepository();
try {
  for (let at = 0; at + 1 < folders.length; at += 2) {
    const [older, newer] = [folders[at], folders[at + 1]];
    const [before, after] = [repository.ofFolder(older), repository.ofFolder(newer)];
    const { findings, files, lines, ms } = await findingsBetween(review, repository, before, after);
    const title = `${basename(older)} -> ${basename(newer)}`;
    console.log(
      `\n# ${title}: ${files.length} files, ${lines} lines changed, ${findings.length} findings, ${Math.round(ms)} ms`,
    );
    for (const { kind, file, line, side, text, detail } of findings)
      console.log(
        [kind, `${file ?? ''}:${line ?? ''}${side === 'before' ? ' (before)' : ''}`, detail, text].join(
          ' | ',
        ),
      );
  }
} finally {
  repository.close();
  review.close();
}
