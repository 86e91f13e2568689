import type { FileBlock, FileOutput, FileProblem } from './file-block.ts';
import { type AllowedPaths, sanitizePath } from '../targets/sanitize-path.ts';

/** Whether a file may be written, looked at beside the others of its answer. */
export type Verdict =
  | { kind: 'accepted'; path: string }
  | { kind: 'rejected'; reason: string }
  | { kind: 'duplicate-path' | 'empty-body'; message: string };

/** Judges files by their paths and by being there at all. One verdict for each, in the same order. */
export function judgeFiles(files: readonly FileBlock[], allowed: AllowedPaths): Verdict[] {
  const paths = files.map((file) => sanitizePath(file.path, allowed));
  const times = new Map<string, number>();
  for (const found of paths) {
    if (found.ok) times.set(fold(found.path), (times.get(fold(found.path)) ?? 0) + 1);
  }
  return files.map(({ content }, at): Verdict => {
    const found = paths[at];
    if (!found?.ok) return { kind: 'rejected', reason: found?.reason ?? '' };
    const count = times.get(fold(found.path)) ?? 0;
    if (count > 1)
      return { kind: 'duplicate-path', message: `there are ${count} files for this path: none is written` };
    if (content.trim() === '')
      return { kind: 'empty-body', message: 'the file has no text: it is not written' };
    return { kind: 'accepted', path: found.path };
  });
}

/** The files of an answer that came as data (`{files: [{path, content}]}`), by the rules for answers that are text. */
export function acceptFiles(files: readonly FileBlock[], allowed: AllowedPaths): FileOutput {
  const output: FileOutput = { files: [], rejected: [], problems: [], usedFallback: false, commentary: '' };
  for (const [at, verdict] of judgeFiles(files, allowed).entries()) {
    const { path, content } = files[at] ?? { path: '', content: '' };
    if (verdict.kind === 'accepted') output.files.push({ path: verdict.path, content });
    else if (verdict.kind === 'rejected') output.rejected.push({ path, reason: verdict.reason });
    else output.problems.push({ kind: verdict.kind, line: null, path, message: verdict.message });
  }
  if (output.files.length === 0) output.problems.push(NO_FILE);
  return output;
}

export const NO_FILE: FileProblem = {
  kind: 'no-file',
  line: null,
  message: 'the answer has no file that can be written',
};

/** Two names that differ in case alone are one file on the next Mac. */
function fold(path: string): string {
  return path.toUpperCase().toLowerCase();
}
