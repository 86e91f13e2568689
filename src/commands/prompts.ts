import type { Command } from '@commander-js/extra-typings';
import { approvePrompts, listPrompts, type PromptList, renderPrompt } from '../verbs/prompts.ts';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { type Style, styleFor } from './style.ts';
import { visible } from './summary.ts';
import { readVars } from './vars.ts';

export function configurePrompts(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command.description('List, render or approve the prompts that baton asks implementers with.');
  configureList(quiet(command.command('list'), io), io, done);
  configureRender(quiet(command.command('render'), io), io, done);
  configureApprove(quiet(command.command('approve'), io), io, done);
}

function configureList(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      'Show the prompts and partials that would be used here, where each comes from, and its values.',
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--prompts <dir>', 'a folder of prompts that come first (default: your own)', value)
    .option('--json', 'as one JSON object')
    .action(async ({ cd = process.cwd(), prompts = null, json }) => {
      const list = await listPrompts({ cd, dir: prompts, env: io.env });
      io.stdout.write(json ? `${JSON.stringify(list)}\n` : listText(list, styleFor(io.colour)));
      done(0);
    });
}

function configureRender(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Print a prompt with its partials and values filled in, as an implementer would get it.')
    .argument('<name>', 'such as skills-domain')
    .option('--var <name=value>', 'a value for the prompt (repeatable)', values)
    .option('--var-file <name=file>', 'the same from a file, or from stdin with - (repeatable)', values)
    .option(
      '--cd <dir>',
      'a directory of the repository (default: here); it also gives the value `scan`',
      value,
    )
    .option('--prompts <dir>', 'a folder of prompts that come first (default: your own)', value)
    .option('--json', 'name and text as one JSON object')
    .action(async (name, { var: given = [], varFile = [], cd = process.cwd(), prompts = null, json }) => {
      const vars = await readVars(given, varFile, io.stdin);
      const text = await renderPrompt(name, vars, { cd, dir: prompts, env: io.env });
      io.stdout.write(json ? `${JSON.stringify({ name, text })}\n` : text);
      done(0);
    });
}

function configureApprove(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      "Approve this repository's own prompts/ as it is now: from then on it counts, until a file in it changes.",
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'files, hash and what was written as JSON')
    .action(async ({ cd = process.cwd(), json }) => {
      const { project, written } = await approvePrompts({ cd, env: io.env });
      if (json) io.stdout.write(`${JSON.stringify({ project, written })}\n`);
      else io.stdout.write(`approved: ${project.files.map(visible).join(', ')}\n`);
      done(0);
    });
}

function listText({ prompts, project, notes }: PromptList, { bold, dim, yellow }: Style): string {
  const widest = Math.max(0, ...prompts.map(({ name }) => name.length));
  const line = ({ name, from, values: wanted }: PromptList['prompts'][number]): string =>
    `  ${bold(name.padEnd(widest))}  ${dim(visible(from))}${wanted.length > 0 ? `  values: ${wanted.join(', ')}` : ''}`;
  const of = (kind: 'prompt' | 'partial'): string[] => prompts.filter((one) => one.kind === kind).map(line);
  const state =
    project === null
      ? []
      : [
          `prompts/ of this repository: ${project.problem ?? (project.approved ? 'approved' : 'not approved, not used')}`,
        ];
  const lines = [
    'Prompts:',
    ...of('prompt'),
    '',
    'Partials:',
    ...of('partial'),
    '',
    ...state,
    ...notes.map(yellow),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
