import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TextRunError } from '../src/running/text-error.ts';
import { runLLM } from '../src/running/text.ts';
import type { TextOptions } from '../src/running/text-options.ts';
import { runBaton } from '../test/support/baton.ts';
import { processesUnder } from '../test/support/processes.ts';
import { asked, type Cli, textWorld, type TextWorld } from './text-support.ts';

const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
};

function ask(world: TextWorld, prompt: string, options: TextOptions = {}) {
  return runLLM(prompt, { env: world.env, cwd: world.repository.dir, ...options }, world.cli);
}

async function failing(run: Promise<unknown>): Promise<TextRunError> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TextRunError) return error;
  throw new Error(`not a failed text run: ${String(error)}`);
}

/** How a model of this vendor hands over JSON that must match a schema. */
function structured(cli: Cli, value: object): object {
  return cli === 'claude'
    ? { tool: { name: 'StructuredOutput', input: value } }
    : { say: JSON.stringify(value) };
}

describe.each(['claude', 'codex'] as const)('the real %s', (cli) => {
  test('answers from what it reads in the directory, and writes nothing', async () => {
    const read = cli === 'claude' ? { read: 'one.txt' } : { bash: 'cat one.txt' };
    const world = await textWorld(cli, [{ turn: [{ say: 'Let me look.' }, read] }, { say: 'It says one.' }]);
    const before = world.repository.fingerprint();
    const run = await ask(world, 'What does one.txt say? {{x}} $&');
    expect(run).toMatchObject({
      text: 'It says one.',
      claim: 'success',
      toolCalls: 1,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
    const [first, second] = asked(world);
    expect(first).toContain('What does one.txt say? {{x}} $&');
    expect(second).toContain('one\\n');
    expect(world.repository.status()).toEqual([]);
    expect(world.repository.fingerprint()).toEqual(before);
    expect(readdirSync(world.tmp).filter((name) => name.startsWith('baton-'))).toEqual([]);
  });

  test('cannot write', async () => {
    const write =
      cli === 'claude'
        ? { write: { path: 'new.txt', content: 'x' } }
        : { bash: 'echo x >new.txt; echo y >>one.txt' };
    const world = await textWorld(cli, [write, { say: 'I tried.' }]);
    expect(await ask(world, 'Write!')).toMatchObject({ text: 'I tried.' });
    expect(world.repository.status()).toEqual([]);
  });

  test('answers where there is no repository', async () => {
    const world = await textWorld(cli, [{ say: 'Hello.' }]);
    const cwd = join(world.home, 'plain');
    mkdirSync(cwd);
    expect(await ask(world, 'Hi', { cwd })).toMatchObject({ text: 'Hello.' });
    expect(asked(world)[0]).toContain(cwd);
  });

  test('fails by the words of the service', async () => {
    const world = await textWorld(cli, [{ error: { status: 429, message: 'slow down' } }]);
    const error = await failing(ask(world, 'Hi'));
    expect(error).toMatchObject({
      code: 'text-run',
      reason: 'rate-limit',
      retryable: true,
      text: '',
      failure: { status: 'failed', exitCode: 1 },
    });
    expect(error.message).toContain('429');
  });

  test('gives a value that matches a schema', async () => {
    const world = await textWorld(cli, [structured(cli, { n: 1 })]);
    expect(await ask(world, 'Count.', { schema: SCHEMA })).toMatchObject({
      text: '{"n":1}',
      structuredOutput: { n: 1 },
    });
  });

  test('is asked once more where it does not', async () => {
    // claude itself asks once more for the tool call that gives the value.
    const wrong = cli === 'claude' ? [{ say: 'one' }, { say: 'one, I said' }] : [{ say: 'one' }];
    const world = await textWorld(cli, [...wrong, structured(cli, { n: 1 })]);
    const run = await ask(world, 'Count.', { schema: SCHEMA });
    expect(run).toMatchObject({
      structuredOutput: { n: 1 },
      usage: { inputTokens: 100 * (wrong.length + 1) },
    });
    expect(asked(world).at(-1)).toContain('did not match the required JSON Schema');
  });

  test('fails where it does not twice', async () => {
    const wrong = cli === 'claude' ? [{ say: 'one' }, { say: 'one, I said' }] : [{ say: 'one' }];
    const world = await textWorld(cli, [...wrong, ...wrong, structured(cli, { n: 1 })]);
    const error = await failing(ask(world, 'Count.', { schema: SCHEMA }));
    expect(error).toMatchObject({
      code: 'schema',
      failure: { problems: [expect.stringContaining('not JSON')] },
    });
    expect(world.model.stepsLeft()).toBe(1);
  });

  test('is ended by its limit, and leaves nothing behind', async () => {
    const world = await textWorld(cli, [{ wait: '1m' }, { say: 'late' }]);
    const error = await failing(ask(world, 'Hi', { timeout: 3 }));
    expect(error.failure).toMatchObject({ status: 'timeout' });
    expect(error.message).toBe('the run reached --timeout 3 and was ended');
    expect(processesUnder(world.root)).toEqual([]);
  });

  test('answers the command line', async () => {
    const world = await textWorld(cli, [structured(cli, { n: 7 })]);
    writeFileSync(join(world.root, 'schema.json'), JSON.stringify(SCHEMA));
    const args = [
      'ask',
      '--prompt',
      'review',
      '--var',
      'diff=+one',
      '--implementer',
      cli,
      '--schema',
      'schema.json',
    ];
    const { code, stdout } = await runBaton([...args, '--cd', world.repository.dir], {
      env: world.env,
      cwd: world.root,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{\n  "n": 7\n}\n' });
    expect(asked(world)[0]).toContain('=== changes ===\\n+one\\n');
  });
});

describe('what only one of them has', () => {
  test('claude is not told to plan', async () => {
    const world = await textWorld('claude', [{ say: 'Hello.' }]);
    await ask(world, 'Hi');
    expect(asked(world)[0]).not.toMatch(/plan mode/i);
  });

  test('claude without tools has none, and codex no shell', async () => {
    const claude = await textWorld('claude', [structured('claude', { n: 1 })]);
    await ask(claude, 'Hi', { tools: 'none', schema: SCHEMA });
    const own = claude.model.requests.find(({ kind }) => kind === 'turn')?.tools ?? [];
    expect(own.filter((tool) => ['Read', 'Glob', 'Grep', 'Bash', 'Write'].includes(tool))).toEqual([]);
    for (const [tools, shell] of [
      ['profile', true],
      ['none', false],
    ] as const) {
      const codex = await textWorld('codex', [{ say: 'Hello.' }]);
      await ask(codex, 'Hi', { tools });
      expect(asked(codex)[0]?.includes('### `exec_command`')).toBe(shell);
    }
  });

  test('claude ends by itself after five wrong values', async () => {
    const wrong = structured('claude', { n: 'one' });
    const world = await textWorld('claude', [wrong, wrong, wrong, wrong, wrong, wrong]);
    const error = await failing(ask(world, 'Count.', { schema: SCHEMA }));
    expect(error.code).toBe('text-run');
    expect(error.message).toContain('/n: must be number');
  });
});
