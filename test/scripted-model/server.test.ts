import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { arrayOf, isObject, type JsonObject, objectOf } from '../../src/core/json.ts';
import { checkModelScript } from '../../src/scripted-model/script.ts';
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from '../../src/scripted-model/server.ts';

const open: ScriptedModel[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function start(script: unknown, more: Partial<ScriptedModelOptions> = {}): Promise<ScriptedModel> {
  const model = await startScriptedModel({ steps: checkModelScript(script), cwd: '/repo', ...more });
  open.push(model);
  return model;
}

const TOOLS = [{ name: 'Bash' }];

function post(model: ScriptedModel, body: unknown, path = '/v1/messages?beta=true'): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

async function ask(
  model: ScriptedModel,
  body: JsonObject = { model: 'm', tools: TOOLS },
): Promise<JsonObject> {
  return objectOf(await (await post(model, body)).json());
}

function firstBlock(answer: JsonObject): JsonObject {
  return objectOf(arrayOf(answer['content'])[0]);
}

describe('whole answers', () => {
  test('text, with the numbers that the script says', async () => {
    const model = await start([{ say: 'Done.', usage: { input: 5, output: 6, cached: 7 } }]);
    expect(await ask(model)).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Done.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7 },
    });
  });

  test('tools, with relative paths below the working directory', async () => {
    const model = await start([
      {
        turn: [
          { write: { path: 'a.txt', content: 'x' } },
          { edit: { path: '/abs/b.txt', old: '1', new: '2' } },
          { read: 'c' },
          { bash: 'ls' },
          { tool: { name: 'Grep', input: { pattern: 'p' } } },
        ],
      },
    ]);
    const answer = await ask(model);
    expect(answer['stop_reason']).toBe('tool_use');
    const blocks = arrayOf(answer['content']).filter(isObject);
    expect(blocks.map(({ name, input }) => [name, input])).toEqual([
      ['Write', { file_path: '/repo/a.txt', content: 'x' }],
      ['Edit', { file_path: '/abs/b.txt', old_string: '1', new_string: '2' }],
      ['Read', { file_path: '/repo/c' }],
      ['Bash', { command: 'ls' }],
      ['Grep', { pattern: 'p' }],
    ]);
    expect(new Set(blocks.map((block) => block['id'])).size).toBe(5);
  });

  test('an empty text is an answer without content', async () => {
    expect(await ask(await start([{ say: '' }]))).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });
});

test('a stream has every event in its order', async () => {
  const model = await start([{ turn: [{ say: 'Hé 🧩' }, { bash: 'ls' }] }]);
  const response = await post(model, { model: 'm', tools: TOOLS, stream: true });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event) => /^event: (.*)\ndata: (.*)$/.exec(event) ?? []);
  const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
  expect(events.map(([, name]) => name)).toEqual([
    'message_start',
    ...block,
    ...block,
    'message_delta',
    'message_stop',
  ]);
  const data = events.map(([, , json]): JsonObject => JSON.parse(json ?? ''));
  expect(data.map((one) => one['type'])).toEqual(events.map(([, name]) => name));
  expect(data[2]).toMatchObject({ index: 0, delta: { type: 'text_delta', text: 'Hé 🧩' } });
  expect(data[5]).toMatchObject({
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '{"command":"ls"}' },
  });
  expect(data[7]).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } });
});

describe('apart from the script', () => {
  test('requests without tools and token counts use no step', async () => {
    const model = await start([{ say: 'the step' }]);
    expect(firstBlock(await ask(model, { model: 'm' }))).toEqual({ type: 'text', text: 'scripted' });
    const count = await post(model, { messages: [] }, '/v1/messages/count_tokens?beta=true');
    expect(await count.json()).toEqual({ input_tokens: expect.any(Number) });
    expect(model.stepsLeft()).toBe(1);
    expect(firstBlock(await ask(model))).toMatchObject({ text: 'the step' });
    expect(model.requests.map(({ kind, step, tools }) => ({ kind, step, tools }))).toEqual([
      { kind: 'aside', step: null, tools: [] },
      { kind: 'count', step: null, tools: [] },
      { kind: 'turn', step: 0, tools: ['Bash'] },
    ]);
  });

  test('anything else is not found', async () => {
    const model = await start([{ say: 'x' }]);
    expect((await fetch(model.url)).status).toBe(404);
    expect((await post(model, 'no object', '/v2')).status).toBe(404);
  });
});

describe('trouble', () => {
  test('errors are the service’s own, as often as asked', async () => {
    const model = await start([{ error: { status: 529, message: 'busy', times: 2 } }, { say: 'better' }]);
    for (const _ of [1, 2]) {
      const response = await post(model, { tools: TOOLS });
      expect(response.status).toBe(529);
      expect(await response.json()).toEqual({
        type: 'error',
        error: { type: 'overloaded_error', message: 'busy' },
      });
    }
    expect(firstBlock(await ask(model))).toMatchObject({ text: 'better' });
  });

  test('a connection that breaks in the middle', async () => {
    const model = await start([{ 'hang-up': { say: 'Half a', times: 1 } }, { say: 'whole' }]);
    const response = await post(model, { tools: TOOLS, stream: true });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(/terminated|closed|aborted/);
    expect(firstBlock(await ask(model))).toMatchObject({ text: 'whole' });
  });

  test('a script that has ended says so', async () => {
    const model = await start([{ say: 'x' }]);
    await ask(model);
    expect(firstBlock(await ask(model))).toMatchObject({ text: 'The script has no step left.' });
    expect(model.requests.map((request) => request.step)).toEqual([0, null]);
  });

  test('the number of requests is bounded', async () => {
    const model = await start([{ say: 'x' }], { maxRequests: 1 });
    await ask(model);
    expect((await post(model, { tools: TOOLS })).status).toBe(400);
    expect(model.requests).toHaveLength(1);
  });
});

describe('its life', () => {
  test('listens on loopback, and not after closing', async () => {
    const model = await start([{ say: 'x' }]);
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await model.close();
    await model.close();
    await expect(post(model, {})).rejects.toThrow('fetch failed');
  });

  test('closing does not wait for a delayed answer, an idle client or one that sends no end', async () => {
    const model = await start([{ wait: '1m' }, { say: 'x' }]);
    const waiting = post(model, { tools: TOOLS }).then(
      () => 'answered',
      () => 'failed',
    );
    const idle = connect(Number(new URL(model.url).port), '127.0.0.1');
    idle.on('error', () => {});
    await new Promise((resolve) => idle.once('connect', resolve));
    idle.write('POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await model.close();
    expect(await waiting).toBe('failed');
    idle.destroy();
  });

  test('ends by itself', async () => {
    const model = await start([{ say: 'x' }], { lifetimeMs: 1 });
    await expect
      .poll(
        () =>
          post(model, {}).then(
            () => 'answers',
            () => 'gone',
          ),
        { timeout: 20_000 },
      )
      .toBe('gone');
  });
});
