import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectOf } from '../../../src/core/json.ts';
import { createCodexReader } from '../../../src/implementers/codex/events.ts';
import { itemTypeOf, snakeCase, textOf } from '../../../src/implementers/codex/spellings.ts';
import { DONE, fails, item, ran, replay, says, THREAD, TURN } from './records.ts';

const PRESENT = [THREAD, TURN, says('Hi.'), DONE];

describe('versions and spellings', () => {
  const CREATED = [
    { type: 'session.created', session_id: 'T1' },
    { type: 'item.completed', item: { id: 'i', item_type: 'assistant_message', text: 'Hi.' } },
    { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } },
  ];
  const ENVELOPE = [
    { id: '0', msg: { type: 'session_configured', session_id: 'T1', model: 'gpt-5' } },
    { id: '1', msg: { type: 'task_started' } },
    { id: '1', msg: { type: 'agent_message_delta', delta: 'H' } },
    { id: '1', msg: { type: 'agent_message', message: 'Hi.' } },
    {
      id: '1',
      msg: { type: 'token_count', info: { total_token_usage: { input_tokens: 9, output_tokens: 3 } } },
    },
    { id: '1', msg: { type: 'task_complete', last_agent_message: 'Hi.' } },
  ];
  const PASCAL = [
    { type: 'ThreadStarted', threadId: 'T1' },
    { type: 'TurnStarted' },
    { type: 'ItemCompleted', item: { id: 'i', type: 'AgentMessage', text: 'Hi.' } },
    { type: 'TurnCompleted', usage: { inputTokens: 1, outputTokens: 2 } },
  ];

  test.each<[string, JsonObject[]]>([
    ['thread.started', PRESENT],
    ['session.created and item_type', CREATED],
    ['the msg envelope', ENVELOPE],
    ['PascalCase', PASCAL],
  ])('%s', (_, records) => {
    const { events, claim } = replay(records);
    expect(claim).toMatchObject({ claim: 'success', sessionId: 'T1', finalText: 'Hi.' });
    expect(claim.cost.inputTokens).toBeGreaterThan(0);
    expect(events.map(({ type }) => type)).not.toContain('unknown');
  });

  test('tools of the msg envelope', () => {
    const { events } = replay(
      [
        { type: 'exec_command_begin', call_id: 'c1', command: ['bash', '-lc', 'ls'] },
        { type: 'exec_command_end', call_id: 'c1', exit_code: 1, stdout: 'a', stderr: 'b' },
        { type: 'patch_apply_begin', call_id: 'c2', changes: { '/r/a': { add: { content: 'x' } } } },
        { type: 'patch_apply_end', call_id: 'c2', success: true },
        { type: 'mcp_tool_call_begin', call_id: 'c3', invocation: { server: 's', tool: 't', arguments: {} } },
        { type: 'mcp_tool_call_end', call_id: 'c3', invocation: { server: 's', tool: 't' } },
      ].map((msg) => ({ id: '1', msg })),
    );
    expect(events).toMatchObject([
      { type: 'tool-started', id: 'c1', tool: 'command_execution', input: { command: 'bash -lc ls' } },
      { type: 'tool-finished', id: 'c1', ok: false, output: 'ab' },
      { type: 'tool-started', tool: 'file_change', input: { changes: [{ path: '/r/a', kind: 'add' }] } },
      { type: 'tool-finished', ok: true },
      { type: 'tool-started', tool: 's/t' },
      { type: 'tool-finished', ok: true },
    ]);
  });

  test('an unknown record or item is counted and kept, and harms nothing', () => {
    const { events, claim } = replay([
      THREAD,
      { type: 'thread.exploded' },
      { nothing: 1 },
      item('started', { type: 'flubbed' }),
      item('completed', { type: 'flubbed' }),
      { id: '1', msg: { type: 'who_knows' } },
      says('Hi.'),
      DONE,
    ]);
    expect(events.flatMap((event) => (event.type === 'unknown' ? [event.record] : []))).toEqual([
      'thread.exploded',
      '(no type)',
      'item/flubbed',
      'who_knows',
    ]);
    expect(claim).toMatchObject({ claim: 'success', finalText: 'Hi.' });
  });

  test.each([
    ['AgentMessage', 'agent_message'],
    ['agent-message', 'agent_message'],
    ['agentMessage', 'agent_message'],
    ['assistant_message', 'agent_message'],
    ['MCPToolCall', 'mcp_tool_call'],
    ['mcp.tool.call', 'mcp_tool_call'],
    ['commandExecution', 'command_execution'],
  ])('%s is %s', (written, meant) => {
    expect(itemTypeOf({ type: written })).toBe(meant);
    expect(itemTypeOf({ item_type: written })).toBe(meant);
  });

  test('text at any depth', () => {
    expect(textOf({ content: [{ type: 'text', text: 'a' }, 'b', { content: { text: 'c' } }] })).toBe('abc');
  });

  test('a name that is in snake case stays so', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]+(_[a-z]+)*$/), (name) => {
        expect(snakeCase(name)).toBe(name);
      }),
    );
  });
});

describe('how a turn ends', () => {
  test('by turn.failed, whatever was said before', () => {
    const { claim } = replay([THREAD, says('Nearly.'), fails("You've hit your usage limit. Try later.")]);
    expect(claim).toMatchObject({
      claim: 'error',
      subtype: 'turn.failed',
      reason: 'usage-limit',
      retryable: null,
      errorText: "You've hit your usage limit. Try later.",
      finalText: 'Nearly.',
    });
  });

  test('the last terminal record wins', () => {
    expect(replay([THREAD, fails('x'), TURN, says('Hi.'), DONE]).claim.claim).toBe('success');
    expect(replay([THREAD, says('Hi.'), DONE, fails('x')]).claim.claim).toBe('error');
  });

  test('not at all: then nothing is claimed', () => {
    expect(replay([THREAD, TURN, says('Half.')]).claim).toMatchObject({
      claim: 'none',
      sessionId: 'T1',
      finalText: 'Half.',
    });
  });

  test('by an error that no turn.failed followed, as the oldest versions do', () => {
    const { claim } = replay([THREAD, { id: '1', msg: { type: 'error', message: 'exceeded retry limit' } }]);
    expect(claim).toMatchObject({ claim: 'error', errorText: 'exceeded retry limit' });
  });

  test('a reconnect is a notice, and no error of its own', () => {
    const again = { type: 'error', message: 'Reconnecting... 1/5 (stream disconnected)' };
    const { claim, events } = replay([THREAD, TURN, again, again, says('Hi.'), DONE]);
    expect(claim).toMatchObject({ claim: 'success', retries: 2, reason: null });
    expect(events.filter((event) => event.type === 'notice')).toMatchObject([
      { kind: 'retry' },
      { kind: 'retry' },
    ]);
    expect(replay([THREAD, again]).claim).toMatchObject({ claim: 'none', errorText: null });
  });

  test('an error item is a notice', () => {
    const { claim, events } = replay([
      THREAD,
      item('completed', { type: 'error', message: 'odd' }),
      says('Hi.'),
      DONE,
    ]);
    expect(claim.claim).toBe('success');
    expect(events[1]).toEqual({ type: 'notice', kind: 'warning', text: 'odd' });
  });

  test.each([
    ['zero usage', { type: 'turn.completed', usage: { input_tokens: 0, output_tokens: 0 } }],
    ['no usage', { type: 'turn.completed' }],
  ])('with nothing said, done or used (%s), which is no success', (_, end) => {
    const { claim, events } = replay([THREAD, TURN, end]);
    expect(claim).toMatchObject({ claim: 'error', reason: 'other', retryable: null });
    expect(claim.errorText).toContain('the model was not asked');
    expect(events.at(-1)).toMatchObject({ type: 'finished', claim: 'error' });
  });

  test.each([
    ['words', says('Hi.')],
    ['a command', ran('c', '', 0)],
  ])('with %s but no usage, which is one', (_, record) => {
    expect(replay([THREAD, TURN, record, { type: 'turn.completed' }]).claim.claim).toBe('success');
  });

  test('the text of the oldest terminal record counts where no other was seen', () => {
    const { claim } = replay([{ id: '1', msg: { type: 'task_complete', last_agent_message: 'Hi.' } }]);
    expect(claim).toMatchObject({ claim: 'success', finalText: 'Hi.' });
  });
});

describe('what is read of it', () => {
  test('the final text is the last that is not empty', () => {
    const { claim, events } = replay([
      THREAD,
      says('Looking.'),
      ran('c', '', 0),
      says('Done.'),
      says(' '),
      DONE,
    ]);
    expect(claim).toMatchObject({ finalText: 'Done.', finalTextSource: 'assistant' });
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
      'Looking.',
      'Done.',
    ]);
  });

  test('tokens: what came from the cache is no fresh input', () => {
    const { claim } = replay(PRESENT);
    expect(claim.cost).toMatchObject({ usd: null, inputTokens: 60, cachedTokens: 40, outputTokens: 20 });
    expect(claim.usage).toBe(DONE['usage']);
  });

  test('an item that is only told when it is over still begins', () => {
    expect(replay([ran('c', 'out', 3)]).events).toMatchObject([
      { type: 'tool-started', id: 'c' },
      { type: 'tool-finished', id: 'c', ok: false, output: 'out' },
    ]);
  });

  test('a declined command is a denial', () => {
    const { claim, events } = replay([
      item('completed', {
        type: 'command_execution',
        command: 'git push',
        aggregated_output: 'no',
        status: 'declined',
      }),
    ]);
    expect(claim.denials).toEqual([
      { tool: 'command_execution', input: { command: 'git push' }, reason: 'no' },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['tool-started', 'tool-finished', 'denied']);
  });

  test('agents that it starts are counted', () => {
    const spawn = { type: 'collab_tool_call', tool: 'spawn_agent', prompt: 'look' };
    const { claim } = replay([item('started', spawn), item('completed', spawn)]);
    expect(claim).toMatchObject({ subagents: 1, toolCalls: 1 });
  });

  test('commands that all fail for want of a sandbox', () => {
    const without = 'bwrap: No permissions to create a new namespace';
    expect(replay([THREAD, ran('a', without, 1), ran('b', without, 1), says('x'), DONE]).claim).toMatchObject(
      {
        claim: 'success',
        reason: 'sandbox-unavailable',
        retryable: false,
      },
    );
    // One of them ran: the other is a bwrap of the agent's own.
    expect(
      replay([THREAD, ran('a', without, 1), ran('b', 'ok', 0), says('x'), DONE]).claim.reason,
    ).toBeNull();
    expect(replay([THREAD, ran('a', `says ${without}`, 1), says('x'), DONE]).claim.reason).toBeNull();
  });

  test('what tools print and the agent says never classifies a run', () => {
    const words = "You've hit your usage limit. 429 Too Many Requests";
    const { claim } = replay([THREAD, says(words), ran('a', words, 1), DONE]);
    expect(claim).toMatchObject({ claim: 'success', reason: null, retryable: null });
  });

  test('nothing makes it throw', () => {
    const name = fc.constantFrom(
      'thread.started',
      'turn.completed',
      'turn.failed',
      'item.completed',
      'item.started',
      'error',
      'agent_message',
      'command_execution',
      'exec_command_end',
      'task_complete',
      'patch_apply_begin',
    );
    const leaf = fc.oneof(fc.jsonValue(), name);
    const fields = fc.dictionary(
      fc.constantFrom(
        'type',
        'item',
        'msg',
        'error',
        'message',
        'usage',
        'text',
        'content',
        'id',
        'status',
        'changes',
      ),
      leaf,
    );
    const record = fc.record({
      type: name,
      item: fields,
      msg: fc.option(fields, { nil: undefined }),
      error: leaf,
      usage: leaf,
    });
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const reader = createCodexReader();
        for (const one of records) reader.read(objectOf(one));
        const claim = reader.claim();
        expect(claim.errorText?.trim()).not.toBe('');
      }),
    );
  });
});
