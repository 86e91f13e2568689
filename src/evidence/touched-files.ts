import type { GitCall } from '../git/private-git.ts';
import { firstLine, type GitOutput } from '../git/trusted.ts';

/** `git status --porcelain` lines of the user's own index, or why git could not say. */
export type TouchedFiles = { lines: string[] } | { reason: string };

/**
 * What a person would see with `git status` now. It is asked with the user's index and HEAD but the configuration of
 * before the run. `pathspecs` leave baton's own files out.
 */
export async function readTouchedFiles(
  git: GitCall,
  index: string,
  pathspecs: readonly string[],
): Promise<TouchedFiles> {
  let answer: GitOutput;
  try {
    answer = await git(['status', '--porcelain', '--untracked-files=normal', '--', ...pathspecs], { index });
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  if (answer.code !== 0) return { reason: `git status failed: ${firstLine(answer.stderr)}` };
  // Names that hold a newline are quoted, so a line is a file.
  return {
    lines: answer.stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== ''),
  };
}
