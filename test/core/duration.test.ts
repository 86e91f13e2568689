import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { formatDuration, MAX_TIMER_MS, parseDuration } from '../../src/core/duration.ts';
import { UsageError } from '../../src/core/errors.ts';

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1h', 3_600_000],
    ['1h0m1s', 3_601_000],
    ['596h31m23s', 2_147_483_000],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text, '--timeout')).toBe(ms);
  });

  it.each([
    '',
    '10',
    '1.5s',
    '1h30',
    '10s-junk',
    '0s',
    '0h0m',
    '600h',
    '596h31m24s',
    '1000000000000',
    ' 5s',
    '5s ',
    '5S',
    '30m1h',
    '-5s',
    '9'.repeat(400) + 's',
  ])('refuses %j and names the flag', (text) => {
    expect(() => parseDuration(text, '--idle-timeout')).toThrow(UsageError);
    expect(() => parseDuration(text, '--idle-timeout')).toThrow(/--idle-timeout/);
  });

  it('never gives a value that a timer would fire at once', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (hours, minutes, seconds) => {
        const text = `${hours}h${minutes}m${seconds}s`;
        const ms = (hours * 3600 + minutes * 60 + seconds) * 1000;
        expect(readOrNull(text)).toBe(ms > 0 && ms <= MAX_TIMER_MS ? ms : null);
      }),
    );
  });
});

function readOrNull(text: string): number | null {
  try {
    return parseDuration(text, '--timeout');
  } catch {
    return null;
  }
}

describe('formatDuration', () => {
  it.each([
    [0, '0.0s'],
    [1_234, '1.2s'],
    [83_000, '1m23s'],
    [3_600_000, '1h'],
    [59_999, '1m'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
