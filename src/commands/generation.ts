import { UsageError } from '../core/errors.ts';
import type { GenerationOptions, GenerationReport } from '../generate/generation.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import { TextRunError } from '../running/text-error.ts';
import { targetsOf } from '../targets/target.ts';
import { answerText, reportText } from './generation-text.ts';
import type { GenerationFlags } from './generation-flags.ts';
import type { ExitCode, Io } from './io.ts';
import { LiveLine } from './live-line.ts';
import { publishText, tellPublishRecovery } from './publish-text.ts';
import { canAsk, confirm } from './questions.ts';
import { styleFor } from './style.ts';

/** How a generation is run in front of a person or a pipe. */
export interface Front {
  options: GenerationOptions;
  /** Writes above the live line. */
  say: (text: string) => void;
}

/**
 * Runs a generation and shows what came of it. Progress and diffs go to stderr, the report to stdout. Throws a
 * UsageError before anything is asked where nobody could say yes to what comes.
 */
export async function runGeneration(
  flags: GenerationFlags,
  io: Io,
  generate: (front: Front) => Promise<GenerationReport>,
): Promise<ExitCode> {
  const { yes = false, dryRun = false, json = false } = flags;
  if (!yes && !dryRun && !canAsk(io))
    throw new UsageError('nobody can be asked before files are written (no terminal)', {
      hint: '--yes says it in advance, --dry-run shows what would be written',
    });
  const style = styleFor(io.colour);
  const live = io.stderr.isTTY ? new LiveLine(io.stderr, style) : null;
  const say = (text: string): void => {
    if (live) live.above(Buffer.from(text));
    else io.stderr.write(text);
  };
  const { signal, hurry } = io.interruptible();
  try {
    const options = { ...optionsOf(flags, io, { live, say, signal }), signal, hurry };
    const report = await generate({ options, say });
    live?.stop();
    tellPublishRecovery(io, report.recovered);
    io.stdout.write(json ? `${JSON.stringify(report)}\n` : reportText(report, style));
    return exitCodeOf(report, signal);
  } catch (error) {
    live?.stop();
    if (!(error instanceof TextRunError)) throw error;
    const { code, message, failure } = error;
    if (json) io.stdout.write(`${JSON.stringify({ error: { code, message, ...failure } })}\n`);
    io.stderr.write(`baton: ${message.replace(/\s*\n\s*/g, ' ')}\n`);
    return failure.exitCode;
  }
}

function optionsOf(
  flags: GenerationFlags,
  io: Io,
  { live, say, signal }: { live: LiveLine | null; say: (text: string) => void; signal: AbortSignal },
): GenerationOptions {
  const { model, effort, timeout } = flags;
  const style = styleFor(io.colour);
  return {
    cd: flags.cd ?? process.cwd(),
    env: io.env,
    targets: targetsOf(flags.target ?? 'all'),
    implementer: flags.implementer ?? 'claude',
    prompts: flags.prompts ?? null,
    dryRun: flags.dryRun ?? false,
    force: flags.force ?? false,
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(timeout === undefined ? {} : { timeout }),
    onEvent: (event) => live?.show(event),
    onStderr: (chunk) => (live ? live.above(chunk) : io.stderr.write(chunk)),
    onWarning: (text) => say(`baton: ${text}\n`),
    onKept: (directory) => say(`baton: the raw stream is kept in ${directory}\n`),
    onAnswer: (answer) => say(answerText(answer, style)),
    agree: async (files) => {
      if (flags.yes) return true;
      live?.stop();
      io.stderr.write(`\n${publishText({ files: [...files] }, style)}\n`);
      return confirm(io, 'Write these files?', '--yes', signal);
    },
  };
}

/** 0 only where all that was asked for can be used: a script must not take half of it for the whole. */
function exitCodeOf({ outcome, answers, files }: GenerationReport, signal: AbortSignal): ExitCode {
  if (outcome === 'interrupted') return judgeAbort(abortCause(signal)).exitCode;
  const whole = answers.every(({ used, problems }) => used && problems.length === 0);
  return whole && outcome !== 'declined' && !files.some(({ status }) => status === 'skipped') ? 0 : 1;
}
