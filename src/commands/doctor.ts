import type { Command } from '@commander-js/extra-typings';
import { messageOf, UsageError } from '../core/errors.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import { doctor } from '../verbs/doctor.ts';
import type { Fix } from '../verbs/doctor-check.ts';
import { diagnosisText, mendingText } from './doctor-text.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { canAsk, confirm } from './questions.ts';
import { styleFor } from './style.ts';

/** What became of something that could be mended. */
export interface Mending {
  check: string;
  done: boolean;
  /** What was done, or why it was not. */
  text: string;
}

export function configureDoctor(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('See whether a dispatch would start here, and what mends it where not. No model is asked.')
    .option('--cd <dir>', 'where a run would work (default: here)', value)
    .option('--implementer <id>', 'who would do it (default: claude)', value)
    .option('--fix', 'mend what can be mended safely; asks before each')
    .option('--yes', 'with --fix: yes to every question but those about the repository')
    .option('--json', 'all of it as JSON')
    .addHelpText('after', HELP)
    .action(
      async ({ cd = process.cwd(), implementer = 'claude', fix = false, yes = false, json = false }) => {
        if (yes && !fix) throw new UsageError('--yes answers the questions of --fix, which is not there');
        const { signal } = io.interruptible();
        const options = { cd, implementer, env: io.env, signal };
        let diagnosis = await doctor(options);
        if (signal.aborted) return done(judgeAbort(abortCause(signal)).exitCode);
        const mendings = fix ? await mend(diagnosis.fixes, yes, io) : [];
        if (mendings.some((mending) => mending.done)) diagnosis = await doctor(options);
        const { fixes: _, ...facts } = diagnosis;
        const style = styleFor(io.colour);
        io.stdout.write(
          json
            ? `${JSON.stringify({ ...facts, mendings })}\n`
            : mendingText(mendings, style) + diagnosisText(diagnosis, fix, style),
        );
        done(diagnosis.ok ? 0 : 1);
      },
    );
}

/** One after the other, each after a yes. One that fails does not keep the next from being tried. */
async function mend(fixes: readonly Fix[], yes: boolean, io: Io): Promise<Mending[]> {
  const mendings: Mending[] = [];
  for (const fix of fixes) mendings.push(await mendOne(fix, yes, io));
  return mendings;
}

async function mendOne(
  { check, question, inRepository, apply }: Fix,
  yes: boolean,
  io: Io,
): Promise<Mending> {
  const agreed = yes && !inRepository;
  if (!agreed && yes && !canAsk(io))
    return { check, done: false, text: `nobody can be asked (no terminal): ${question}` };
  if (!agreed && !(await confirm(io, question, '--yes')))
    return { check, done: false, text: `left as it is: ${question}` };
  try {
    return { check, done: true, text: await apply() };
  } catch (error) {
    return { check, done: false, text: `could not be mended: ${messageOf(error)}` };
  }
}

const HELP = `
Exit code: 0 where a dispatch to that implementer would start, else 1; 2 usage.

Example:
  baton doctor --implementer codex && baton dispatch --implementer codex --brief task.md
`;
