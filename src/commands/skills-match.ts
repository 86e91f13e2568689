import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import type { MatchReason } from '../skills/match.ts';
import { value, values } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { readAll } from './read-all.ts';
import { styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureSkillsMatch(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Show which skills a prompt or files call for, and why: what the activation hook goes by.')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--prompt <text>', 'what a person would ask; - reads it from stdin')
    .option('--file <path...>', 'files that are worked on', values)
    .option('--json', 'skills, reasons and problems as JSON')
    .addHelpText('after', HELP)
    .action(async ({ cd = process.cwd(), prompt, file = [], json }) => {
      if (prompt === undefined && file.length === 0)
        throw new UsageError('there is nothing to match: give --prompt, --file or both');
      const { matchRepositorySkills } = await import('../verbs/skills-match.ts');
      const { matches, problems } = await matchRepositorySkills({
        cd,
        env: io.env,
        prompt: prompt === '-' ? (await readAll(io.stdin)).toString('utf8') : (prompt ?? ''),
        files: file,
      });
      if (json) io.stdout.write(`${JSON.stringify({ matches, problems })}\n`);
      else {
        const { bold, dim } = styleFor(io.colour);
        for (const { name, priority, why } of matches)
          io.stdout.write(`${bold(name)}  ${priority}  ${dim(visible(why.map(reasonText).join(', ')))}\n`);
        if (matches.length === 0) io.stdout.write('no skill is called for\n');
        for (const { skill, detail } of problems)
          io.stderr.write(`baton: ${visible(`${skill ?? 'skill-rules.json'}: ${detail}`)}\n`);
      }
      done(0);
    });
}

function reasonText(reason: MatchReason): string {
  if (reason.kind === 'always') return 'always';
  if (reason.kind === 'keyword') return `keyword ${JSON.stringify(reason.keyword)}`;
  if (reason.kind === 'intent') return `intent /${reason.pattern}/`;
  return `file ${reason.path} (${reason.glob})`;
}

const HELP = `
Exit code: 0, whether a skill fits or not; 1 the rules cannot be read; 2 usage.

Examples:
  baton skills match --prompt 'raise the retry limit in src/billing/retry.ts'
  git diff --name-only -z | xargs -0 -r baton skills match --file
`;
