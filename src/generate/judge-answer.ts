import type { FileBlock } from './file-block.ts';
import { finishSkill } from './proposed-files.ts';
import type { Answer } from './question.ts';

/** Whether the file of an answer can be published, and what is not well about it. */
export interface JudgedAnswer {
  /** As it is to be published; null where it must not be. */
  file: FileBlock | null;
  /** What keeps it from being published. */
  problems: string[];
  warnings: string[];
}

export async function judgeAnswer(
  { file, question }: Answer,
  top: string,
  commit: string | null,
): Promise<JudgedAnswer> {
  if (file === null) return { file: null, problems: [], warnings: [] };
  const finished = question.skill === null ? file : { ...file, content: finishSkill(file.content, commit) };
  return { file: finished, problems: [], warnings: [] };
}
