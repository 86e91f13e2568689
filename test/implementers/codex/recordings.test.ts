import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { codexFalseStart } from '../../../src/implementers/codex/false-start.ts';
import type { AgentClaim } from '../../../src/implementers/events.ts';
import { recording, replay } from './records.ts';

type Expected = Partial<Omit<AgentClaim, 'cost'>> & { tokens?: [input: number, output: number] };

const OK: Expected = { claim: 'success', reason: null, retryable: null, errorText: null };
const SESSION = '01a22cf3-de39-7ec2-a370-a1b0add38384';
const BUSY = 'We’re currently experiencing high demand, which may cause temporary errors.';

const CASES: { [name: string]: Expected } = {
  success: { ...OK, sessionId: SESSION, finalText: 'All done.', toolCalls: 1, tokens: [200, 40] },
  resume: { ...OK, sessionId: SESSION, finalText: 'Reworked.', toolCalls: 0, tokens: [300, 60] },
  patch: { ...OK, finalText: 'Patched.', toolCalls: 1, tokens: [200, 40] },
  'commit-denied': { ...OK, finalText: 'Could not.', toolCalls: 0, tokens: [200, 40] },
  'read-only': { ...OK, finalText: 'Plan.', toolCalls: 0, tokens: [200, 40] },
  'failing-command': { ...OK, finalText: 'It failed.', toolCalls: 1, tokens: [200, 40] },
  'final-file': { ...OK, finalText: 'To file.', tokens: [100, 20] },
  'rate-limited': {
    claim: 'error',
    subtype: 'turn.failed',
    reason: 'rate-limit',
    retryable: true,
    errorText: 'exceeded retry limit, last status: 429 Too Many Requests',
    sessionId: '01a22cf4-1237-77d1-a096-4960e736b0ca',
    finalText: '',
    finalTextSource: 'none',
  },
  'server-error': { claim: 'error', reason: 'overloaded', retryable: true, retries: 1, errorText: BUSY },
  'bad-request': { claim: 'error', reason: 'api-error', retryable: false, errorText: 'bad' },
  'usage-limit': {
    claim: 'error',
    reason: 'usage-limit',
    retryable: null,
    errorText: 'You’ve hit your usage limit. Try again later.',
  },
  auth: { claim: 'error', reason: 'auth', retryable: false },
  'context-overflow': { claim: 'error', reason: 'context-overflow', retryable: false },
  '0.45.0-success': { ...OK, finalText: 'All done.', toolCalls: 1, tokens: [200, 40] },
  '0.45.0-rate-limited': {
    claim: 'error',
    reason: 'rate-limit',
    retryable: true,
    retries: 2,
    errorText: 'exceeded retry limit, last status: 429 Too Many Requests',
  },
  // This version prints no end of a turn: whether it finished cannot be known.
  '0.42.0-success': {
    claim: 'none',
    sessionId: '01a22da1-be21-7bd1-88c5-8336f69ed0cb',
    finalText: 'All done.',
    toolCalls: 1,
  },
  '0.42.0-rate-limited': { claim: 'error', reason: 'rate-limit', retryable: true, retries: 2 },
  'resume-unknown': { claim: 'none', reason: null, sessionId: null, errorText: null, finalText: '' },
  'ask-approval-flag': { claim: 'none', reason: null, sessionId: null, errorText: null, finalText: '' },
};

describe('recordings of the real CLI', () => {
  test.each(Object.entries(CASES))('%s', (name, { tokens, ...expected }) => {
    const { claim } = replay(recording(name));
    expect(claim).toMatchObject(expected);
    const [inputTokens = null, outputTokens = null] = tokens ?? [];
    const cachedTokens = tokens ? 0 : null;
    expect(claim.cost).toEqual({ usd: null, inputTokens, outputTokens, cachedTokens, byModel: {} });
    expect(JSON.stringify(claim)).not.toContain('undefined');
  });

  test('a whole run, event by event', () => {
    const { events, claim } = replay(recording('success'));
    expect(events.map((event) => event.type)).toEqual([
      'session',
      'notice',
      'text',
      'tool-started',
      'tool-finished',
      'text',
      'usage',
      'finished',
    ]);
    expect(events[4]).toMatchObject({ ok: true, output: 'hi\n' });
    expect(claim.usage).toMatchObject({ input_tokens: 200, output_tokens: 40 });
  });

  test('a reconnect is a retry, and the error after it a warning, until the turn failed', () => {
    const { events } = replay(recording('server-error'));
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.kind] : []))).toEqual([
      'warning', // the model is not in the catalogue
      'retry',
      'warning',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'finished', claim: 'error', reason: 'overloaded' });
  });

  test('what stands on stderr of a CLI that printed no record', () => {
    expect(codexFalseStart(stderr('resume-unknown'))).toEqual({
      reason: 'session-not-found',
      retryable: false,
      text: expect.stringContaining('no rollout found for thread id 01a22cdf'),
    });
    expect(codexFalseStart(stderr('ask-approval-flag'))).toBeNull();
    expect(codexFalseStart(['usage limit reached', 'session not found'])).toBeNull();
  });
});

function stderr(name: string): string[] {
  const path = fileURLToPath(new URL(`../../recordings/codex-${name}.stderr.txt`, import.meta.url));
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}
