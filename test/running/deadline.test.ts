import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadline } from '../../src/running/deadline.ts';
import { stopwatch } from '../../src/running/outcome.ts';

describe('a deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers(); // performance.now() among them
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('expires once, after its limit', () => {
    const onExpire = vi.fn<() => void>();
    new Deadline(1000, onExpire).restart();
    vi.advanceTimersByTime(999);
    expect(onExpire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(5000);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });

  test('can be pushed back', () => {
    const onExpire = vi.fn<() => void>();
    const deadline = new Deadline(1000, onExpire);
    deadline.restart();
    vi.advanceTimersByTime(900);
    deadline.restart();
    vi.advanceTimersByTime(900);
    expect(onExpire).not.toHaveBeenCalled();
    expect(deadline.running).toBe(true);
    vi.advanceTimersByTime(100);
    expect(onExpire).toHaveBeenCalledTimes(1);
    expect(deadline.running).toBe(false);
  });

  test('is never when its limit is null, nor once it was stopped', () => {
    const onExpire = vi.fn<() => void>();
    new Deadline(null, onExpire).restart();
    const stopped = new Deadline(10, onExpire);
    stopped.restart();
    stopped.stop();
    vi.advanceTimersByTime(1_000_000);
    expect(onExpire).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([2 ** 31, 600 * 3_600_000, 1e12])('of %d ms does not fire early', (limit) => {
    const onExpire = vi.fn<() => void>();
    const deadline = new Deadline(limit, onExpire);
    deadline.restart();
    vi.advanceTimersByTime(limit - 1);
    expect(onExpire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onExpire).toHaveBeenCalledTimes(1);
  });
});

describe('a stopwatch', () => {
  test.each([
    ['a suspend of three hours', 3 * 3_600_000],
    ['a clock that is set back an hour', -3_600_000],
    ['nothing unusual', 0],
  ])('%s does not change the duration, but is noted', (_, jump) => {
    let [monotonic, wall] = [5000, 1e12];
    const time = stopwatch({ monotonic: () => monotonic, wall: () => wall });
    monotonic += 1234;
    wall += 1234 + jump;
    expect(time()).toEqual({ durationMs: 1234, clockGapMs: jump });
  });
});
