import type { Command } from '@commander-js/extra-typings';
import { BatonError } from '../core/errors.ts';
import type { CheckProgress } from '../gates/check-run.ts';
import { check } from '../verbs/check.ts';
import { value, values } from './flags.ts';
import { GateLine } from './gate-line.ts';
import { beginningText, gatesExitCode, gateText, standingText } from './gate-text.ts';
import type { ExitCode, Io } from './io.ts';
import { errorLine } from './parse.ts';
import { styleFor } from './style.ts';

export function configureCheck(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description(
      "Run the project's gates on what a run left: the newest run of this repository, or the one that is named.",
    )
    .argument('[run]', 'run id, or the beginning of one')
    .option('--cd <dir>', 'a directory of the repository (default: here)', value)
    .option('--gate <name=command>', 'one more gate, or in place of one of that name (repeatable)', values)
    .option('--json', 'gates.json on stdout, nothing else')
    .addHelpText('after', HELP)
    .action(async (run, { cd = process.cwd(), gate = [], json = false }) => {
      const { signal, hurry } = io.interruptible();
      const view = json ? null : new CheckView(io);
      try {
        const checked = await check({
          cd,
          run: run ?? null,
          env: io.env,
          gates: gate,
          signal,
          hurry,
          onProgress: (progress) => view?.show(progress),
        });
        view?.stop();
        const { record, standing, directory } = checked;
        if (json) io.stdout.write(`${JSON.stringify({ ...record, directory, state: standing.state })}\n`);
        else {
          for (const result of record.gates)
            io.stdout.write(gateText(result, directory, styleFor(io.colour)));
          io.stdout.write(standingText(standing, record.treeIs, styleFor(io.colour)));
        }
        done(gatesExitCode(standing, signal));
      } catch (error) {
        view?.stop();
        if (!(error instanceof BatonError) || error.code === 'usage') throw error;
        // Not 1, which says that a gate failed.
        io.stderr.write(`${errorLine(error)}\n`);
        done(3);
      }
    });
}

/** Says what decides about the gates before any runs, and on a terminal which one is running. */
class CheckView {
  readonly #io: Io;
  readonly #line: GateLine | null;

  constructor(io: Io) {
    this.#io = io;
    this.#line = io.stderr.isTTY ? new GateLine(io.stderr, styleFor(io.colour)) : null;
  }

  show(progress: CheckProgress): void {
    if (progress.type === 'began') this.#io.stdout.write(beginningText(progress, styleFor(this.#io.colour)));
    if (progress.type === 'started') this.#line?.show(progress);
    if (progress.type === 'finished') this.#line?.clear();
  }

  stop(): void {
    this.#line?.clear();
  }
}

const HELP = `
Gates are the commands of baton.config.json, or of the field baton of package.json, as that was before the run. They
run once you approved them (baton gates approve), in your working tree, outside of any sandbox, with your rights:
they execute what the implementer wrote. Variables that look like credentials are withheld.

Exit code: 0 every gate that applies passed; 1 one failed; 3 one could not run or was not run, or there is none;
2 usage; 128+n ended by signal n.
`;
