import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveTimeout } from '../../src/running/resolve-timeout.ts';

describe('where a limit comes from', () => {
  test('the flag first, then the variable, then the fallback', () => {
    const env = { BATON_TIMEOUT: '2m' };
    expect(resolveTimeout('90s', '5m', env)).toBe(90_000);
    expect(resolveTimeout(undefined, '5m', env)).toBe(120_000);
    expect(resolveTimeout(undefined, '5m', {})).toBe(300_000);
    expect(resolveTimeout(null, '5m', {})).toBe(300_000);
  });

  test('an empty variable is none', () => {
    expect(resolveTimeout(undefined, 120, { BATON_TIMEOUT: '' })).toBe(120_000);
  });
});

describe('how a limit is written', () => {
  test.each([
    ['90', 90],
    [90, 90],
    ['90s', 90],
    ['5m', 300],
    ['1h30m', 5400],
  ] as const)('%j, in all three places', (written, seconds) => {
    expect(resolveTimeout(written, '1s', {})).toBe(seconds * 1000);
    expect(resolveTimeout(undefined, '1s', { BATON_TIMEOUT: String(written) })).toBe(seconds * 1000);
    expect(resolveTimeout(undefined, written, {})).toBe(seconds * 1000);
  });

  test('any whole number of seconds, bare or with its unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483 }), (seconds) => {
        const bare = resolveTimeout(String(seconds), '1s', {});
        expect(bare).toBe(seconds * 1000);
        expect(resolveTimeout(`${seconds}s`, '1s', {})).toBe(bare);
      }),
    );
  });

  const BAD = ['0', '1.5', '10x', '-5', 'soon', '1h30', ' 90', '9999999999'];

  test.each(['', Number.NaN, 1.5, -1, ...BAD])('%j is refused, and the source is named', (bad) => {
    expect(() => resolveTimeout(bad, '1s', {})).toThrow(/^--timeout /);
    expect(() => resolveTimeout(undefined, bad, {})).toThrow(/^the default timeout /);
  });

  test.each(BAD)('%j is refused in the variable too', (bad) => {
    expect(() => resolveTimeout(undefined, '1s', { BATON_TIMEOUT: bad })).toThrow(/^BATON_TIMEOUT /);
  });

  test('a bad variable behind a good flag does not matter', () => {
    expect(resolveTimeout('1s', '5m', { BATON_TIMEOUT: 'soon' })).toBe(1000);
  });
});
