import { beforeAll, describe, expect, it } from 'vitest';
import { surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { text } from '../support/records.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { fakeBytes, lines, proven, type Proven, result, session } from './proof.ts';

let repository: TestRepository;
beforeAll(() => {
  repository = makeRepository();
});

/** Dispatches to a fake that prints these records. */
async function say(records: string[], exit = 0): Promise<Proven> {
  const where = surroundings();
  fakeBytes(where, lines(...records), { exit });
  return proven(where, { cd: repository.dir });
}

const use = (id: string, name: string, input: object = {}): string =>
  JSON.stringify({
    type: 'assistant',
    message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name, input }] },
  });
const refused = (id: string, content: unknown): string =>
  JSON.stringify({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: true, content }] },
  });

describe('B: what a result means', () => {
  it.each([
    ['a 429', { api_error_status: 429, result: 'API Error: too many' }, 'rate-limit', true],
    ['a 529', { api_error_status: 529, api_error_type: 'overloaded_error', result: 'x' }, 'overloaded', true],
    ['a 401', { api_error_status: 401, result: 'x' }, 'auth', false],
    ['a 500', { api_error_status: 500, result: 'x' }, 'api-error', true],
    [
      'a prompt that is too long',
      { terminal_reason: 'prompt_too_long', result: 'x' },
      'context-overflow',
      false,
    ],
    [
      'a status that its text contradicts',
      { api_error_status: 529, result: 'rate limit' },
      'overloaded',
      true,
    ],
    ['no text at all', { errors: [], result: undefined }, 'other', null],
    ['no text but a status', { errors: [], result: undefined, api_error_status: 429 }, 'rate-limit', true],
    ['a text in errors', { errors: ['boom'], result: undefined }, 'other', null],
  ])('B1 is_error with subtype success is failed: %s', async (_, more, reason, retryable) => {
    const run = await say([session(), result({ is_error: true, ...more })]);
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      resultSubtype: 'success',
      agent: { claim: 'error', reason, retryable },
      process: { exit: 'code' },
    });
    expect(run.result.error).toMatch(/\S/);
    expect(run.result.error).not.toMatch(/success/);
    expect(run.stdout).toMatch(/^failed /);
    expect(run.stdout).toContain(`error (${reason})`);
  });

  it('B1 an error keeps the exit code of the CLI where it has one', async () => {
    const run = await say([session(), result({ is_error: true, api_error_status: 429 })], 7);
    expect(run.result).toMatchObject({ status: 'failed', exitCode: 7, agent: { reason: 'rate-limit' } });
  });

  it('B1 a success with a bad exit is failed, and both are said', async () => {
    const run = await say([session(), result({ result: 'all done' })], 3);
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 3,
      finalMessage: 'all done',
      agent: { claim: 'success', reason: null },
    });
    expect(run.stdout).toContain('reported success but exited 3');
    expect(run.stdout).toContain('the implementer claims success');
    expect(run.stdout).toContain('all done');
  });

  it('B1 of several results the last one wins, both ways', async () => {
    const failure = result({ is_error: true, subtype: 'error_during_execution', result: 'first failed' });
    const [good, bad] = await Promise.all([
      say([session(), failure, text('again'), result({ result: 'second worked' })]),
      say([session(), result({ result: 'first worked' }), failure]),
    ]);
    expect(good.result).toMatchObject({ status: 'completed', finalMessage: 'second worked' });
    expect(bad.result).toMatchObject({ status: 'failed', agent: { claim: 'error' } });
  });

  it('B1 the keys of a result come in any order', async () => {
    const record =
      '{"duration_api_ms":4,"session_id":"S9","result":"late type","type":"result","is_error":false,"subtype":"success"}';
    const run = await say([session(), record]);
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: 'late type', sessionId: 'S9' });
  });

  it.each([
    ['a text', [session(), text('half')], 'half', 'S1', 'assistant'],
    ['a session alone', [session()], '', 'S1', 'none'],
    ['nothing', [], '', null, 'none'],
  ] as const)('B3 exit 0 without a result is not completed: %s', async (_, records, final, id, source) => {
    const run = await say([...records]);
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      finalMessage: final,
      sessionId: id,
      agent: { claim: 'none', finalTextSource: source },
    });
    expect(run.result.error).toContain('without a terminal event');
    expect(run.stdout.includes('--session S1')).toBe(id !== null);
  });

  it.each(['', '  \n', undefined])('B5 an empty result (%j) falls back to the last words', async (empty) => {
    const subagent = JSON.stringify({
      type: 'assistant',
      parent_tool_use_id: 't1',
      message: { id: 'm2', content: [{ type: 'text', text: 'of a subagent' }] },
    });
    const run = await say([session(), text('hello'), text('  ', 'm3'), subagent, result({ result: empty })]);
    expect(run.result).toMatchObject({
      status: 'completed',
      finalMessage: 'hello',
      agent: { claim: 'success', finalTextSource: 'assistant' },
    });
    expect(run.stdout).toContain('its last text, the result had none');
  });

  it('B5 with no words at all the final text is empty, and written', async () => {
    const run = await say([session(), result({ result: '' })]);
    expect(run.result).toMatchObject({
      status: 'completed',
      finalMessage: '',
      agent: { finalTextSource: 'none' },
    });
    expect(run.stdout).toContain('the implementer left no final text');
  });

  it.each([
    ['error_max_turns', { num_turns: 2 }, 'max-turns'],
    ['error_max_budget_usd', { errors: ['Reached maximum budget ($0.01)'] }, 'budget'],
    ['error_during_execution', {}, 'other'],
    ['error_of_tomorrow', {}, 'other'],
  ])('B7 %s has a reason and a sentence', async (subtype, more, reason) => {
    const run = await say([session(), result({ subtype, is_error: true, result: undefined, ...more })], 1);
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      resultSubtype: subtype,
      agent: { claim: 'error', reason },
    });
    expect(run.result.error).toMatch(/\w+ \w+/);
    expect(run.stdout).not.toMatch(/undefined|null/);
  });

  it('B8 denials of the result are shown, and do not change the status', async () => {
    const denials = [
      { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: '/etc/hosts' } },
      { tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'git commit -m x' } },
    ];
    const run = await say([session(), use('t1', 'Write'), result({ permission_denials: denials })]);
    expect(run.result).toMatchObject({ status: 'completed', evidence: { tree: 'unchanged' } });
    expect(run.result.agent.denials.map(({ tool }) => tool)).toEqual(['Write', 'Bash']);
    expect(run.stdout).toMatch(/denied +Write .*\/etc\/hosts/);
    expect(run.stdout).toContain('this run changed nothing in the working tree');
  });

  it.each([
    'Permission denied',
    "Claude requested permissions to write to /x, but you haven't granted it yet.",
    [{ type: 'text', text: 'Permission to use Write has been denied.' }],
  ])('B8 a denial that only a tool result tells is shown: %j', async (content) => {
    const input = { file_path: 'a.txt' };
    const run = await say([
      session(),
      use('t1', 'Write', input),
      refused('t1', content),
      result({ permission_denials: [] }),
    ]);
    expect(run.result.agent.denials).toMatchObject([{ tool: 'Write', input }]);
    expect(run.stdout).toMatch(/denied +Write/);
  });

  it('B8 a command that ran and failed for want of permission is no denial', async () => {
    const run = await say([
      session(),
      use('t1', 'Bash', { command: 'cat /root/x' }),
      refused('t1', 'Exit code 1\ncat: /root/x: Permission denied'),
      result(),
    ]);
    expect(run.result.agent).toMatchObject({ denials: [], toolCalls: 1 });
  });

  it('B8 what is told three times is one denial', async () => {
    const run = await say([
      session(),
      use('t1', 'Write', { file_path: 'x' }),
      JSON.stringify({
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Write',
        tool_use_id: 't1',
        decision_reason: 'outside',
      }),
      refused('t1', 'Permission to use Write has been denied'),
      result({ permission_denials: [{ tool_name: 'Write', tool_use_id: 't1', tool_input: {} }] }),
    ]);
    expect(run.result.agent.denials).toMatchObject([{ tool: 'Write', reason: 'outside' }]);
  });

  it.each([
    ['AskUserQuestion', { questions: [{ question: 'Which database?' }] }],
    ['ExitPlanMode', { plan: 'First this, then that.' }],
  ])('B9 %s that nobody answered is needs-input', async (tool, input) => {
    const run = await say([
      session(),
      use('t1', tool, input),
      refused('t1', 'no one is there'),
      result({ result: 'assumed the first' }),
    ]);
    expect(run.result).toMatchObject({
      status: 'completed',
      finalMessage: 'assumed the first',
      agent: { claim: 'success', reason: 'needs-input', retryable: false },
    });
    expect(run.stdout).toContain('needs-input');
  });

  it.each([
    ['Claude AI usage limit reached|1700000000', '2023-11-14T22:13:20.000Z'],
    ["You've hit your limit · resets 3pm (Europe/Berlin)", expect.stringMatching(/^\d{4}-.*Z$/)],
    ["You've hit your session limit · resets 12:50am (UTC)", expect.stringMatching(/T00:50:00\.000Z$/)],
    ["You've hit your limit · resets 3pm (Area/City)", null],
    ["You've hit your weekly limit", null],
  ])('B10 a usage limit in the words %j', async (words, retryAt) => {
    const run = await say([session(), result({ is_error: true, result: words })], 1);
    expect(run.result.agent).toMatchObject({ claim: 'error', reason: 'usage-limit' });
    expect(run.result.agent.retryAt).toEqual(retryAt);
    // Without a time there is nothing to wait for.
    expect(run.result.agent.retryable).toBe(retryAt === null ? null : true);
    expect(run.result.error).toBe(words);
  });

  it('B10 words about limits that the agent says itself classify nothing', async () => {
    const words = 'usage limit reached|1700000000, invalid api key, prompt is too long';
    const run = await say([session(), text(words), result({ result: words })]);
    expect(run.result).toMatchObject({
      status: 'completed',
      agent: { reason: null, retryAt: null, retryable: null },
    });
  });

  const usage = { input_tokens: 10, output_tokens: 4, cache_read_input_tokens: 100 };
  const counted = (id: string, used: object): string =>
    JSON.stringify({
      type: 'assistant',
      message: { id, content: [{ type: 'text', text: 'part' }], usage: used },
    });

  it('B12 the totals of the result win', async () => {
    const total = { input_tokens: 11, output_tokens: 5, cache_read_input_tokens: 7 };
    const run = await say([
      session(),
      ...[1, 2, 3].map(() => counted('m1', usage)),
      result({ usage: total, total_cost_usd: 0.25, num_turns: 3 }),
    ]);
    expect(run.result).toMatchObject({ usage: total, totalCostUsd: 0.25, numTurns: 3 });
    expect(run.result.cost).toMatchObject({ usd: 0.25, inputTokens: 11, outputTokens: 5, cachedTokens: 7 });
    expect(run.stdout).toContain('$0.2500');
  });

  it('B12 without totals each message counts once, with its last numbers', async () => {
    const run = await say([
      session(),
      counted('m1', usage),
      counted('m1', usage),
      counted('m1', { ...usage, output_tokens: 9 }),
      counted('m2', usage),
    ]);
    expect(run.result.cost).toMatchObject({
      usd: null,
      inputTokens: 20,
      outputTokens: 13,
      cachedTokens: 200,
    });
  });

  const retry = JSON.stringify({
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 3,
    error_status: 529,
  });

  it('B13 retries are counted and are no failure', async () => {
    const run = await say([session(), retry, retry, retry, result()]);
    expect(run.result).toMatchObject({ status: 'completed', agent: { retries: 3, reason: null } });
    expect(run.stdout).toContain('3 retries');
  });

  it('B13 silence ends the run by the idle clock', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo '${session()}'; exec sleep 600`);
    const run = await proven(where, { cd: repository.dir, args: ['--idle-timeout', '2s'] });
    expect(run.result).toMatchObject({
      status: 'timeout',
      exitCode: 143,
      signal: 'SIGTERM',
      sessionId: 'S1',
      process: { exit: 'timeout', timeoutKind: 'idle' },
    });
    expect(run.result.error).toContain('--idle-timeout 2s');
  });

  it('B13 retries for ever reset the idle clock, not the deadline', async () => {
    const where = surroundings();
    fakeShell(
      where,
      `cat >/dev/null; echo '${session()}'; while :; do echo ${quote(retry)}; sleep 0.2; done`,
    );
    const run = await proven(where, {
      cd: repository.dir,
      args: ['--idle-timeout', '60s', '--timeout', '2s'],
    });
    expect(run.result).toMatchObject({ status: 'timeout', process: { timeoutKind: 'wall' } });
    expect(run.result.error).toContain('--timeout 2s');
    expect(run.result.agent.retries).toBeGreaterThan(1);
  });

  it('B13 output on stderr alone is no silence', async () => {
    const where = surroundings();
    fakeShell(
      where,
      `cat >/dev/null; echo '${session()}'; for i in 1 2 3 4 5 6 7 8 9; do echo busy >&2; sleep 0.4; done; echo '${result()}'`,
    );
    const run = await proven(where, { cd: repository.dir, args: ['--idle-timeout', '3s'] });
    expect(run.result.status).toBe('completed');
  });

  it('B13 no first event ends the run by its own clock, noise or not', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; while :; do echo noise; echo noise >&2; sleep 0.2; done`);
    const run = await proven(where, { cd: repository.dir, args: ['--first-event-timeout', '1s'] });
    expect(run.result).toMatchObject({ status: 'timeout', process: { timeoutKind: 'first-event' } });
    expect(run.result.error).toContain('--first-event-timeout 1s');
  });
});
