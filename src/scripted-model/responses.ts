import { arrayOf, isObject, type JsonObject, stringOf } from '../core/json.ts';
import { addPatch, editPatch } from './patch.ts';
import type { Action, Usage } from './script.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

/** The OpenAI Responses API, as far as `codex` uses it. */
export const responsesWire: Wire = {
  classify({ method, path, body }: WireRequest) {
    if (method !== 'POST') return 'unknown';
    if (path.startsWith('/v1/responses/input_tokens')) return 'count';
    return toolNames(body).length > 0 ? 'turn' : 'aside';
  },

  toolNames,

  count({ body }) {
    return json({
      object: 'response.input_tokens',
      input_tokens: Math.ceil(JSON.stringify(body).length / 4),
    });
  },

  error(status, type, message) {
    return { ...json({ error: { type, code: type, message } }), status };
  },

  turn({ actions, usage, id, cwd, request: { body } }) {
    const said = actions.filter((action) => action.kind !== 'say' || action.text !== '');
    const output = said.map((action, index) => itemOf(action, `${id}_${index}`, { cwd, body }));
    const response = responseOf(id, body);
    const completed = { ...response, status: 'completed', output, usage: usageOf(usage) };
    if (body['stream'] !== true) return json(completed);
    return stream([
      ['response.created', { response }],
      ...output.flatMap((item, index): SseEvent[] => [
        ['response.output_item.added', { output_index: index, item }],
        ['response.output_item.done', { output_index: index, item }],
      ]),
      ['response.completed', { response: completed }],
    ]);
  },

  beginning({ text, id, request: { body } }) {
    const item = messageItem(`${id}_0`, '');
    return stream([
      ['response.created', { response: responseOf(id, body) }],
      ['response.output_item.added', { output_index: 0, item }],
      ['response.output_text.delta', { item_id: item['id'], output_index: 0, content_index: 0, delta: text }],
    ]);
  },
};

type SseEvent = [name: string, data: JsonObject];

function responseOf(id: string, body: JsonObject): JsonObject {
  const model = stringOf(body['model']) ?? 'scripted';
  return { id: `resp_${id}`, object: 'response', status: 'in_progress', model, output: [] };
}

/** Here the input counts what came from the cache as well. */
function usageOf({ input, output, cached }: Usage): JsonObject {
  return {
    input_tokens: input + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + cached + output,
  };
}

function messageItem(id: string, text: string): JsonObject {
  const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
}

interface Scene {
  cwd: string;
  body: JsonObject;
}

/** An output item. `codex` has a shell and a way to apply patches, and no tool to read or write with. */
function itemOf(action: Action, id: string, scene: Scene): JsonObject {
  switch (action.kind) {
    case 'say':
      return messageItem(id, action.text);
    case 'bash':
      return shellItem(id, action.command, scene.body);
    case 'read':
      return shellItem(id, `cat ${quote(action.path)}`, scene.body);
    case 'write': {
      const patch = addPatch(action.path, action.content);
      return patch === null ? shellItem(id, writing(action), scene.body) : patchItem(id, patch, scene.body);
    }
    case 'edit':
      return patchItem(id, editPatch(scene.cwd, action), scene.body);
    default:
      return functionItem(id, action.name, action.input);
  }
}

function functionItem(id: string, name: string, input: JsonObject): JsonObject {
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    arguments: JSON.stringify(input),
  };
}

/** The shell by the name that the request offers; newer models take the present one without offering it. */
function shellItem(id: string, command: string, body: JsonObject): JsonObject {
  const offered = toolNames(body);
  if (offered.includes('exec_command')) return functionItem(id, 'exec_command', { cmd: command });
  if (offered.includes('shell_command')) return functionItem(id, 'shell_command', { command });
  if (offered.includes('shell')) return functionItem(id, 'shell', { command: ['bash', '-lc', command] });
  return functionItem(id, 'exec_command', { cmd: command });
}

/** Models that the CLI knows get a tool for patches; with others the CLI recognises the command. */
function patchItem(id: string, patch: string, body: JsonObject): JsonObject {
  if (!toolNames(body).includes('apply_patch')) {
    return shellItem(id, `apply_patch <<'PATCH'\n${patch}\nPATCH`, body);
  }
  return {
    type: 'custom_tool_call',
    id: `ctc_${id}`,
    call_id: `call_${id}`,
    name: 'apply_patch',
    input: patch,
  };
}

function writing({ path, content }: { path: string; content: string }): string {
  const folder = path.includes('/')
    ? `mkdir -p ${quote(path.slice(0, path.lastIndexOf('/')) || '/')} && `
    : '';
  return `${folder}printf %s ${quote(content)} >${quote(path)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Tools stand in `tools`, or in the input where newer models get them, grouped by namespace. */
function toolNames(body: JsonObject): string[] {
  const added = arrayOf(body['input'])
    .filter(isObject)
    .filter((item) => item['type'] === 'additional_tools')
    .flatMap((item) => arrayOf(item['tools']));
  return [...arrayOf(body['tools']), ...added].filter(isObject).flatMap(namesOf);
}

function namesOf(tool: JsonObject): string[] {
  const below = arrayOf(tool['tools']).filter(isObject);
  if (below.length > 0) return below.flatMap(namesOf);
  return [stringOf(tool['name']) ?? stringOf(tool['type']) ?? '?'];
}

function json(value: JsonObject): WireAnswer {
  return { status: 200, contentType: 'application/json', text: JSON.stringify(value) };
}

function stream(events: readonly SseEvent[]): WireAnswer {
  const text = events
    .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    .join('');
  return { status: 200, contentType: 'text/event-stream', text };
}
