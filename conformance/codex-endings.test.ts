import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { untilFile } from '../test/support/baton.ts';
import { processesUnder } from '../test/support/processes.ts';
import { dispatchReal, type RealOptions, realWorld, startReal } from './support.ts';

const codex = (flags: readonly string[] = []): RealOptions => ({ implementer: 'codex', flags });

describe('a write run', () => {
  test('changes the tree, and the result says how', async () => {
    const world = realWorld();
    const { code, result, stdout } = await dispatchReal(
      world,
      [
        { turn: [{ say: 'Writing.' }, { write: { path: 'new.txt', content: 'hi\n' } }] },
        { read: 'one.txt' },
        { edit: { path: 'one.txt', old: 'one', new: 'two' } },
        { bash: 'cat new.txt one.txt; echo $TMPDIR; echo x >"$TMPDIR/own"; exit 3' },
        { say: 'All done.' },
      ],
      codex(),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(result);
    expect(result).toMatchObject({
      implementer: 'codex',
      status: 'completed',
      exitCode: 0,
      finalMessage: 'All done.',
      sandbox: 'workspace-write',
      shellSandbox: 'strict',
      session: null,
      cleanEnv: false,
      keepEnv: [],
      codexVersion: 'codex-cli 0.171.0',
      process: { exit: 'code', swept: [], survivors: [] },
      agent: { claim: 'success', reason: null, denials: [], toolCalls: 4, finalTextSource: 'assistant' },
      evidence: { tree: 'changed', violations: [], coverage: { complete: true, gaps: [] } },
      stream: { unreadable: 0, truncated: false },
      cost: { inputTokens: 500, outputTokens: 100, cachedTokens: 0 },
    });
    expect(result).not.toHaveProperty('tool');
    expect(result.evidence.changes).toEqual([
      { path: 'new.txt', kind: 'added', added: 1, deleted: 0, preexisting: false },
      { path: 'one.txt', kind: 'modified', added: 1, deleted: 1, preexisting: false },
    ]);
  });

  test('a patch that the CLI takes as such', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(
      world,
      [{ write: { path: 'sub/new.txt', content: 'a\nb\n' } }, { say: 'Patched.' }],
      codex(),
    );
    expect(result.evidence.changes).toEqual([
      { path: 'sub/new.txt', kind: 'added', added: 2, deleted: 0, preexisting: false },
    ]);
    const kinds = records(events(result.eventsPath)).map(({ item }) => item?.type);
    expect(kinds).toContain('file_change');
  });

  test('a command that fails is no failure of the run', async () => {
    const { result } = await dispatchReal(realWorld(), [{ bash: 'exit 3' }, { say: 'It failed.' }], codex());
    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'It failed.',
      agent: { claim: 'success', reason: null, toolCalls: 1 },
      evidence: { tree: 'unchanged' },
    });
  });

  test('takes the asked sandbox, and keeps no session where none is wanted', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(
      world,
      [{ bash: 'touch here.txt "$HOME/there.txt"' }, { say: 'x' }],
      codex(['--sandbox', 'danger-full-access', '--ephemeral']),
    );
    expect(result).toMatchObject({
      status: 'completed',
      sandbox: 'danger-full-access',
      shellSandbox: 'not-applicable',
      dangerouslySkipPermissions: true,
    });
    expect(existsSync(join(world.home, 'there.txt'))).toBe(true);
    const again = await dispatchReal(world, [{ say: 'x' }], codex(['--session', result.threadId ?? '']));
    expect(again.result).toMatchObject({ status: 'failed', agent: { reason: 'session-not-found' } });
  });

  test('inherits nothing but what is kept by name', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(world, [{ bash: 'env >env.txt' }, { say: 'x' }], {
      ...codex(['--clean-env', '--keep-env', 'SCRIPTED_KEY']),
      env: { SECRET_TOKEN: 'hidden', ANTHROPIC_API_KEY: 'hidden' },
    });
    expect(result).toMatchObject({ status: 'completed', cleanEnv: true, keepEnv: ['SCRIPTED_KEY'] });
    expect(JSON.stringify(result)).not.toContain('hidden');
    const env = world.repository.read('env.txt');
    expect(env).toContain('SCRIPTED_KEY=any');
    expect(env).not.toContain('hidden');
  });
});

describe('a resumed session', () => {
  test('of a write run can write, by id and as the last one', async () => {
    const world = realWorld();
    const first = await dispatchReal(world, [{ say: 'First.' }], codex());
    const thread = first.result.threadId ?? '';
    for (const [index, flags] of [['--session', thread], ['--resume-last']].entries()) {
      const file = `again${index}.txt`;
      const { result, model } = await dispatchReal(
        world,
        [{ bash: `echo x >${file}; git commit --allow-empty -m sneaky` }, { say: 'Reworked.' }],
        codex(flags),
      );
      expect(result).toMatchObject({
        status: 'completed',
        threadId: thread,
        sandbox: 'workspace-write',
        finalMessage: 'Reworked.',
        resumed: true,
        agent: { resumedFrom: thread },
        evidence: { changes: [{ path: file, kind: 'added' }], violations: [] },
      });
      expect(JSON.stringify(model.requests.find(({ kind }) => kind === 'turn')?.body)).toContain('First.');
    }
  });

  test('of a read-only run stays so, unless a sandbox is asked for', async () => {
    const world = realWorld();
    const first = await dispatchReal(world, [{ say: 'Looked.' }], codex(['--read-only']));
    const thread = first.result.threadId ?? '';
    const write = [{ bash: 'echo x >two.txt' }, { say: 'x' }];
    const kept = await dispatchReal(world, write, codex(['--session', thread]));
    expect(kept.result).toMatchObject({
      status: 'completed',
      sandbox: 'read-only',
      readOnly: true,
      readOnlyViolation: false,
      evidence: { tree: 'unchanged' },
    });
    const asked = await dispatchReal(
      world,
      write,
      codex(['--session', thread, '--sandbox', 'workspace-write']),
    );
    expect(asked.result).toMatchObject({ sandbox: 'workspace-write', evidence: { tree: 'changed' } });
  });

  test('an unknown one', async () => {
    const id = '01a22cdf-d4ae-7102-870d-000000000000';
    const { result } = await dispatchReal(realWorld(), [{ say: 'x' }], codex(['--session', id]));
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      threadId: id,
      error: expect.stringContaining('no rollout found'),
      agent: { claim: 'none', reason: 'session-not-found', retryable: false },
    });
  });
});

describe('the model service fails', () => {
  test.each([
    [429, 'rate-limit', true, 'too many'],
    [500, 'overloaded', true, 'boom'],
    [400, 'api-error', false, 'bad'],
    [401, 'auth', false, 'who are you'],
  ] as const)('with %d', async (status, reason, retryable, message) => {
    const { result } = await dispatchReal(
      realWorld(),
      [{ turn: [{ say: 'Partial.' }, { bash: 'echo x >kept.txt' }] }, { error: { status, message } }],
      codex(),
    );
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      finalMessage: 'Partial.',
      agent: { claim: 'error', reason, retryable },
      evidence: { tree: 'changed' },
    });
    expect(result.error).not.toMatch(/^\{|undefined|exited 1/);
  });

  test('for a moment: a reconnect is no failure', async () => {
    const { result } = await dispatchReal(
      realWorld(),
      [{ 'hang-up': { times: 1 } }, { say: 'Once more.' }],
      codex(),
    );
    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'Once more.',
      agent: { reason: null },
    });
  });
});

describe('outside of a git repository', () => {
  test('the way out is named, and works', async () => {
    const world = realWorld();
    const cd = join(world.root, 'plain');
    mkdirSync(cd);
    const refused = await dispatchReal(world, [{ say: 'x' }], { ...codex(), cd });
    expect(refused.result).toMatchObject({ status: 'failed', exitCode: 1 });
    expect(refused.result.error).toContain('--skip-git-repo-check');
    expect(refused.stderr).toContain('--skip-git-repo-check');
    const allowed = await dispatchReal(world, [{ say: 'Here.' }], {
      ...codex(['--skip-git-repo-check']),
      cd,
    });
    expect(allowed.result).toMatchObject({ status: 'completed', finalMessage: 'Here.' });
  });
});

describe('a run that is ended', () => {
  const endless = [{ bash: 'echo $$ >started.txt; while :; do sleep 1; done' }, { say: 'x' }];

  test('by SIGTERM to baton', async () => {
    const world = realWorld();
    const run = await startReal(world, endless, codex());
    await untilFile(join(world.repository.dir, 'started.txt'));
    run.signal('SIGTERM');
    const { code, stdout } = await run.ended;
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'aborted',
      exitCode: 143,
      threadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      process: { exit: 'aborted', survivors: [] },
    });
    expect(processesUnder(world.root)).toEqual([]);
    expect(readdirSync(world.tmp)).toEqual([]);
  });

  test('by its time limit', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(world, endless, codex(['--timeout', '6s']));
    expect(result).toMatchObject({
      status: 'timeout',
      process: { exit: 'timeout', timeoutKind: 'wall', survivors: [] },
      agent: { claim: 'none' },
    });
    expect(processesUnder(world.root)).toEqual([]);
  });
});

test('the approval flag is not passed to a version that does not list it', async () => {
  const world = realWorld();
  const { result } = await dispatchReal(world, [{ say: 'x' }], codex());
  expect(result.status).toBe('completed');
  const [record] = readdirSync(join(world.state, 'probes'));
  const { features } = JSON.parse(readFileSync(join(world.state, 'probes', record ?? ''), 'utf8'));
  expect(features).toContain('exec --sandbox');
  expect(features).toContain('resume --json');
  expect(features).not.toContain('exec --ask-for-approval');
});

interface PrintedRecord {
  type: string;
  item?: { type: string };
}

function events(path: string): string {
  return readFileSync(path, 'utf8');
}

function records(text: string): PrintedRecord[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): PrintedRecord => JSON.parse(line));
}
