import { readFrontmatter } from '../skills/frontmatter.ts';
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

const MAX_DESCRIPTION = 1024;

/** A skill that no CLI would find is not published; every other fault is told, and a person decides. */
export function judgeAnswer({ file, question }: Answer, commit: string | null): JudgedAnswer {
  if (file === null) return { file: null, problems: [], warnings: [] };
  if (question.skill === null) return { file, problems: [], warnings: [] };
  const problems = hiddenBy(file.content, question.skill).map((problem) => `${file.path}: ${problem}`);
  if (problems.length > 0) return { file: null, problems, warnings: [] };
  return { file: { ...file, content: finishSkill(file.content, commit) }, problems, warnings: [] };
}

/** What would hide a skill from the CLIs, or show it under another name. */
function hiddenBy(content: string, skill: string): string[] {
  const frontmatter = readFrontmatter(content);
  if (frontmatter === null) return ['it has no frontmatter: no CLI would find it'];
  if (frontmatter.problems.length > 0) return frontmatter.problems;
  const name = frontmatter.fields.get('name');
  const description = frontmatter.fields.get('description');
  return [
    ...(name === skill
      ? []
      : [`its name is ${JSON.stringify(name ?? null)}, its folder ${JSON.stringify(skill)}`]),
    ...(typeof description === 'string' && description.trim() !== ''
      ? []
      : ['it has no description: no CLI would offer it']),
    ...(typeof description === 'string' && description.length > MAX_DESCRIPTION
      ? [`its description has ${description.length} characters, ${MAX_DESCRIPTION} are allowed`]
      : []),
  ];
}
