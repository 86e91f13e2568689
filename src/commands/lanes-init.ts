import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../core/errors.ts';
import { type ProposedLane, proposeLanes } from '../lanes/propose.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import {
  approveWritten,
  type Fate,
  fateOf,
  type LanesStart,
  startLanes,
  withLanes,
  writeLanes,
} from '../verbs/init-lanes.ts';
import { value } from './flags.ts';
import type { ExitCode, Io } from './io.ts';
import { type DraftLane, draftText, takenQuestion } from './lanes-init-text.ts';
import { interview } from './lanes-interview.ts';
import { canAsk, Cancelled, choose, confirm, decide } from './questions.ts';
import { styleFor } from './style.ts';
import { visible } from './summary.ts';

export function configureInitLanes(command: Command, io: Io, done: (code: ExitCode) => void): void {
  command
    .description('Propose lanes for the agent CLIs that are here, and write them after a yes.')
    .option('--global', 'into your own file (default)')
    .option('--project', "into the project's file, .delegate/config.json")
    .option('--yes', 'ask nothing: the defaults, beside the lanes that are there already')
    .option('--cd <dir>', 'a directory of the project (default: here)', value)
    .option('--json', 'the lanes, where each value came from, and what was written as JSON')
    .addHelpText('after', HELP)
    .action(async ({ global, project, yes = false, cd = process.cwd(), json = false }) => {
      if (global && project) throw new UsageError('--global and --project exclude each other: choose one');
      if (!yes && !canAsk(io))
        throw new UsageError('nobody can be asked which lanes to make (no terminal)', {
          hint: '--yes takes the defaults',
        });
      const { signal } = io.interruptible();
      const interrupted = (): ExitCode => judgeAbort(abortCause(signal)).exitCode;
      try {
        const scope = project ? 'project' : 'global';
        const start = await startLanes({ cd, env: io.env, scope, signal });
        if (signal.aborted) return done(interrupted());
        done(await init(start, { yes, json, signal }, io));
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
        io.stderr.write('nothing was written\n');
        done(interrupted());
      }
    });
}

interface Manner {
  yes: boolean;
  json: boolean;
  signal: AbortSignal;
}

/** Asks, shows, asks for a yes, and writes. */
async function init(start: LanesStart, { yes, json, signal }: Manner, io: Io): Promise<ExitCode> {
  const { file, project, text: before } = start.opened;
  const answers = yes ? {} : await interview(start.clis, io, signal);
  const lanes: DraftLane[] = [];
  for (const lane of proposeLanes(start.clis, answers)) {
    const fate = fateOf(start, lane);
    lanes.push({ lane, fate, taken: await isTaken(fate, lane, { yes, json, signal }, io) });
  }
  const text = withLanes(
    start,
    lanes.flatMap(({ lane, taken }) => (taken ? lane : [])),
  );
  // With --json, stdout has the document and nothing else.
  const out = json ? io.stderr : io.stdout;
  const say = (line: string): void => void (yes && json ? null : out.write(line));
  const report = (written: boolean, approved: boolean): void =>
    void (json ? io.stdout.write(jsonOf(start, lanes, written, approved)) : null);
  say(draftText(start, lanes, text ?? '', styleFor(io.colour && !json)));
  if (text === null || text === before) {
    say('there is nothing to write\n');
    report(false, project?.approved ?? true);
    return 0;
  }
  if (!yes && !(await decide(io, `write ${visible(file.path)}?`, signal))) {
    say('nothing was written\n');
    report(false, project?.approved ?? true);
    return 1;
  }
  const bytes = await writeLanes(start, text);
  say(`written to ${visible(file.path)}\n`);
  // Only who saw the whole file can approve it.
  const approve =
    project !== null && !yes && (await confirm(io, 'approve it as it was shown?', '--yes', signal));
  if (approve) say(`approved, in ${approveWritten(start, bytes).join(' and ')}\n`);
  else if (project) say('it does not count as it is now: `baton lanes approve` shows it and asks\n');
  report(true, project === null || approve);
  return 0;
}

/** A lane that is there is not replaced unless a person says so. */
async function isTaken(fate: Fate, lane: ProposedLane, { yes, signal }: Manner, io: Io): Promise<boolean> {
  if (fate.is === 'new') return true;
  if (fate.is === 'same' || yes || !fate.replaceable) return false;
  return choose(
    io,
    takenQuestion(lane, fate.by),
    [
      { value: false, label: 'leave it as it is' },
      { value: true, label: 'replace it' },
    ],
    signal,
  );
}

function jsonOf(
  { opened, scope }: LanesStart,
  lanes: readonly DraftLane[],
  written: boolean,
  approved: boolean,
): string {
  const shown = lanes.map(({ lane: { name, implementer, dials, values }, fate, taken }) => ({
    lane: name,
    implementer,
    dials,
    values,
    state: fate.is === 'taken' ? (taken ? 'replaced' : 'kept') : fate.is,
  }));
  return `${JSON.stringify({ path: opened.file.path, source: scope, written, approved, lanes: shown })}\n`;
}

const HELP = `
It asks up to four questions, shows the file and where each value in it came from, and writes after a yes. With --yes it
asks nothing and takes the defaults; where there is no terminal, that is needed. A lane that is there already is never
replaced unless you say so; order and all else in the file stay.

Exit code: 0 written, or nothing to write; 1 not agreed to, or there is no CLI to make lanes for; 2 usage; 128+n ended
by signal n, and 130 by Ctrl-C at a question before anything was written.
`;
