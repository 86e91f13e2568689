/**
 * Deadlines and durations run on the monotonic clock: a laptop that sleeps, or a clock that is set back,
 * must neither end a run nor give it a negative duration. Wall time is for stamps that people read.
 */
export interface Clock {
  /** Milliseconds that only ever grow; the origin means nothing. */
  monotonic(): number;
  /** Milliseconds since the epoch, as the machine believes. */
  wall(): number;
}

export const systemClock: Clock = {
  // Not `performance.now()`: Node loads a module for its first call, which a short run has to wait for.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  wall: () => Date.now(),
};

/** How far the wall clock ran away from the monotonic one since `start`: a suspend, or a clock that was set. */
export function clockGap(
  start: { monotonic: number; wall: number },
  now: { monotonic: number; wall: number },
): number {
  const gap = Math.round(now.wall - start.wall - (now.monotonic - start.monotonic));
  return Math.abs(gap) < 1000 ? 0 : gap;
}
