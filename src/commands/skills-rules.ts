import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { visible } from './summary.ts';

export function configureSkillsRules(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      "Make the rules by which prompts and files activate this repository's skills, from the skills.",
    )
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option(
      '--out [file]',
      'write them (default: .claude/skills/skill-rules.json), instead of printing them',
      value,
    )
    .option('--check', 'only tell, by exit code 1, whether that file is out of date')
    .option('--bash', 'print a bash function that tells the skills of a file instead')
    .option('--into <file>', 'with --bash: put it between its markers in this file', value)
    .option('--json', 'rules, file and problems as JSON')
    .addHelpText('after', '\nExit code: 0 done; 1 with --check: out of date, or not there; 2 usage.\n')
    .action(async ({ cd = process.cwd(), out, check = false, bash = false, into = null, json }) => {
      if (into !== null && !bash) throw new UsageError('--into belongs to --bash');
      if (bash && (out !== undefined || check || json))
        throw new UsageError('--bash goes with --into only, not with --out, --check or --json');
      const { skillRules } = await import('../verbs/skills-rules.ts');
      const report = await skillRules({
        cd,
        env: io.env,
        out: typeof out === 'string' ? out : null,
        write: out !== undefined && !check,
      });
      const { rules, text, file, before, written, problems } = report;
      for (const problem of problems) io.stderr.write(`baton: ${visible(problem)}\n`);
      if (bash) {
        const { bashPatterns } = await import('../verbs/skills-bash.ts');
        const made = bashPatterns(rules, into);
        if (made.file === null) io.stdout.write(made.text);
        else io.stdout.write(`${visible(made.file)}: ${made.written ? 'written' : 'is as it should be'}\n`);
      } else if (json) io.stdout.write(`${JSON.stringify({ file, before, written, rules, problems })}\n`);
      else if (check) io.stdout.write(`${visible(file)}: ${CHECKED[before]}\n`);
      else if (out === undefined) io.stdout.write(text);
      else io.stdout.write(`${visible(file)}: ${written ? 'written' : 'is as it should be'}\n`);
      done(check && before !== 'same' ? 1 : 0);
    });
}

const CHECKED = {
  same: 'is as it should be',
  other: 'is out of date; `baton skills rules --out` writes it',
  none: 'is not there; `baton skills rules --out` writes it',
} as const;
