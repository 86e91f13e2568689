import { systemClock } from '../core/clock.ts';
import { MAX_TIMER_MS } from '../core/duration.ts';

/**
 * A time limit on the monotonic clock that can be pushed back often and cheaply: pushing moves a number, and the timer
 * looks when it wakes whether it is really time. Off when the limit is null. Longer limits than a timer can hold are
 * waited for in pieces (2^31 ms would fire at once).
 */
export class Deadline {
  readonly #limitMs: number | null;
  readonly #onExpire: () => void;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number | null, onExpire: () => void) {
    this.#limitMs = limitMs;
    this.#onExpire = onExpire;
  }

  /** Starts to count from now; from now again when it was counting already. */
  restart(): void {
    this.#since = systemClock.monotonic();
    if (this.#timer === undefined) this.#wait();
  }

  /** Counting, with a limit to reach. */
  get running(): boolean {
    return this.#timer !== undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    if (this.#limitMs === null) return;
    const left = this.#since + this.#limitMs - systemClock.monotonic();
    if (left > 0) {
      this.#timer = setTimeout(() => this.#wait(), Math.min(Math.ceil(left), MAX_TIMER_MS));
      return;
    }
    this.#timer = undefined;
    this.#onExpire();
  }
}
