import type { Command } from '@commander-js/extra-typings';
import { oneLine, truncate } from '../core/text.ts';
import type { EffectiveList, EffectiveSkill, SkillReason } from '../skills/effective/contract.ts';
import type { ListedSkill } from '../verbs/skills-list.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';

const MAX_DESCRIPTION = 100;

export function configureSkillsList(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description("List this repository's skills; with --effective, what each CLI really sends to its model.")
    .option('--target <target>', 'claude, codex or all', value, 'all')
    .option('--effective', 'what is sent, what is cut or missing, and why; with personal skills')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'the list as JSON')
    .action(async ({ cd = process.cwd(), target, effective, json }) => {
      const style = styleFor(io.colour);
      if (effective) {
        const { effectiveSkills } = await import('../verbs/skills-effective.ts');
        const lists = await effectiveSkills({ cd, env: io.env, target });
        io.stdout.write(
          json
            ? `${JSON.stringify({ lists })}\n`
            : lists.map((list) => effectiveText(list, style)).join('\n'),
        );
      } else {
        const { listSkills } = await import('../verbs/skills-list.ts');
        const { skills, problems } = await listSkills({ cd, env: io.env, target });
        if (json) io.stdout.write(`${JSON.stringify({ skills, problems })}\n`);
        else {
          for (const problem of problems) io.stderr.write(`baton: ${visible(problem)}\n`);
          if (skills.length === 0) io.stdout.write('this repository has no skills\n');
          for (const skill of skills) io.stdout.write(listedText(skill, style));
        }
      }
      done(0);
    });
}

function listedText({ target, name, path, description, triggers, notes }: ListedSkill, style: Style): string {
  const { filePatterns = [], keywords = [], alwaysActivate = false } = triggers ?? {};
  const activation = [
    ...(alwaysActivate ? ['always'] : []),
    ...(filePatterns.length > 0 ? [`files ${filePatterns.join(' ')}`] : []),
    ...(keywords.length > 0 ? [`keywords ${keywords.join(', ')}`] : []),
  ];
  return [
    `${style.bold(visible(name))}  ${target}  ${style.dim(visible(path))}`,
    `  ${description === null ? style.yellow('no description') : short(description)}`,
    ...(activation.length > 0 ? [`  ${style.dim(visible(activation.join('; ')))}`] : []),
    ...notes.map((note) => `  ${style.yellow(oneLine(note))}`),
    '',
  ].join('\n');
}

function effectiveText({ target, how, note, skills }: EffectiveList, style: Style): string {
  const meant = skills.filter(({ source }) => source !== 'other');
  const others = skills.length - meant.length;
  const small = meant.filter(({ reasons }) => reasons.some(isSmallWindow)).length;
  return [
    `${style.bold(target)}  ${style.dim(`${how}: ${note}`)}`,
    ...(meant.length === 0 ? ['  no skill of this repository or of yours'] : []),
    ...meant.flatMap((skill) => effectiveLines(skill, style)),
    ...(small > 0
      ? [
          style.dim(
            `  a model with a window of 200,000 tokens (haiku) reads only the names of ${small} of these`,
          ),
        ]
      : []),
    ...(others > 0 ? [style.dim(`  and ${others} of the CLI itself`)] : []),
    '',
  ].join('\n');
}

function effectiveLines(
  { name, path, source, status, description, reasons }: EffectiveSkill,
  style: Style,
): string[] {
  const paint = { sent: style.green, cut: style.yellow, missing: style.red }[status];
  const told = description === null ? '' : `  ${short(description)}`;
  const why = reasons.filter((reason) => !isSmallWindow(reason));
  const whose = source === 'personal' ? '  personal' : '';
  return [
    `  ${paint(status.padEnd(7))}  ${style.bold(visible(name))}${whose}${told}`,
    ...why.map(({ code, detail }) => `           ${style.yellow(code)}: ${oneLine(detail)}`),
    ...(why.length > 0 ? [`           ${style.dim(visible(path))}`] : []),
  ];
}

/** Said once for the whole list: it may be all of them. */
function isSmallWindow({ code }: SkillReason): boolean {
  return code === 'small-window';
}

function short(text: string): string {
  return truncate(oneLine(text), MAX_DESCRIPTION);
}
