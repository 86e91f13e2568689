import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/implementers/events.ts';
import { runClaude, runLLM } from '../../src/running/text.ts';
import { TextRunError } from '../../src/running/text-error.ts';
import type { TextOptions } from '../../src/running/text-options.ts';
import { untilFile } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeSaying, fakeShell, quote } from '../support/fake.ts';
import { processesUnder } from '../support/processes.ts';
import { init, success, text } from '../support/records.ts';

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

function ask(where: Surroundings, prompt: string, options: TextOptions = {}) {
  return runClaude(prompt, { env: where.env, cwd: where.root, ...options });
}

/** The error of a text run that must fail. */
async function failing(run: Promise<unknown>): Promise<TextRunError> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TextRunError) return error;
  throw new Error(`not a failed text run: ${String(error)}`);
}

/** A fake that says something else at every launch, and keeps each prompt as `prompt-N.txt`. */
function fakeInTurns(where: Surroundings, answers: readonly string[][]): void {
  const cases = answers
    .map((lines, at) => `${at + 1}) ${lines.map((line) => `printf '%s\\n' ${quote(line)}`).join('; ')};;`)
    .join('\n');
  fakeShell(
    where,
    `cd ${quote(where.root)}\necho x >>launches\nn=$(wc -l <launches | tr -d ' ')\ncat >prompt-$n.txt\ncase $n in\n${cases}\nesac`,
  );
}

const result = (fields: object): string =>
  JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    session_id: 'S1',
    total_cost_usd: 0.5,
    usage: { input_tokens: 10, output_tokens: 2 },
    ...fields,
  });

describe('an answer', () => {
  test('comes with what it cost and where it was said', async () => {
    const where = surroundings();
    fakeSaying(where, [
      init('S7'),
      text('Looking.'),
      text('Forty-two.', 'm2'),
      result({ result: 'Forty-two.' }),
    ]);
    const events: AgentEvent[] = [];
    const run = await ask(where, 'How many?', { onEvent: (event) => events.push(event) });
    expect(run).toEqual({
      text: 'Forty-two.',
      usage: expect.objectContaining({ usd: 0.5, inputTokens: 10, outputTokens: 2 }),
      claim: 'success',
      sessionId: 'S1',
      toolCalls: 0,
    });
    expect(events.map((event) => event.type)).toEqual(['session', 'text', 'text', 'finished']);
  });

  test('is to the exact prompt, in the directory that was asked for', async () => {
    const where = surroundings();
    const cwd = join(where.root, 'work here');
    mkdirSync(cwd);
    fakeShell(
      where,
      `cat >${quote(join(where.root, 'prompt'))}; pwd >${quote(join(where.root, 'pwd'))}; echo '${success('ok')}'`,
    );
    const prompt = '  {{x}} $& `id` \u{1f600}\r\n';
    await ask(where, prompt, { cwd });
    expect(readFileSync(join(where.root, 'prompt'), 'utf8')).toBe(prompt);
    expect(readFileSync(join(where.root, 'pwd'), 'utf8')).toBe(`${cwd}\n`);
  });

  test('is asked for read-only, without plan mode, with the dials and with no trace in the environment', async () => {
    const where = surroundings({ CLAUDECODE: '1', GIT_DIR: '/elsewhere' });
    const seen = join(where.root, 'seen');
    fakeShell(
      where,
      `cat >/dev/null; { printf '%s\\n' "$@"; env; } >${quote(seen)}; echo '${success('ok')}'`,
    );
    await ask(where, 'x', { model: 'small', effort: 'low', tools: 'none' });
    const lines = readFileSync(seen, 'utf8').split('\n');
    const after = (flag: string): string | undefined => lines[lines.indexOf(flag) + 1];
    expect(lines.slice(0, 5)).toEqual(['-p', '--output-format', 'stream-json', '--verbose', '--tools']);
    expect(after('--tools')).toBe('');
    expect(after('--permission-mode')).toBe('default');
    expect(after('--model')).toBe('small');
    expect(after('--effort')).toBe('low');
    expect(lines.filter((line) => /^(?:CLAUDECODE|GIT_DIR)=/.test(line))).toEqual([]);
    expect(lines).toContain('BATON_DEPTH=1');
  });
});

describe('the raw stream', () => {
  const keepSettingsPath = (where: Surroundings): string =>
    `cat >/dev/null\nwhile [ "$1" != --settings ]; do shift; done; printf %s "$2" >${quote(join(where.root, 'settings'))}`;

  test.each([
    ['success', `echo '${success('ok')}'`],
    ['failure', 'exit 3'],
  ])('is removed after a %s', async (_how, then) => {
    const where = surroundings();
    fakeShell(where, `${keepSettingsPath(where)}\n${then}`);
    await ask(where, 'x').catch(() => {});
    const settings = readFileSync(join(where.root, 'settings'), 'utf8');
    expect(settings).toMatch(/profile\.json$/);
    expect(existsSync(dirname(settings))).toBe(false);
  });

  test.each([
    ['success', [init(), success('ok')], 0],
    ['failure', [init()], 3],
  ] as const)('is kept after a %s with BATON_DEBUG=1, for this user only', async (_how, lines, exit) => {
    const where = surroundings({ BATON_DEBUG: '1' });
    fakeSaying(where, lines, { exit });
    const kept: string[] = [];
    await ask(where, 'my prompt', { onKept: (directory) => kept.push(directory) }).catch(() => {});
    const [directory = ''] = kept;
    expect(dirname(directory)).toBe(join(where.state, 'text-runs'));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(directory, 'events.jsonl'), 'utf8')).toBe(`${lines.join('\n')}\n`);
    expect(readFileSync(join(directory, 'brief.txt'), 'utf8')).toBe('my prompt');
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  test('that is kept is named by the failure', async () => {
    const where = surroundings({ BATON_DEBUG: '1' });
    fakeSaying(where, [init()]);
    const { failure } = await failing(ask(where, 'x'));
    expect(readFileSync(join(failure.directory ?? '', 'events.jsonl'), 'utf8')).toBe(`${init()}\n`);
  });

  test('that cannot be kept is told before anything is started', async () => {
    const where = surroundings({ BATON_DEBUG: '1' });
    writeFileSync(join(where.root, 'file'), '');
    fakeShell(where, `touch ${quote(join(where.root, 'started'))}`);
    const env = { ...where.env, BATON_HOME: join(where.root, 'file') };
    await expect(ask(where, 'x', { env })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('BATON_DEBUG'),
    });
    expect(existsSync(join(where.root, 'started'))).toBe(false);
  });
});

describe('a failure', () => {
  test('of the service tells why, whether to try again, and what had been said', async () => {
    const where = surroundings();
    const refused = result({
      is_error: true,
      result: 'API Error: 429 slow down',
      terminal_reason: 'api_error',
      api_error_status: 429,
    });
    fakeShell(
      where,
      `cat >/dev/null; echo oh no >&2; printf '%s\\n' ${quote(init())} ${quote(text('Half of'))} ${quote(refused)}; exit 1`,
    );
    const stderr: Uint8Array[] = [];
    const error = await failing(ask(where, 'x', { onStderr: (chunk) => stderr.push(chunk) }));
    expect(error).toMatchObject({ code: 'text-run', reason: 'rate-limit', retryable: true, text: 'Half of' });
    expect(error.message).toContain('429');
    expect(error.stderrTail).toEqual(['oh no']);
    expect(error.failure).toMatchObject({ status: 'failed', exitCode: 1, sessionId: 'S1', problems: [] });
    expect(Buffer.concat(stderr).toString()).toBe('oh no\n');
  });

  test.each([
    [
      'a result without a process that ends well',
      [init(), success('ok')],
      7,
      'reported success but exited 7',
      7,
    ],
    ['exit 0 without a result', [init(), text('Bye.')], 0, 'without a terminal event', 1],
    ['no record at all', [], 1, 'exited 1', 1],
  ] as const)('is %s', async (_what, lines, exit, message, exitCode) => {
    const where = surroundings();
    fakeSaying(where, lines, { exit });
    const error = await failing(ask(where, 'x'));
    expect(error.message).toContain(message);
    expect(error.failure).toMatchObject({ status: 'failed', exitCode });
  });

  test('is an answer without a word', async () => {
    const where = surroundings();
    fakeSaying(where, [init(), success('  \n')]);
    const error = await failing(ask(where, 'x'));
    expect(error).toMatchObject({ code: 'no-text', failure: { status: 'failed', exitCode: 1 } });
  });

  test('is a missing executable', async () => {
    const where = surroundings();
    const error = await failing(ask(where, 'x', { env: { ...where.env, PATH: where.bin } }));
    expect(error.failure).toMatchObject({ status: 'claude_unavailable', exitCode: 127 });
  });

  test('is the limit of time, and its source is named', async () => {
    const where = surroundings({ BATON_TIMEOUT: '1' });
    fakeShell(where, `cat >/dev/null; echo '${text('Well,')}'; sleep 60`);
    const error = await failing(ask(where, 'x'));
    expect(error.failure).toMatchObject({ status: 'timeout', text: 'Well,' });
    expect(error.message).toBe('the run reached BATON_TIMEOUT=1 and was ended');
    expect(processesUnder(where.root)).toEqual([]);
  });

  test('is an abort, under way or before', async () => {
    const where = surroundings();
    const started = join(where.root, 'started');
    fakeShell(where, `cat >/dev/null; echo '${text('Well,')}'; echo x >${quote(started)}; sleep 60`);
    const stop = new AbortController();
    const run = failing(ask(where, 'x', { signal: stop.signal }));
    await untilFile(started);
    stop.abort('SIGTERM');
    expect((await run).failure).toMatchObject({ status: 'aborted', exitCode: 143 });
    expect(processesUnder(where.root)).toEqual([]);
    const again = await failing(ask(where, 'x', { signal: stop.signal }));
    expect(again.failure).toMatchObject({ status: 'aborted', exitCode: 143 });
  });
});

describe('an answer with a schema', () => {
  test('is the value that the CLI hands over', async () => {
    const where = surroundings();
    fakeInTurns(where, [[init(), result({ result: '{"n":1}', structured_output: { n: 1 } })]]);
    expect(await ask(where, 'x', { schema: SCHEMA })).toMatchObject({
      text: '{"n":1}',
      structuredOutput: { n: 1 },
    });
  });

  test('that does not match is mended once, and both launches count', async () => {
    const where = surroundings();
    fakeInTurns(where, [
      [init('S1'), result({ result: '{"n":"one"}' })],
      [init('S2'), result({ result: '{"n":1}', session_id: 'S2' })],
    ]);
    const run = await ask(where, 'Count!', { schema: SCHEMA });
    expect(run).toMatchObject({ structuredOutput: { n: 1 }, sessionId: 'S2' });
    expect(run.usage).toMatchObject({ usd: 1, inputTokens: 20, outputTokens: 4 });
    const repair = readFileSync(join(where.root, 'prompt-2.txt'), 'utf8');
    expect(repair).toMatch(/^Count!/);
    expect(repair).toContain('- /n: must be number');
    expect(repair).toContain('{"n":"one"}');
  });

  test('that does not match twice is a failure with the reasons', async () => {
    const where = surroundings();
    fakeInTurns(where, [[success('no JSON')], [text('Sorry.'), success('{}')], [success('{"n":1}')]]);
    const error = await failing(ask(where, 'Count!', { schema: SCHEMA }));
    expect(error).toMatchObject({ code: 'schema', failure: { status: 'failed', exitCode: 1 } });
    expect(error.failure.problems).toEqual(["the answer: must have required property 'n'"]);
    expect(readFileSync(join(where.root, 'launches'), 'utf8')).toBe('x\nx\n');
  });

  test('whose mending fails is that failure', async () => {
    const where = surroundings();
    fakeInTurns(where, [[text('First.'), success('no JSON')], [init()]]);
    const error = await failing(ask(where, 'Count!', { schema: SCHEMA }));
    expect(error).toMatchObject({ code: 'text-run', text: 'First.' });
  });

  test('is not sent back where the prompt would be too long', async () => {
    const where = surroundings();
    fakeInTurns(where, [[success('no JSON')]]);
    const error = await failing(ask(where, 'x'.repeat(9_999_990), { schema: SCHEMA }));
    expect(error.code).toBe('schema');
    expect(readFileSync(join(where.root, 'launches'), 'utf8')).toBe('x\n');
  });
});

describe('refused before anything is started', () => {
  test.each([
    ['an unknown implementer', 'gpt', {}, '"gpt" is not known'],
    ['a directory that is not there', 'claude', { cwd: '/nowhere/at/all' }, '/nowhere/at/all'],
    ['a bad limit', 'claude', { timeout: 'soon' }, '--timeout "soon"'],
    ['a bad model', 'claude', { model: '-m' }, '--model "-m"'],
    ['a bad effort', 'claude', { effort: 'huge' }, '--effort "huge"'],
    ['a bad schema', 'claude', { schema: { type: 'strin' } }, 'schema'],
  ])('%s', async (_what, implementer, options, message) => {
    const where = surroundings();
    fakeShell(where, `touch ${quote(join(where.root, 'started'))}`, { version: null });
    const run = runLLM('x', { env: where.env, cwd: where.root, ...options }, implementer);
    await expect(run).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    expect(existsSync(join(where.root, 'started'))).toBe(false);
  });

  test.each([
    ['a blank prompt', ' \n', {}, 'the prompt is empty'],
    ['a prompt over the limit', 'x'.repeat(10_000_001), {}, '10,000,001 bytes'],
    ['a text run inside a run', 'x', { BATON_DEPTH: '1' }, 'BATON_DEPTH=1'],
  ])('%s', async (_what, prompt, extra, message) => {
    const where = surroundings(extra);
    await expect(ask(where, prompt)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });
});
