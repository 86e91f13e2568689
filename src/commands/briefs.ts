import { existsSync, writeFileSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import type { BriefFinding } from '../briefs/check/finding.ts';
import { BRIEF_KINDS, isBriefKind } from '../briefs/kinds.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { briefCheck } from '../verbs/brief-check.ts';
import { briefNew } from '../verbs/brief-new.ts';
import { readBrief } from './brief.ts';
import { findingText } from './brief-text.ts';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { quiet } from './parse.ts';
import { styleFor } from './style.ts';

export function configureBrief(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command.description('Write a brief from what the repository says, and see what a brief lacks.');
  configureNew(quiet(command.command('new'), io), io, done);
  configureCheck(quiet(command.command('check'), io), io, done);
}

function configureNew(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Print a new brief: gates, rules and paths are filled in, what only you know is marked.')
    .option('--kind <kind>', `${Object.keys(BRIEF_KINDS).join(', ')} (default: feature)`, value)
    .option('--task <text>', 'what is to be done', value)
    .option('--touch <glob>', 'what may change (repeatable)', values)
    .option('--run <run>', 'delta: the run that is sent back (default: the newest)', value)
    .option('--out <file>', 'write it to this new file instead of stdout', value)
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .addHelpText('after', NEW_HELP)
    .action(async ({ kind = 'feature', task = null, touch = [], run = null, out, cd = process.cwd() }) => {
      if (!isBriefKind(kind))
        throw new UsageError(`--kind ${JSON.stringify(kind)} is no kind of brief`, {
          hint: `there are ${Object.keys(BRIEF_KINDS).join(', ')}`,
        });
      if (run !== null && kind !== 'delta') throw new UsageError('--run belongs to --kind delta');
      if (out !== undefined && existsSync(out))
        throw new UsageError(`${out} is there already: it is left as it is`);
      const text = await briefNew({ kind, task, touch, run, cd, env: io.env });
      if (out === undefined) io.stdout.write(text);
      else writeNew(out, text);
      done(0);
    });
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`--out ${JSON.stringify(file)} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function configureCheck(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Say what a brief lacks, line by line, with the remedy.')
    .option('--brief <file>', 'the brief; without it, stdin', value)
    .option('--touch <glob>', 'the scope that the dispatch will declare (repeatable)', values)
    .option('--read-only', 'the run may write nothing: no gates are needed')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--json', 'the findings as JSON')
    .addHelpText('after', CHECK_HELP)
    .action(async ({ brief: file, touch = [], readOnly = false, cd = process.cwd(), json }) => {
      const findings = await briefCheck({
        brief: await readBrief(file, io),
        touch,
        readOnly,
        cd,
        env: io.env,
      });
      if (json) io.stdout.write(`${JSON.stringify({ findings })}\n`);
      else io.stdout.write(textOf(findings, io));
      done(findings.some(({ severity }) => severity === 'error') ? 1 : 0);
    });
}

function textOf(findings: readonly BriefFinding[], io: Io): string {
  const style = styleFor(io.colour);
  if (findings.length === 0) return `${style.green('nothing is lacking')}\n`;
  return findings.map((finding) => findingText(finding, style)).join('');
}

const NEW_HELP = `
Example:
  baton brief new --kind debugging --task 'subtract adds' --touch 'math*.js' > brief.md
  baton brief check --brief brief.md
`;

const CHECK_HELP = `
Errors: blank, too large, not filled in, no gates, no scope, no commit policy, a path or a command that is not there.
Warnings: several tasks, rules of AGENTS.md or CLAUDE.md left out.
\`baton dispatch --check-brief\` refuses a brief with errors.

Exit code: 0 no errors; 1 errors; 2 usage.
`;
