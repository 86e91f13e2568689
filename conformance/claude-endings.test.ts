import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { untilFile } from '../test/support/baton.ts';
import { processesUnder } from '../test/support/processes.ts';
import { dispatchReal, realWorld, startReal } from './support.ts';

describe('a write run', () => {
  test('changes the tree, and the result says how', async () => {
    const world = realWorld();
    const { code, result, stdout } = await dispatchReal(world, [
      { turn: [{ say: 'Writing.' }, { write: { path: 'new.txt', content: 'hi\n' } }] },
      { read: 'one.txt' },
      { edit: { path: 'one.txt', old: 'one', new: 'two' } },
      { bash: 'cat new.txt one.txt' },
      { say: 'All done.' },
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(result);
    expect(result).toMatchObject({
      status: 'completed',
      exitCode: 0,
      finalMessage: 'All done.',
      numTurns: 5,
      permissionMode: 'acceptEdits',
      shellSandbox: 'strict',
      claudeVersion: '2.1.332 (Claude Code)',
      process: { exit: 'code', swept: [], survivors: [] },
      agent: { claim: 'success', reason: null, denials: [], toolCalls: 4, finalTextSource: 'result' },
      evidence: { tree: 'changed', violations: [], coverage: { complete: true, gaps: [] } },
      stream: { unreadable: 0, truncated: false },
      cost: { inputTokens: 500, outputTokens: 100 },
    });
    expect(result.evidence.changes).toEqual([
      { path: 'new.txt', kind: 'added', added: 1, deleted: 0, preexisting: false },
      { path: 'one.txt', kind: 'modified', added: 1, deleted: 1, preexisting: false },
    ]);
    expect(result.touchedFiles).toEqual([' M one.txt', '?? new.txt']);
  });

  test('goes on in the same session, by id and as the last one, under the whole profile', async () => {
    const world = realWorld();
    const first = await dispatchReal(world, [{ say: 'First.' }]);
    const session = first.result.sessionId ?? '';
    for (const flags of [['--session', session], ['--resume-last']]) {
      const { result, model } = await dispatchReal(
        world,
        [{ bash: "sh -c 'git commit --allow-empty -m sneaky'; echo" }, { say: 'Reworked.' }],
        { flags },
      );
      expect(result).toMatchObject({
        status: 'completed',
        sessionId: session,
        finalMessage: 'Reworked.',
        resumed: true,
        agent: { resumedFrom: session },
        evidence: { tree: 'unchanged', violations: [] },
      });
      expect(JSON.stringify(model.requests.find((request) => request.kind === 'turn')?.body)).toContain(
        'First.',
      );
    }
  });

  test('an unknown session', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const { result } = await dispatchReal(realWorld(), [{ say: 'x' }], { flags: ['--session', id] });
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      sessionId: id,
      agent: { claim: 'error', reason: 'session-not-found', retryable: false },
    });
  });

  test('an empty last message falls back to the text before it', async () => {
    const { result } = await dispatchReal(realWorld(), [
      { turn: [{ say: 'Interim.' }, { bash: 'echo 1' }] },
      { say: '' },
      { say: '' },
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'Interim.',
      agent: { finalTextSource: 'assistant' },
    });
  });

  test('what a command leaves running does not outlive the run', async () => {
    const world = realWorld();
    const loop = 'while :; do sleep 1; done\n';
    const { result } = await dispatchReal(world, [
      { write: { path: 'loop.sh', content: loop } },
      {
        write: {
          path: 'start.sh',
          content: 'sh ./loop.sh >/dev/null 2>&1 &\nsetsid sh ./loop.sh >/dev/null 2>&1 &\necho started\n',
        },
      },
      { bash: 'sh start.sh' },
      { say: 'Left a process behind.' },
    ]);
    expect(result).toMatchObject({ status: 'completed', process: { survivors: [] } });
    expect(processesUnder(world.root)).toEqual([]);
  });
});

describe('the model service fails', () => {
  test.each([
    [429, 'rate-limit', true],
    [529, 'overloaded', true],
    [500, 'api-error', true],
    [401, 'auth', false],
  ] as const)('with %d', async (status, reason, retryable) => {
    const { result } = await dispatchReal(realWorld(), [
      { turn: [{ say: 'Partial.' }, { write: { path: 'kept.txt', content: 'x' } }] },
      { error: { status, message: 'as asked' } },
    ]);
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      resultSubtype: 'success',
      agent: { claim: 'error', reason, retryable },
      evidence: { tree: 'changed' },
    });
    expect(result.error).toContain(String(status));
  });

  test('with a prompt that is too long', async () => {
    const message = 'prompt is too long: 300000 tokens > 200000 maximum';
    const { result } = await dispatchReal(realWorld(), [{ error: { status: 400, message } }]);
    expect(result).toMatchObject({
      status: 'failed',
      agent: { claim: 'error', reason: 'context-overflow', retryable: false },
    });
  });

  test('for a moment: retries are counted and are no failure', async () => {
    const { result } = await dispatchReal(realWorld(), [
      { error: { status: 529, times: 1 } },
      { say: 'Better.' },
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'Better.',
      agent: { retries: 1, reason: null },
    });
  });

  test('by breaking the connection', async () => {
    const { result } = await dispatchReal(realWorld(), [{ 'hang-up': { times: 1 } }, { say: 'Once more.' }]);
    expect(result).toMatchObject({ status: 'completed', finalMessage: 'Once more.' });
  });
});

describe('limits', () => {
  const loop = [{ bash: 'echo 1' }, { bash: 'echo 2' }, { bash: 'echo 3' }, { say: 'x' }];

  test.each([
    [['--max-turns', '2'], 'error_max_turns', 'max-turns'],
    [['--max-budget-usd', '0.001'], 'error_max_budget_usd', 'budget'],
  ])('%j', async (flags, resultSubtype, reason) => {
    const { result } = await dispatchReal(realWorld(), loop, { flags });
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      resultSubtype,
      agent: { claim: 'error', reason },
    });
    expect(result.error).not.toContain('undefined');
  });
});

describe('a run that is ended', () => {
  const endless = [
    { write: { path: 'wait.sh', content: 'echo $$ >started.txt; while :; do sleep 1; done\n' } },
    { bash: 'sh wait.sh' },
    { say: 'x' },
  ];

  test('by SIGTERM to baton', async () => {
    const world = realWorld();
    const run = await startReal(world, endless);
    await untilFile(join(world.repository.dir, 'started.txt'));
    run.signal('SIGTERM');
    const { code, stdout } = await run.ended;
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'aborted',
      exitCode: 143,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      process: { exit: 'aborted', survivors: [] },
    });
    expect(processesUnder(world.root)).toEqual([]);
  });

  test('by its time limit', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(world, endless, { flags: ['--timeout', '6s'] });
    expect(result).toMatchObject({
      status: 'timeout',
      process: { exit: 'timeout', timeoutKind: 'wall', survivors: [] },
      agent: { claim: 'none' },
    });
    expect(result.error).toContain('--timeout 6s');
    expect(processesUnder(world.root)).toEqual([]);
  });
});

test('a machine without the sandbox’s parts is told so, and nothing runs bare', async () => {
  const world = realWorld();
  const tools = join(world.root, 'only');
  mkdirSync(tools);
  for (const name of ['sh', 'bash', 'git', 'env', 'cat'])
    symlinkSync(join('/usr/bin', name), join(tools, name));
  const [clis = '', bin = '', node = ''] = (world.env['PATH'] ?? '').split(':');
  const { result } = await dispatchReal(world, [{ bash: 'touch ran.txt' }, { say: 'x' }], {
    env: { PATH: [clis, bin, node, tools].join(':') },
  });
  expect(result).toMatchObject({
    status: 'failed',
    exitCode: 1,
    agent: { claim: 'error', reason: 'sandbox-unavailable', retryable: false },
    evidence: { tree: 'unchanged' },
  });
});
