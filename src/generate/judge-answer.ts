import { validateSkillFiles } from '../skills/validate.ts';
import { fileToday } from './existing-skills.ts';
import type { FileBlock } from '../answers/file-block.ts';
import { finishSkill } from './proposed-files.ts';
import type { Answer } from './question.ts';
import { newPowers } from './skill-powers.ts';

/** Whether the file of an answer can be published, and what is not well about it. */
export interface JudgedAnswer {
  /** As it is to be published; null where it must not be. */
  file: FileBlock | null;
  /** What keeps it from being published. */
  problems: string[];
  warnings: string[];
}

/**
 * A file with an error is not published: no CLI would find it, or part of it is missing. Neither is a skill that would
 * run something. The rest a person decides.
 */
export function judgeAnswer({ file, question }: Answer, top: string, commit: string | null): JudgedAnswer {
  if (file === null) return { file: null, problems: [], warnings: [] };
  const content = file.content.replace(/^\ufeff?\s*\n/, '');
  const finished = question.skill === null ? content : finishSkill(content, commit);
  // What was said, not what was made of it: the stamp would be frontmatter where there was none.
  const findings = validateSkillFiles([{ path: file.path, content }], top);
  const of = (severity: 'error' | 'warning'): string[] =>
    findings
      .filter((one) => one.severity === severity && one.rule !== 'needs-quotes')
      .map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`}: ${message}`);
  const powers = question.skill === null ? [] : newPowers(content, fileToday(top, file.path));
  const problems = [
    ...of('error'),
    ...powers.map((one) => `${file.path}: ${one} lets claude run something: only a person may add that`),
  ];
  return {
    file: problems.length > 0 ? null : { ...file, content: finished },
    problems,
    warnings: of('warning'),
  };
}
