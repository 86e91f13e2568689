import { describe, expect, test } from 'vitest';
import { classify, isReconnect, retryTime } from '../../../src/implementers/codex/reasons.ts';
import { NOW } from './records.ts';

const wrapped = (message: string, code = 'invalid_request_error'): string =>
  JSON.stringify({ error: { type: code, code, message } });

describe('why a turn failed', () => {
  test.each([
    ["You've hit your usage limit. Upgrade to Pro or try again in 1 day 3 hours.", 'usage-limit', true],
    ["You've hit your usage limit.", 'usage-limit', null],
    ['Quota exceeded. Check your plan and billing details.', 'usage-limit', null],
    ['unexpected status 429 Too Many Requests: You exceeded your current quota', 'usage-limit', null],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate-limit', true],
    ['Rate limit reached for gpt-5. Please try again in 1.2s.', 'rate-limit', true],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded', true],
    ['Selected model is at capacity. Please try a different model.', 'overloaded', true],
    ['unexpected status 503 Service Unavailable: x', 'overloaded', true],
    ['unexpected status 401 Unauthorized: Missing bearer', 'auth', false],
    ['Your access token could not be refreshed. Please log out and sign in again.', 'auth', false],
    ["Codex ran out of room in the model's context window.", 'context-overflow', false],
    [wrapped('too long', 'context_length_exceeded'), 'context-overflow', false],
    [wrapped('bad'), 'api-error', false],
    ['unexpected status 500 Internal Server Error: boom', 'api-error', true],
    ['unexpected status 404 Not Found: x', 'api-error', false],
    ['stream disconnected before completion: idle timeout', 'api-error', true],
    ['The model `gpt-9` does not exist or you do not have access to it.', 'api-error', false],
    ['thread/resume failed: no rollout found for thread id X', 'session-not-found', false],
    ['sandbox is not available on this system', 'sandbox-unavailable', false],
    ['a thing that nobody knows', 'other', null],
    ['', 'other', null],
  ] as const)('%s', (message, reason, retryable) => {
    expect(classify({ message }, NOW)).toMatchObject({ reason, retryable });
  });

  test.each([
    [wrapped('bad'), 'bad'],
    [JSON.stringify({ error: { message: wrapped('inner') } }), 'inner'],
    [
      `unexpected status 401 Unauthorized: ${wrapped('no key')}`,
      'unexpected status 401 Unauthorized: no key',
    ],
    ['{not json', '{not json'],
    ['{}', '{}'],
    ['', 'codex reported an error without a text'],
  ])('%s reads %s', (message, text) => {
    expect(classify({ message }, NOW).text).toBe(text);
  });

  test.each([undefined, null, 17, [], {}, { message: 7 }, 'text'])('%j is no obstacle', (error) => {
    expect(classify(error, NOW).text).not.toBe('');
  });
});

describe('when to try again', () => {
  test.each([
    ['try again in 1 day 3 hours 52 minutes.', '2026-12-01T15:52:00.000Z'],
    ['try again in 2 hours and 5 minutes', '2026-11-30T14:05:00.000Z'],
    ['Please try again in 1.5s.', '2026-11-30T12:00:01.500Z'],
    ['try again in 350ms', '2026-11-30T12:00:00.350Z'],
    ['try again at 2026-12-01T00:00:00Z.', '2026-12-01T00:00:00.000Z'],
    ['try again later', null],
    ['try again in a while', null],
    ['try again at 25:00 PM', null],
    ['try again in 99999999999999999999 days', null],
  ])('%s', (text, moment) => {
    expect(retryTime(text, NOW)).toBe(moment);
  });

  test('a time of day is of this machine’s clock, and in the future', () => {
    const moment = new Date(retryTime('try again at 3:05 PM.', NOW) ?? 0);
    expect([moment.getHours(), moment.getMinutes()]).toEqual([15, 5]);
    expect(moment.getTime()).toBeGreaterThan(NOW);
    expect(moment.getTime() - NOW).toBeLessThanOrEqual(86_400_000);
    const day = new Date(retryTime('try again at Dec 3rd, 2026 1:24 AM.', NOW) ?? 0);
    expect([day.getMonth(), day.getDate(), day.getHours(), day.getMinutes()]).toEqual([11, 3, 1, 24]);
  });
});

test.each([
  ['Reconnecting... 1/5 (stream disconnected)', true],
  ['stream error: stream disconnected before completion; retrying 1/5 in 200ms…', true],
  ['exceeded retry limit, last status: 429 Too Many Requests', false],
  ['unexpected: Reconnecting', false],
])('%s: reconnect %s', (message, expected) => {
  expect(isReconnect(message)).toBe(expected);
});
