import type { DispatchOptions } from '../dispatch/options.ts';
import type { CheckProgress } from '../gates/check-run.ts';
import type { Result } from '../rundir/result.ts';
import { dispatchWithGates, type GatedResult } from '../verbs/check.ts';
import type { GateFlags } from './dials.ts';
import { runAndShow, type Show } from './dispatch.ts';
import { beginningText, gatesExitCode, gateText, standingText } from './gate-text.ts';
import type { ExitCode, Io } from './io.ts';
import { styleFor } from './style.ts';

/** A dispatch (or with `start` another run) with gates: the ordinary one, with the gates told on stderr while it runs and after its summary. */
export async function runWithGates(
  options: DispatchOptions,
  flags: GateFlags,
  io: Io,
  show: Show,
  start?: (options: DispatchOptions) => Promise<Result>,
): Promise<ExitCode> {
  const baseline = flags.baseline ?? false;
  let gated: GatedResult | undefined;
  let interrupt = new AbortController().signal;
  const code = await runAndShow(
    options,
    async ({ signal, hurry, ...dispatching }) => {
      interrupt = signal ?? interrupt;
      gated = await dispatchWithGates({
        ...dispatching,
        signal: interrupt,
        hurry: hurry ?? new AbortController().signal,
        gates: flags.gate ?? [],
        check: flags.check ?? !baseline,
        baseline,
        ...(start && { start }),
        onGate: (when, progress) => {
          const text = progressText(when, progress);
          if (text !== null && !show.quiet) dispatching.onWarning?.(text);
        },
      });
      return gated.checked ? { ...gated.result, gates: gated.checked.record } : gated.result;
    },
    io,
    show,
  );
  const ofGates = gated ? afterwards(gated, io, show.json, interrupt) : 0;
  return code || ofGates;
}

function progressText(when: 'before' | 'after', progress: CheckProgress): string | null {
  const place = when === 'before' ? 'before the run' : 'after the run';
  if (progress.type === 'started') return `gate ${progress.name} ${place}: running`;
  if (progress.type !== 'finished') return null;
  const { name, state, reason } = progress.result;
  return `gate ${name} ${place}: ${state.replaceAll('-', ' ')}${reason === null ? '' : `, ${reason}`}`;
}

/** Shows what became of the gates. Returns the exit code that they ask for. */
function afterwards(gated: GatedResult, io: Io, json: boolean, interrupt: AbortSignal): ExitCode {
  if (!gated.checked) {
    if (gated.why === null) return 0;
    io.stderr.write(`baton: the gates were not run: ${gated.why}\n`);
    return 3;
  }
  const { record, standing, directory } = gated.checked;
  if (!json) {
    const style = styleFor(io.colour);
    io.stdout.write(`\n${beginningText(record, style)}`);
    for (const result of record.gates) io.stdout.write(gateText(result, directory, style));
    io.stdout.write(standingText(standing, record.treeIs, style));
  }
  return gatesExitCode(standing, interrupt);
}
