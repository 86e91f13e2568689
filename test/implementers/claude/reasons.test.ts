import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify, type Failure, resetTime } from '../../../src/implementers/claude/reasons.ts';
import { NOW } from './records.ts';

const NOTHING: Failure = {
  subtype: 'success',
  terminalReason: null,
  startupReason: null,
  apiStatus: null,
  apiType: null,
  errors: [],
  text: '',
};

function reason(failure: Partial<Failure>): string {
  return classify({ ...NOTHING, ...failure }, NOW).reason;
}

describe('reasons', () => {
  test.each<[string, Partial<Failure>]>([
    ['rate-limit', { apiStatus: 429, text: 'slow down' }],
    ['rate-limit', { apiType: 'rate_limit_error', text: 'Rate limit reached for requests' }],
    ['usage-limit', { apiStatus: 429, text: "You've hit your limit · resets 3pm (Europe/Berlin)" }],
    ['usage-limit', { text: 'Claude AI usage limit reached|1700000000' }],
    ['usage-limit', { text: "You've hit your session limit · resets 12:50am (Area/City)" }],
    ['usage-limit', { text: 'Credit balance is too low' }],
    ['overloaded', { apiStatus: 529 }],
    ['overloaded', { apiType: 'overloaded_error' }],
    ['auth', { apiStatus: 401 }],
    ['auth', { apiType: 'authentication_failed', text: 'Not logged in · Please run /login' }],
    ['auth', { text: 'Invalid API key · Please run /login' }],
    ['context-overflow', { terminalReason: 'prompt_too_long', apiStatus: 400 }],
    ['context-overflow', { apiStatus: 400, text: 'prompt is too long: 3 > 2' }],
    ['context-overflow', { apiStatus: 413 }],
    ['max-turns', { subtype: 'error_max_turns' }],
    ['budget', { terminalReason: 'budget_exhausted' }],
    ['session-not-found', { errors: ['No conversation found with session ID: x'] }],
    ['sandbox-unavailable', { startupReason: 'sandbox_required_unavailable' }],
    [
      'sandbox-unavailable',
      { errors: ['Sandbox required but unavailable: bubblewrap (bwrap) not installed'] },
    ],
    ['api-error', { apiStatus: 500 }],
    ['api-error', { terminalReason: 'api_error', text: 'API Error: Connection refused' }],
    ['other', { subtype: 'error_during_execution' }],
  ])('%s: %j', (expected, failure) => {
    expect(reason(failure)).toBe(expected);
  });

  test('fields beat words', () => {
    expect(reason({ apiStatus: 500, text: 'usage limit reached, please run /login' })).toBe('api-error');
    expect(reason({ terminalReason: 'max_turns', text: 'overloaded' })).toBe('max-turns');
  });

  test.each<[boolean | null, Partial<Failure>]>([
    [true, { apiStatus: 429 }],
    [true, { apiStatus: 529 }],
    [true, { apiStatus: 503 }],
    [false, { apiStatus: 400 }],
    [false, { apiStatus: 401 }],
    [null, { text: "You've hit your limit" }],
    [true, { text: 'usage limit reached|1900000000' }],
    [null, { subtype: 'error_during_execution' }],
  ])('retryable %s: %j', (expected, failure) => {
    expect(classify({ ...NOTHING, ...failure }, NOW).retryable).toBe(expected);
  });
});

describe('when a limit ends', () => {
  // Now is Monday 2026-11-30 12:00 UTC: 13:00 in Berlin, 07:00 in New York.
  test.each([
    ['usage limit reached|1700000000', '2023-11-14T22:13:20.000Z'],
    ['usage limit reached|1700000000123', '2023-11-14T22:13:20.123Z'],
    ['hit your limit · resets 3pm (Europe/Berlin)', '2026-11-30T14:00:00.000Z'],
    ['hit your limit · resets 1pm (Europe/Berlin)', '2026-12-01T12:00:00.000Z'],
    ['hit your session limit · resets 12:50am (America/New_York)', '2026-12-01T05:50:00.000Z'],
    ['resets at 12pm (UTC)', '2026-12-01T12:00:00.000Z'],
    ['resets 15:30 (Asia/Kolkata)', '2026-12-01T10:00:00.000Z'],
    ['resets Dec 3, 9am (Europe/Berlin)', '2026-12-03T08:00:00.000Z'],
    ['resets Jan 2 at 9am (UTC)', '2027-01-02T09:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(resetTime(text, NOW)).toBe(expected);
  });

  test.each([
    'hit your limit · resets 3pm (Area/City)',
    'hit your limit · resets 13pm (UTC)',
    'hit your limit · resets 25:00 (UTC)',
    'hit your limit · resets soon',
    'usage limit reached|17',
    '',
  ])('not told: %s', (text) => {
    expect(resetTime(text, NOW)).toBeNull();
  });

  test('across a change of the clocks', () => {
    // Berlin leaves summer time on 2026-10-25 at 03:00.
    expect(resetTime('resets 9am (Europe/Berlin)', Date.UTC(2026, 9, 24, 20))).toBe(
      '2026-10-25T08:00:00.000Z',
    );
    expect(resetTime('resets 9am (Europe/Berlin)', Date.UTC(2026, 2, 28, 20))).toBe(
      '2026-03-29T07:00:00.000Z',
    );
  });

  test('is always ahead, by a day at most', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Pacific/Apia',
      'Asia/Kathmandu',
    );
    const hour = fc.integer({ min: 0, max: 23 });
    const now = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
    fc.assert(
      fc.property(zone, hour, now, (zone, hour, now) => {
        const text = resetTime(`resets ${hour}:15 (${zone})`, now);
        const ahead = Date.parse(text ?? '') - now;
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThanOrEqual(25 * 3600_000);
      }),
    );
  });
});
