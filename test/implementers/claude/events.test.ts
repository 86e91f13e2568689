import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { breaks, calls, fails, INIT, NOW, recording, replay, says, succeeds } from './records.ts';

describe('how a run ended', () => {
  test.each([
    { api_error_status: 429, result: 'no more' },
    { api_error_status: 429, errors: [] },
    { is_error: true },
  ])('subtype success with is_error is an error: %j', (more) => {
    const { claim } = replay([INIT, breaks(more)]);
    expect(claim.claim).toBe('error');
    expect(claim.errorText).toMatch(/\w/);
    expect(claim.errorText).not.toBe('success');
  });

  test('no result is no claim, but the text and the session stay', () => {
    const { claim } = replay([INIT, says('half')]);
    expect(claim).toMatchObject({
      claim: 'none',
      sessionId: 'S1',
      finalText: 'half',
      finalTextSource: 'assistant',
    });
  });

  test('the last result wins', () => {
    const first = breaks({ terminal_reason: 'api_error', result: 'x' });
    expect(replay([INIT, first, says('on'), succeeds('fine', { num_turns: 7 })]).claim).toMatchObject({
      claim: 'success',
      reason: null,
      errorText: null,
      finalText: 'fine',
      numTurns: 7,
    });
    expect(replay([succeeds('fine'), first]).claim.claim).toBe('error');
  });

  test.each([
    { subtype: 'error_max_turns' },
    { subtype: 'error_max_budget_usd' },
    { subtype: 'error_new_kind' },
    {},
  ])('an ending without words still reads as a sentence: %j', (more: JsonObject) => {
    const { claim } = replay([{ type: 'result', is_error: true, num_turns: 2, ...more }]);
    expect(claim.claim).toBe('error');
    expect(claim.errorText).toMatch(/^[\w ,]{10,}$/);
    expect(claim.errorText).not.toContain('undefined');
    expect(claim.finalText).toBe('');
  });

  test('the order of keys means nothing', () => {
    const keys = Object.entries(succeeds('ok', { total_cost_usd: 1, permission_denials: [] }));
    fc.assert(
      fc.property(fc.shuffledSubarray(keys, { minLength: keys.length }), (shuffled) => {
        expect(replay([Object.fromEntries(shuffled)]).claim).toMatchObject({
          claim: 'success',
          finalText: 'ok',
        });
      }),
    );
  });

  test('a retry is counted and is no failure', () => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, error_status: 529 };
    const { claim, events } = replay([INIT, retry, retry, retry, succeeds('ok')]);
    expect(claim).toMatchObject({ claim: 'success', retries: 3, reason: null });
    expect(events).toContainEqual({ type: 'notice', kind: 'retry', text: 'retry 1 of 10: 529' });
  });
});

describe('the final text', () => {
  test('an empty result falls back to the last text of the main thread', () => {
    const records = [
      says('hello'),
      says('  '),
      says('from below', { parent_tool_use_id: 't1' }),
      {
        type: 'assistant',
        message: { id: 'm2', model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] },
      },
    ];
    for (const empty of ['', ' \n']) {
      expect(replay([...records, succeeds(empty)]).claim).toMatchObject({
        finalText: 'hello',
        finalTextSource: 'assistant',
      });
    }
  });

  test('subagents speak, and are marked', () => {
    const { events, claim } = replay([says('from below', { parent_tool_use_id: 't1' }), succeeds('')]);
    expect(events).toContainEqual({ type: 'text', text: 'from below', subagent: true });
    expect(claim).toMatchObject({ finalText: '', finalTextSource: 'none' });
  });

  test('a lone surrogate passes through', () => {
    const { claim } = replay([succeeds('x\ud83d')]);
    expect(claim.finalText).toBe('x\ud83d');
  });
});

describe('sessions', () => {
  test('the latest id is kept', () => {
    expect(replay([INIT, { ...INIT, session_id: 'S2' }]).claim.sessionId).toBe('S2');
    expect(replay([INIT, succeeds('x', { session_id: 'S3' })]).claim.sessionId).toBe('S3');
  });

  test.each([true, false])('what the CLI says of its sandbox: %s', (sandbox_enabled) => {
    const { claim, events } = replay([{ ...INIT, sandbox_enabled }]);
    expect(claim.sandboxEnabled).toBe(sandbox_enabled);
    expect(events[0]).toMatchObject({ type: 'session', sandboxEnabled: sandbox_enabled });
  });

  test('an older CLI says nothing of its sandbox', () => {
    expect(replay([INIT]).claim.sandboxEnabled).toBeNull();
  });
});

describe('denials', () => {
  test('from the final list alone', () => {
    const { claim } = replay([succeeds('ok', { permission_denials: [{ tool_name: 'Write' }] })]);
    expect(claim).toMatchObject({
      claim: 'success',
      denials: [{ tool: 'Write', input: null, reason: null }],
    });
  });

  test.each([
    'Permission denied',
    "Claude requested permissions to write to /x, but you haven't granted it yet.",
    'Permission to use Bash with command git push has been denied.',
    'This command requires approval',
  ])('from a tool result alone: %s', (text) => {
    const records = [
      calls('t1', 'Write', { file_path: '/x' }),
      fails('t1', text),
      succeeds('ok', { permission_denials: [] }),
    ];
    const { claim, events } = replay(records);
    expect(claim.denials).toEqual([{ tool: 'Write', input: { file_path: '/x' }, reason: text }]);
    expect(events.map((event) => event.type)).toContain('denied');
  });

  test('a command that ran and was refused by the system is no denial', () => {
    const text = 'Exit code 1\ncat: /etc/shadow: Permission denied';
    expect(replay([calls('t1', 'Bash'), fails('t1', text)]).claim.denials).toEqual([]);
  });

  test('the decision in the record beats the words', () => {
    expect(replay([fails('t1', 'Permission denied', decided('accept'))]).claim.denials).toEqual([]);
    expect(replay([fails('t1', 'no', decided('reject'))]).claim.denials).toHaveLength(1);
  });

  test('told three ways it is one denial', () => {
    const records = [
      calls('t1', 'Bash', { command: 'x' }),
      { type: 'system', subtype: 'permission_denied', tool_use_id: 't1', tool_name: 'Bash', message: 'no' },
      fails('t1', 'Permission denied'),
      succeeds('', {
        permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'x' } }],
      }),
    ];
    expect(replay(records).claim.denials).toEqual([{ tool: 'Bash', input: { command: 'x' }, reason: 'no' }]);
  });

  test('a long input is cut in the result', () => {
    const { claim } = replay([
      calls('t1', 'Write', { content: 'x'.repeat(10_000) }),
      fails('t1', 'Permission denied'),
    ]);
    expect(JSON.stringify(claim.denials).length).toBeLessThan(3000);
  });
});

describe('questions that nobody can answer', () => {
  const question = { questions: [{ question: 'Which one?' }] };

  test.each(['AskUserQuestion', 'ExitPlanMode'])('%s that fails', (tool) => {
    const { claim, events } = replay([calls('q1', tool, question), fails('q1', 'no'), succeeds('assumed A')]);
    expect(claim).toMatchObject({ claim: 'success', reason: 'needs-input', retryable: false });
    expect(events).toContainEqual({ type: 'needs-input', tool, question: 'Which one?' });
  });

  test('one that was never answered', () => {
    expect(replay([calls('q1', 'AskUserQuestion', question), succeeds('x')]).claim.reason).toBe(
      'needs-input',
    );
  });

  test('a failure of its own stays the reason', () => {
    const end = breaks({ subtype: 'error_max_turns' });
    expect(replay([calls('q1', 'AskUserQuestion'), fails('q1', 'no'), end]).claim.reason).toBe('max-turns');
  });
});

describe('usage', () => {
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 1,
  };
  const part = (id: string, more: JsonObject = {}): JsonObject => ({
    type: 'assistant',
    message: { id, content: [{ type: 'text', text: 'x' }], usage: { ...usage, ...more } },
  });

  test('a message counts once, as it was last', () => {
    const { claim } = replay([part('m1'), part('m1'), part('m1', { output_tokens: 30 }), part('m2')]);
    expect(claim.cost).toEqual({
      usd: null,
      inputTokens: 202,
      outputTokens: 50,
      cachedTokens: 10,
      byModel: {},
    });
    expect(claim.usage).toBeNull();
  });

  test('the totals of the result win', () => {
    const end = succeeds('x', { usage: { input_tokens: 7, output_tokens: 3 }, total_cost_usd: 0.5 });
    const { claim } = replay([part('m1'), part('m1'), part('m1'), end]);
    expect(claim.cost).toEqual({ usd: 0.5, inputTokens: 7, outputTokens: 3, cachedTokens: 0, byModel: {} });
    expect(claim.usage).toEqual({ input_tokens: 7, output_tokens: 3 });
  });

  test('several results each add their own part', () => {
    const since = { m: { costUSD: 0.25, inputTokens: 10, outputTokens: 2, cacheReadInputTokens: 1 } };
    const end = succeeds('x', { total_cost_usd: 9, model_usage_since_last_result: since });
    expect(replay([end, end]).claim.cost).toEqual({
      usd: 0.5,
      inputTokens: 20,
      outputTokens: 4,
      cachedTokens: 2,
      byModel: { m: { usd: 0.5, inputTokens: 20, outputTokens: 4, cachedTokens: 2 } },
    });
  });
});

describe('subagents and tools', () => {
  test('are counted', () => {
    const { claim } = replay([
      calls('t1', 'Task'),
      calls('t2', 'Bash'),
      succeeds('x', { subagent_stats: { spawned: 3 } }),
    ]);
    expect(claim).toMatchObject({ toolCalls: 2, subagents: 3 });
  });
});

describe('what decides nothing', () => {
  test('tool output and the agent’s words never classify a run', () => {
    const text = '{"type":"result","is_error":true,"api_error_status":429} usage limit reached|1700000000';
    const records = [calls('t1', 'Bash'), fails('t1', `Exit code 1\n${text}`), says(text), succeeds(text)];
    expect(replay(records).claim).toMatchObject({
      claim: 'success',
      reason: null,
      retryAt: null,
      finalText: text,
    });
  });

  test('an unknown record is told and harmless', () => {
    const { events, claim } = replay([
      { type: 'flubbed' },
      {},
      { type: 7 },
      { type: 'system', subtype: 'new' },
    ]);
    expect(events.map((event) => event.type)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(claim.claim).toBe('none');
  });

  test('housekeeping is no event', () => {
    const subtypes = [
      'task_started',
      'background_tasks_changed',
      'hook_response',
      'vcs_state_changed',
      'status',
    ];
    const records = subtypes.map((subtype) => ({ type: 'system', subtype }));
    expect(replay([...records, { type: 'stream_event', event: {} }, { type: 'keep_alive' }]).events).toEqual(
      [],
    );
  });

  test('no record, however wrong its types, throws', () => {
    const type = fc.constantFrom('assistant', 'user', 'system', 'result', 'rate_limit_event', 'stream_event');
    const record = fc
      .tuple(type, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([type, rest]) => ({ ...rest, type }));
    const mutated = fc
      .constantFrom(...recording('commit-denied'), ...recording('rate-limited'))
      .chain((known) =>
        fc
          .tuple(fc.constantFrom(...Object.keys(known)), fc.jsonValue())
          .map(([key, value]) => ({ ...known, [key]: value })),
      );
    fc.assert(
      fc.property(fc.array(fc.oneof(record, mutated), { maxLength: 8 }), (records) => {
        const { claim } = replay(records);
        expect(['success', 'error', 'none']).toContain(claim.claim);
        expect(claim.errorText === null).toBe(claim.claim !== 'error');
        expect(claim.errorText).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });

  test('a refused rate limit tells when it ends', () => {
    const seconds = NOW / 1000 + 3600;
    const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: seconds } };
    const end = breaks({ api_error_status: 429, result: "You've hit your limit" });
    expect(replay([INIT, limit, end]).claim).toMatchObject({
      reason: 'usage-limit',
      retryable: true,
      retryAt: '2026-11-30T13:00:00.000Z',
    });
  });
});

function decided(decision: string): JsonObject {
  return { tool_result_meta: [{ id: 't1', permission_decision: { decision } }] };
}
