import type { Command } from '@commander-js/extra-typings';
import { outerSandbox } from '../core/outer-sandbox.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { DispatchOptions } from '../dispatch/options.ts';
import { ResultNotWritten } from '../dispatch/settle.ts';
import type { Result } from '../rundir/result.ts';
import { readBrief } from './brief.ts';
import { type GateFlags, optionsOf, withDials, withGateFlags } from './dials.ts';
import type { ExitCode, Io } from './io.ts';
import { LiveLine } from './live-line.ts';
import { styleFor } from './style.ts';
import { summaryOf } from './summary.ts';

/** What differs between `baton dispatch` and the drop-in relays. */
export interface DispatchDefaults {
  /** Who does it unless a flag says otherwise; without it, the lane's, or claude. */
  implementer?: string;
  /** The default run directory; without it, a new one in baton's state folder. */
  outDir?: string;
  /** Runs it with gates; without it, their flags are not known. Loaded only where one of them is given. */
  gates?: () => Promise<{ runWithGates: RunWithGates }>;
  /** Refuses a brief with errors; without it, its flag is not known. Loaded only where that is given. */
  briefs?: () => Promise<{ refuseBrief: (options: DispatchOptions, io: Io) => Promise<void> }>;
}

type RunWithGates = (options: DispatchOptions, flags: GateFlags, io: Io, show: Show) => Promise<ExitCode>;

/** How a run is shown. */
export interface Show {
  json: boolean;
  quiet: boolean;
  resumable: boolean;
}

export function configureDispatch(
  command: Command,
  io: Io,
  defaults: DispatchDefaults,
  done: (code: ExitCode) => void,
): void {
  const dialled = withDials(command).description(
    'Hand a brief to an implementer, keep everything, and prove what the run changed.',
  );
  const gated = defaults.gates ? withGateFlags(command) : null;
  const checked = defaults.briefs
    ? command.option('--check-brief', 'refuse a brief that `baton brief check` finds errors in')
    : null;
  dialled
    .addHelpText('after', HELP)
    .action(async ({ brief: file, json = false, quiet = false, ...flags }) => {
      const options: DispatchOptions = {
        ...(defaults.implementer === undefined ? {} : { implementer: defaults.implementer }),
        ...(defaults.outDir === undefined ? {} : { outDir: defaults.outDir }),
        ...optionsOf(flags),
        brief: await readBrief(file, io),
        env: io.env,
      };
      if (checked?.opts().checkBrief) await (await defaults.briefs?.())?.refuseBrief(options, io);
      const show = { json, quiet, resumable: !options.ephemeral };
      const asked = gated?.opts() ?? {};
      const withGates = asked.gate || asked.check || asked.baseline ? await defaults.gates?.() : undefined;
      done(
        withGates
          ? await withGates.runWithGates(options, asked, io, show)
          : await runAndShow(options, dispatch, io, show),
      );
    });
}

/** Runs a dispatch in front of a person or a pipe: live line and stderr while it runs, the summary or the JSON after it. */
export async function runAndShow(
  options: DispatchOptions,
  run: (options: DispatchOptions) => Promise<Result>,
  io: Io,
  show: Show,
): Promise<ExitCode> {
  const live =
    io.stderr.isTTY && !show.quiet && !show.json ? new LiveLine(io.stderr, styleFor(io.colour)) : null;
  const say = (text: string): void => {
    if (live) live.above(Buffer.from(text));
    else io.stderr.write(text);
  };
  const outer = outerSandbox(options.env ?? io.env);
  // Said first: what fails then, and how, depends on what that sandbox leaves open.
  if (outer !== null && options.implementer !== 'scripted') say(`baton: ${outer}\n`);
  try {
    const result = await run({
      ...options,
      ...io.interruptible(),
      onEvent: (event) => live?.show(event),
      onWarning: (text) => say(`baton: ${text}\n`),
      ...(show.quiet ? {} : { onStderr: (chunk) => (live ? live.above(chunk) : io.stderr.write(chunk)) }),
    });
    live?.stop();
    print(result);
    return result.exitCode;
  } catch (error) {
    live?.stop();
    if (!(error instanceof ResultNotWritten)) throw error;
    print(error.result);
    io.stderr.write(`baton: ${error.message}\n`);
    return error.result.exitCode || 1;
  }

  function print(result: Result): void {
    io.stdout.write(show.json ? `${JSON.stringify(result)}\n` : summaryOf(result, styleFor(io.colour), show));
  }
}

const HELP = `
Each dial is the flag's, else the lane's (\`baton lanes list\`), else the default.

Durations are hours, minutes and seconds, such as 90s, 5m, 1h30m.

--clean-env scopes inherited variables only: it protects neither files nor other secrets of the same user. Where
the implementer signs in by a variable, keep that one by name: --clean-env --keep-env CODEX_API_KEY.

Exit code: the implementer's own; 0 only for a clean exit with a success result; 1 failed without a code of its
own; 2 usage (nothing was made); 124 the preflight hung; 127 no executable; 128+n ended by signal n.

Examples:
  baton dispatch --brief brief.md --cd ~/project --timeout 30m
  baton dispatch --read-only --json < question.md | jq -r .finalMessage
  baton dispatch --lane mechanical --brief brief.md
  baton dispatch --resume-last --brief delta.md --touch 'src/**'
  baton dispatch --implementer codex --sandbox read-only --ephemeral < question.md
`;
