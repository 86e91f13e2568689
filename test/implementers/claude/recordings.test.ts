import { describe, expect, test } from 'vitest';
import type { AgentClaim } from '../../../src/implementers/events.ts';
import { recording, replay } from './records.ts';

type Expected = Partial<Omit<AgentClaim, 'cost' | 'denials'>> & { denied?: string[] };

const CASES: { [name: string]: Expected } = {
  success: {
    claim: 'success',
    finalText: 'All done.',
    toolCalls: 2,
    numTurns: 3,
    sandboxEnabled: true,
  },
  resume: { claim: 'success', finalText: 'Reworked.', toolCalls: 0, numTurns: 1 },
  'resume-unknown': {
    claim: 'error',
    subtype: 'error_during_execution',
    reason: 'session-not-found',
    retryable: false,
    sessionId: '00000000-0000-4000-8000-000000000000',
    errorText: 'No conversation found with session ID: 00000000-0000-4000-8000-000000000000',
    finalText: '',
    finalTextSource: 'none',
  },
  'commit-denied': {
    claim: 'success',
    finalText: 'Could not commit.',
    toolCalls: 3,
    denied: ['Bash', 'Write'],
  },
  'rate-limited': {
    claim: 'error',
    subtype: 'success',
    reason: 'rate-limit',
    retryable: true,
    retries: 2,
    toolCalls: 1,
    errorText: 'API Error: Request rejected (429) · slow down',
  },
  overloaded: { claim: 'error', reason: 'overloaded', retryable: true, retries: 2 },
  'bad-request': { claim: 'error', reason: 'context-overflow', retryable: false },
  'max-turns': {
    claim: 'error',
    subtype: 'error_max_turns',
    reason: 'max-turns',
    retryable: false,
    toolCalls: 2,
  },
  'max-budget': {
    claim: 'error',
    subtype: 'error_max_budget_usd',
    reason: 'budget',
    errorText: 'Reached maximum budget ($0.001)',
  },
  'read-only': {
    claim: 'success',
    permissionMode: 'plan',
    sandboxEnabled: false,
    finalText: 'The plan is X.',
    denied: ['Write'],
  },
  structured: { claim: 'success', structuredOutput: { verdict: 'pass', notes: 'fine' } },
  background: { claim: 'success', finalText: 'Left a process behind.', toolCalls: 1 },
  partial: { claim: 'success', finalText: 'Streaming text in parts.', toolCalls: 0 },
  'empty-final': { claim: 'success', finalText: 'Interim.', finalTextSource: 'assistant', toolCalls: 1 },
  auth: { claim: 'error', subtype: 'success', reason: 'auth', retryable: false },
  'usage-limit': { claim: 'error', subtype: 'success', reason: 'usage-limit', retryable: null },
  'server-error': { claim: 'error', reason: 'api-error', retryable: true, retries: 2 },
  'sandbox-unavailable': { claim: 'error', reason: 'sandbox-unavailable', retryable: false },
  'needs-input': {
    claim: 'success',
    reason: 'needs-input',
    retryable: false,
    finalText: 'I assumed a.',
    denied: [],
  },
  '2.1.0-success': {
    claim: 'success',
    finalText: 'All done.',
    toolCalls: 1,
    numTurns: 2,
    version: '2.1.0',
    sandboxEnabled: null,
  },
  '2.1.0-rate-limited': {
    claim: 'error',
    subtype: 'success',
    reason: 'rate-limit',
    retryable: true,
    version: '2.1.0',
  },
  'bad-flag': {
    claim: 'none',
    subtype: null,
    reason: null,
    sessionId: null,
    finalText: '',
    finalTextSource: 'none',
  },
};

describe('recordings of the real CLI', () => {
  test.each(Object.entries(CASES))('%s', (name, { denied, ...expected }) => {
    const { claim } = replay(recording(name));
    expect(claim).toMatchObject(expected);
    expect(claim.denials.map((denial) => denial.tool)).toEqual(denied ?? []);
    expect(JSON.stringify(claim)).not.toContain('undefined');
  });

  test('a whole run, event by event', () => {
    const { events, claim } = replay(recording('success'));
    expect(events.map((event) => event.type)).toEqual([
      'session',
      'text',
      'usage',
      'tool-started',
      'tool-finished',
      'text',
      'usage',
      'tool-started',
      'tool-finished',
      'text',
      'usage',
      'finished',
    ]);
    expect(claim).toMatchObject({
      sessionId: '8f01e3d1-6192-42f8-b181-ac5c57663719',
      version: '2.1.332',
      permissionMode: 'acceptEdits',
      cost: { inputTokens: 300, outputTokens: 60, cachedTokens: 0 },
    });
    expect(claim.usage).toMatchObject({ input_tokens: 300, output_tokens: 60 });
  });

  test('the cost of a resumed run is its own part, though the CLI tells the money of the whole session', () => {
    expect(recording('resume').at(-1)).toMatchObject({ total_cost_usd: 0.0032 });
    expect(replay(recording('resume')).claim.cost.usd).toBeCloseTo(0.0008, 8);
    expect(replay(recording('success')).claim.cost.usd).toBeCloseTo(0.0024, 8);
  });

  test('a denial is told once, with what was asked and why', () => {
    const { events, claim } = replay(recording('commit-denied'));
    expect(events.filter((event) => event.type === 'denied')).toHaveLength(2);
    expect(claim.denials).toEqual([
      {
        tool: 'Bash',
        input: { command: 'git commit --allow-empty -m x' },
        reason: 'Permission to use Bash with command git commit --allow-empty -m x has been denied.',
      },
      {
        tool: 'Write',
        input: { file_path: '/outside.txt', content: 'x' },
        reason: 'Path is outside allowed working directories',
      },
    ]);
  });

  test('what the CLI writes in the name of an API error is no text of the agent', () => {
    const { events } = replay(recording('rate-limited'));
    expect(events.filter((event) => event.type === 'text').map((event) => event.text)).toEqual(['Partial.']);
    expect(events.filter((event) => event.type === 'notice').map((event) => event.kind)).toEqual([
      'retry',
      'retry',
      'warning',
    ]);
  });
});
