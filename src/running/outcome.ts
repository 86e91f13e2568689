import { clockGap, type Clock } from '../core/clock.ts';
import type { TreeEnd } from '../process/tree.ts';
import type { ProcessBlock, StreamBlock } from '../rundir/result.ts';
import type { RunOutcome, StopCause } from './contract.ts';
import type { Ending } from './settling.ts';

/** How the process itself ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Measures a run on both clocks from now on. */
export function stopwatch(clock: Clock): () => Pick<ProcessBlock, 'durationMs' | 'clockGapMs'> {
  const read = (): { monotonic: number; wall: number } => ({
    monotonic: clock.monotonic(),
    wall: clock.wall(),
  });
  const start = read();
  return () => {
    const now = read();
    return {
      durationMs: Math.max(0, Math.round(now.monotonic - start.monotonic)),
      clockGapMs: clockGap(start, now),
    };
  };
}

export interface FinishedRun {
  pid: number;
  ending: Ending;
  /** Null when the process could not be seen to end. */
  exit: Exit | null;
  tree: TreeEnd;
  stream: StreamBlock;
  stopped: StopCause | null;
  time: Pick<ProcessBlock, 'durationMs' | 'clockGapMs'>;
}

/** Puts together what became of a process that was started. */
export function outcomeOf(run: FinishedRun): RunOutcome {
  const { ending, exit, tree } = run;
  // Ended by us after its last word: how it then went down says nothing about its work.
  const judged = ending.by === 'result' ? null : exit;
  return {
    process: {
      pid: run.pid,
      exit: exitWord(ending, exit),
      timeoutKind: ending.by === 'timeout' ? ending.kind : null,
      endedAfterResult: ending.by === 'result',
      swept: tree.swept,
      survivors: tree.survivors,
      ...run.time,
    },
    stream: run.stream,
    code: judged?.code ?? null,
    signal: judged?.signal ?? null,
    launchError: null,
    stopped: run.stopped,
    killed: tree.killed,
    gaps: tree.gaps,
  };
}

function exitWord(ending: Ending, exit: Exit | null): ProcessBlock['exit'] {
  if (ending.by === 'timeout') return 'timeout';
  if (ending.by === 'abort') return 'aborted';
  if (ending.by === 'result') return 'code';
  if (exit === null) return 'unobserved';
  return exit.signal === null ? 'code' : 'signal';
}

/** A run that never had a process: it could not be started, or was called off before. */
export function outcomeWithoutProcess(
  exit: 'not-started' | 'aborted',
  launchError: RunOutcome['launchError'],
  time: Pick<ProcessBlock, 'durationMs' | 'clockGapMs'>,
): RunOutcome {
  return {
    process: {
      pid: null,
      exit,
      timeoutKind: null,
      endedAfterResult: false,
      swept: [],
      survivors: [],
      ...time,
    },
    stream: { bytes: 0, events: 0, unreadable: 0, oversize: 0, truncated: false },
    code: null,
    signal: null,
    launchError,
    stopped: null,
    killed: false,
    gaps: [],
  };
}
