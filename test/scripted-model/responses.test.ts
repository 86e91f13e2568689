import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { arrayOf, isObject, type JsonObject, objectOf } from '../../src/core/json.ts';
import { addPatch, editPatch } from '../../src/scripted-model/patch.ts';
import { checkModelScript } from '../../src/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../src/scripted-model/server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const open: ScriptedModel[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function start(script: unknown, cwd = '/repo'): Promise<ScriptedModel> {
  const model = await startScriptedModel({ steps: checkModelScript(script), cwd });
  open.push(model);
  return model;
}

const TOOLS = [{ type: 'function', name: 'exec_command' }];

function post(model: ScriptedModel, body: unknown, path = '/v1/responses'): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

async function items(model: ScriptedModel, body: JsonObject = {}): Promise<JsonObject[]> {
  const answer = await post(model, { model: 'm', tools: TOOLS, ...body });
  return arrayOf(objectOf(await answer.json())['output']).filter(isObject);
}

function input(item: JsonObject | undefined): JsonObject {
  return objectOf(JSON.parse(String(item?.['arguments'])));
}

describe('the Responses API', () => {
  test('text, with the numbers that the script says: the input counts the cache too', async () => {
    const model = await start([{ say: 'Done.', usage: { input: 5, output: 6, cached: 7 } }]);
    const answer = await (await post(model, { model: 'm', tools: TOOLS })).json();
    expect(answer).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }],
      usage: { input_tokens: 12, input_tokens_details: { cached_tokens: 7 }, output_tokens: 6 },
    });
  });

  test('actions become commands and patches', async () => {
    const model = await start([
      {
        turn: [
          { say: 'Working.' },
          { bash: 'ls' },
          { read: "it's.txt" },
          { write: { path: 'a/new.txt', content: 'one\ntwo\n' } },
          { write: { path: 'a/raw.txt', content: 'no end' } },
          { tool: { name: 'view_image', input: { path: 'x.png' } } },
        ],
      },
    ]);
    const output = await items(model);
    expect(output.map((item) => item['name'] ?? item['type'])).toEqual([
      'message',
      'exec_command',
      'exec_command',
      'exec_command',
      'exec_command',
      'view_image',
    ]);
    expect(output.slice(1).map(input)).toEqual([
      { cmd: 'ls' },
      { cmd: "cat 'it'\\''s.txt'" },
      {
        cmd: "apply_patch <<'PATCH'\n*** Begin Patch\n*** Add File: a/new.txt\n+one\n+two\n*** End Patch\nPATCH",
      },
      { cmd: "mkdir -p 'a' && printf %s 'no end' >'a/raw.txt'" },
      { path: 'x.png' },
    ]);
  });

  test('a patch goes to its tool where the request offers it, also among additional tools', async () => {
    const model = await start([{ write: { path: 'a', content: 'x\n' } }]);
    const tools = [{ type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'apply_patch' }] }];
    const [item] = await items(model, { tools: [], input: [{ type: 'additional_tools', tools }] });
    expect(item).toMatchObject({
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch',
    });
    expect(model.requests[0]).toMatchObject({ kind: 'turn', tools: ['apply_patch'], step: 0 });
  });

  test('as a stream: created, each item added and done, completed', async () => {
    const model = await start([{ turn: [{ say: 'a' }, { bash: 'ls' }] }]);
    const answer = await post(model, { tools: TOOLS, stream: true });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const names = [...(await answer.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    expect(names).toEqual([
      'response.created',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  test('errors, in the service’s own shape', async () => {
    const model = await start([
      { error: { status: 429, type: 'rate_limit_exceeded', message: 'slow', times: 1 } },
      { say: 'x' },
    ]);
    const answer = await post(model, { tools: TOOLS });
    expect(answer.status).toBe(429);
    expect(await answer.json()).toEqual({
      error: { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'slow' },
    });
    expect(await items(model)).toHaveLength(1);
  });

  test('a hang-up breaks off within the text', async () => {
    const model = await start([{ 'hang-up': { say: 'Half', times: 1 } }, { say: 'x' }]);
    const answer = await post(model, { tools: TOOLS, stream: true });
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  test('requests without tools, counts and other paths are answered apart from the script', async () => {
    const model = await start([{ say: 'x' }]);
    await post(model, {});
    await post(model, {}, '/v1/responses/input_tokens');
    expect((await fetch(`${model.url}/v1/responses`)).status).toBe(404);
    expect(model.requests.map(({ kind }) => kind)).toEqual(['aside', 'count', 'unknown']);
    expect(model.stepsLeft()).toBe(1);
  });
});

describe('patches', () => {
  test('an edit within a line names the whole line', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'm.js'), 'x\nreturn a - b;\ny\n');
    expect(editPatch(cwd, { path: 'm.js', old: 'a - b', new: 'a + b' })).toBe(
      '*** Begin Patch\n*** Update File: m.js\n@@\n-return a - b;\n+return a + b;\n*** End Patch',
    );
  });

  test('what is not in the file is asked for as it stands', () => {
    const cwd = temporaryFolder();
    expect(editPatch(cwd, { path: 'none', old: 'a', new: 'b' })).toContain('-a\n+b');
  });

  test('a content without a last line end cannot be said', () => {
    expect(addPatch('a', 'x')).toBeNull();
    expect(addPatch('a', 'x\r\n')).toBeNull();
    expect(addPatch('a', '')).toBeNull();
  });

  test('applied, an edit is the replacement of the text', () => {
    const cwd = temporaryFolder();
    const words = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 12 });
    fc.assert(
      fc.property(words, words, words, words, (head, old, tail, fresh) => {
        fc.pre(old !== '');
        const text = `${head}${old}${tail}\n`;
        writeFileSync(join(cwd, 'f'), text);
        const applied = apply(text, editPatch(cwd, { path: 'f', old, new: fresh }));
        // A patch knows lines only: a file that loses its last line end gets it back.
        const wanted = text.replace(old, () => fresh);
        expect([wanted, `${wanted}\n`]).toContain(applied);
      }),
    );
  });
});

/** Applies one update hunk to the first place where its old lines stand. */
function apply(text: string, patch: string): string {
  const lines = patch.split('\n').slice(3, -1);
  const of = (sign: string): string[] =>
    lines.filter((line) => line[0] === sign).map((line) => line.slice(1));
  const [before, after] = [of('-'), of('+')];
  const old = text.split('\n').slice(0, -1);
  const at = old.findIndex((_, start) => before.every((line, index) => old[start + index] === line));
  return [...old.slice(0, at), ...after, ...old.slice(at + before.length)]
    .map((line) => `${line}\n`)
    .join('');
}
