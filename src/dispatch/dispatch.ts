import { deferred } from '../core/deferred.ts';
import { locateRepository } from '../git/locate.ts';
import type { AgentEvent } from '../implementers/events.ts';
import type { Result } from '../rundir/result.ts';
import { watchAbort } from './abort.ts';
import { eventsOf } from './events.ts';
import { withLane } from './lane.ts';
import { launch } from './launch.ts';
import { lookFirst } from './look-first.ts';
import { whatBroke } from './lost-directory.ts';
import { openRun, type Run } from './open-run.ts';
import type { DispatchOptions } from './options.ts';
import { checkOptions } from './request.ts';
import { settle } from './settle.ts';

export interface RunHandle {
  /**
   * What the implementer does, from the first event on. Read from the run's own log at the reader's pace: events
   * that nobody reads cost no memory, and it can be iterated more than once. Ends when the run is over.
   */
  events: AsyncIterable<AgentEvent>;
  /** Rejects with a UsageError before anything is made, with ResultNotWritten when the result could not be kept. */
  result: Promise<Result>;
}

/** Starts a run and returns at once. It ends no process but the run's, prints nothing, and installs no signal handler. */
export function startRun(options: DispatchOptions): RunHandle {
  const opened = deferred<Run | null>();
  const over = new AbortController();
  const result = carryOut(options, opened.resolve).finally(() => {
    opened.resolve(null);
    over.abort();
  });
  // Who reads events first awaits the result later: until then a failure is not one that nobody handles, which would end
  // the process around it.
  result.catch(() => {});
  return { events: eventsOf(opened.promise, over.signal), result };
}

/** Hands the brief over and waits for the result. */
export async function dispatch(options: DispatchOptions): Promise<Result> {
  return startRun(options).result;
}

/** The whole story: check, open, look, launch, look again, write down. */
async function carryOut(options: DispatchOptions, onOpened: (run: Run) => void): Promise<Result> {
  const laned = await withLane(options);
  const request = checkOptions(laned.options, laned.lane);
  const repository = await locateRepository(request.realWorkdir, request.env, request.limits.gitMs);
  const run = openRun(request, repository);
  const abort = watchAbort(run, options);
  try {
    onOpened(run);
    const { id: runId, directory } = run;
    options.onStart?.({ runId, directory });
    await options.beforeLook?.({ runId, directory, signal: abort.signal, hurry: abort.hurry });
    const look = await lookFirst(run, options, abort);
    const outcome = await launch(run, look, options, abort);
    return await settle(run, look, outcome, abort);
  } catch (error) {
    throw whatBroke(run, error);
  } finally {
    abort.stop();
    run.close();
  }
}
