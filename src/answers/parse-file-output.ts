import { judgeFiles, NO_FILE } from './accept-files.ts';
import { type Block, readBlocks } from './answer-blocks.ts';
import { findMarks, type Mark } from './answer-marks.ts';
import { unwrapAnswer } from './answer-wrapper.ts';
import { readMarkers } from './fallback-markers.ts';
import type { FileOutput, FileProblem } from './file-block.ts';
import { type AllowedPaths, getAllowedPaths } from '../targets/sanitize-path.ts';

/**
 * Takes the files out of an agent's answer: `<file path="...">`, the lines of the file, `</file>`. An answer may be cut,
 * may nest, or may quote these very tags: where it is not certain which text a file has, that file is not written and
 * has a problem. Never throws. `allowed`: by default what all targets own. docs/contracts/file-blocks.md has the rules.
 */
export function parseFileOutput(text: string, allowed: AllowedPaths = getAllowedPaths()): FileOutput {
  const plain = text.replace(/^\uFEFF/, '');
  const answer = unwrapAnswer(plain, findMarks(plain));
  const usedFallback = !answer.marks.some(isOpener) && answer.marks.some((mark) => mark.kind === 'marker');
  const { blocks, problems, commentary } = usedFallback ? readMarkers(answer) : readBlocks(answer);
  const output: FileOutput = { files: [], rejected: [], problems, usedFallback, commentary };
  sortInto(output, blocks, allowed);
  output.problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  if (output.files.length === 0 && text.trim() !== '') output.problems.push(NO_FILE);
  return output;
}

function isOpener(mark: Mark): boolean {
  return mark.kind === 'open' || mark.kind === 'malformed';
}

function sortInto(output: FileOutput, blocks: readonly Block[], allowed: AllowedPaths): void {
  // Blocks with a fault are judged too: a second file for the path of a broken one is a riddle as well.
  const verdicts = judgeFiles(blocks, allowed);
  for (const [at, { path, line, content, fault, hidden }] of blocks.entries()) {
    const verdict = verdicts[at];
    const found = fault ?? verdict;
    if (!found) continue;
    if (found.kind === 'accepted') {
      output.files.push({ path: found.path, content });
      continue;
    }
    if (found.kind === 'rejected') output.rejected.push({ path, reason: found.reason });
    else
      output.problems.push({
        kind: found.kind,
        line,
        ...(found.kind === 'malformed-opener' ? {} : { path }),
        message: found.message,
      });
    for (const mark of hidden) output.problems.push(hiddenProblem(mark, line));
  }
}

function hiddenProblem(mark: Mark, line: number): FileProblem {
  const message = `it stands in a code fence of the file of line ${line}, which is not written`;
  const path = mark.kind === 'open' ? { path: mark.path } : {};
  return { kind: 'hidden-opener', line: mark.line, ...path, message };
}
