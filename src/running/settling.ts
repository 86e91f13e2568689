import type { TimeoutKind } from '../rundir/result.ts';
import { Deadline } from './deadline.ts';
import type { RunRequest, StopCause } from './contract.ts';

/** Why a run is over. `result`: the agent had said its last word, and the process did not leave by itself. */
export type Ending =
  | { by: 'itself' }
  | { by: 'result' }
  | { by: 'timeout'; kind: TimeoutKind }
  | { by: 'abort' }
  | { by: 'stop'; cause: StopCause };

/**
 * Decides when a run is over and why: the first reason wins. The process's own exit is one of them; the clocks are
 * the others.
 *
 * From a terminal record on only the completion grace counts: each later record starts it anew, and the last terminal
 * record wins. A wall limit that passes meanwhile is no timeout any more, but then the grace is not started anew
 * either: an agent that goes on chattering after its result must not run for ever.
 */
export class Settling {
  readonly ending: Promise<Ending>;
  /** Set also when the cause came up only after the end: how the CLI was set up stays true. */
  stopped: StopCause | null = null;
  #catchUp: () => void = () => {};
  /** What one of the caller's own functions threw first. */
  thrown: { error: unknown } | null = null;
  readonly #firstEvent: Deadline;
  readonly #idle: Deadline;
  readonly #wall: Deadline;
  readonly #completion: Deadline;
  #resolve: (ending: Ending) => void = () => {};
  #over = false;
  #sawRecord = false;
  #sawResult = false;
  #wallPassed = false;

  constructor(clocks: RunRequest['clocks']) {
    this.ending = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#firstEvent = new Deadline(clocks.firstEvent, () => this.#onFirstEventLimit());
    this.#idle = new Deadline(clocks.idle, () => this.#onIdleLimit());
    this.#wall = new Deadline(clocks.wall, () => this.#onWallLimit());
    this.#completion = new Deadline(clocks.completionGrace, () => this.#onCompletionLimit());
  }

  /**
   * The process was started. `catchUp` reads what has been written until now: a clock must not judge by what was merely
   * not read yet.
   */
  begin(catchUp: () => void): void {
    this.#catchUp = catchUp;
    for (const deadline of [this.#firstEvent, this.#idle, this.#wall]) deadline.restart();
  }

  /** One of the logs has grown. */
  grew(): void {
    if (!this.#over && !this.#sawResult) this.#idle.restart();
  }

  sawRecord(): void {
    this.#sawRecord = true;
    this.#firstEvent.stop();
    if (this.#sawResult) this.#startCompletion();
  }

  /** The record just seen was a terminal one. */
  sawResult(): void {
    this.#sawResult = true;
    this.#idle.stop();
    this.#startCompletion();
  }

  /**
   * Calls a function of the caller's. What it throws would otherwise surface in some timer and leave the implementer
   * running: it ends the run as an abort does, and is kept for the caller.
   */
  guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.thrown ??= { error };
      this.settle({ by: 'abort' });
    }
  }

  stop(cause: StopCause): void {
    this.stopped ??= cause;
    this.settle({ by: 'stop', cause });
  }

  /** Later reasons change nothing. */
  settle(ending: Ending): void {
    if (this.#over) return;
    this.#over = true;
    for (const deadline of [this.#firstEvent, this.#idle, this.#wall, this.#completion]) deadline.stop();
    this.#resolve(ending);
  }

  #startCompletion(): void {
    if (!this.#over && !(this.#wallPassed && this.#completion.running)) this.#completion.restart();
  }

  #onFirstEventLimit(): void {
    this.#catchUp();
    if (!this.#sawRecord) this.settle({ by: 'timeout', kind: 'first-event' });
  }

  #onIdleLimit(): void {
    this.#catchUp();
    if (!this.#idle.running && !this.#sawResult) this.settle({ by: 'timeout', kind: 'idle' });
  }

  #onWallLimit(): void {
    this.#catchUp();
    this.#wallPassed = true;
    if (!this.#sawResult) this.settle({ by: 'timeout', kind: 'wall' });
  }

  #onCompletionLimit(): void {
    this.#catchUp();
    if (!this.#completion.running) this.settle({ by: 'result' });
  }
}
