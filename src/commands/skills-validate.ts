import type { Command } from '@commander-js/extra-typings';
import { oneLine } from '../core/text.ts';
import type { SkillFinding } from '../skills/skill-finding.ts';
import type { Validation } from '../verbs/skills-validate.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureSkillsValidate(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      "Check this repository's skills and instruction files; exit 1 where an agent product refuses or misses one.",
    )
    .option('--target <target>', 'claude, codex or all', value, 'all')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'the files, the findings and what could not be read as JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 no errors (there may be warnings); 1 an error, or a file that cannot be read; 2 usage.\n',
    )
    .action(async ({ cd = process.cwd(), target, json }) => {
      const { validateSkills } = await import('../verbs/skills-validate.ts');
      const validation = await validateSkills({ cd, env: io.env, target });
      io.stdout.write(
        json ? `${JSON.stringify(validation)}\n` : validationText(validation, styleFor(io.colour)),
      );
      done(isSound(validation) ? 0 : 1);
    });
}

function isSound({ findings, problems }: Validation): boolean {
  return problems.length === 0 && findings.every(({ severity }) => severity === 'warning');
}

function validationText({ files, findings, problems }: Validation, style: Style): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length + problems.length;
  const warnings = findings.length + problems.length - errors;
  const sum =
    files.length === 0 && problems.length === 0
      ? 'there is no skill and no instruction file to check'
      : `${counted(files.length, 'file')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  return [
    ...findings.map((finding) => findingLine(finding, style)),
    ...problems.map((problem) => `${style.red('error')}    ${oneLine(problem)}`),
    sum,
    '',
  ].join('\n');
}

function findingLine({ path, line, severity, rule, message }: SkillFinding, style: Style): string {
  const place = line === undefined ? visible(path) : `${visible(path)}:${line}`;
  const mark = severity === 'error' ? style.red('error  ') : style.yellow('warning');
  return `${mark}  ${style.bold(place)}  ${oneLine(message)}  ${style.dim(rule)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
