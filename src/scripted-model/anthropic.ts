import { isAbsolute, join } from 'node:path';
import { arrayOf, isObject, type JsonObject, stringOf } from '../core/json.ts';
import type { Action, Usage } from './script.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

/** The Anthropic Messages API, as far as `claude` uses it: whole answers and event streams, and token counts. */
export const anthropicWire: Wire = {
  classify({ method, path, body }: WireRequest) {
    if (method !== 'POST') return 'unknown';
    if (path.startsWith('/v1/messages/count_tokens')) return 'count';
    if (!path.startsWith('/v1/messages')) return 'unknown';
    // Titles, topics and the like are asked for without tools, between the turns of the script.
    return toolNames(body).length > 0 ? 'turn' : 'aside';
  },

  toolNames,

  count({ body }) {
    return json({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
  },

  error(status, type, message) {
    return { ...json({ type: 'error', error: { type, message } }), status };
  },

  turn({ actions, usage, id, cwd, request: { body } }) {
    const blocks = actions.filter((action) => action.kind !== 'say' || action.text !== '');
    const content = blocks.map((action, index) => blockOf(action, `toolu_${id}_${index}`, cwd));
    const stopReason = content.some((block) => block['type'] === 'tool_use') ? 'tool_use' : 'end_turn';
    const message = messageOf(id, body, usage);
    if (body['stream'] !== true) return json({ ...message, content, stop_reason: stopReason });
    return stream([
      ['message_start', { message }],
      ...content.flatMap(blockEvents),
      [
        'message_delta',
        { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: usage.output } },
      ],
      ['message_stop', {}],
    ]);
  },

  beginning({ text, usage, id, request: { body } }) {
    const [start, delta] = blockEvents({ type: 'text', text }, 0);
    return stream([
      ['message_start', { message: messageOf(id, body, usage) }],
      ...[start, delta].filter((event) => event !== undefined),
    ]);
  },
};

type SseEvent = [name: string, data: JsonObject];

function messageOf(id: string, body: JsonObject, usage: Usage): JsonObject {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: stringOf(body['model']) ?? 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
    },
  };
}

/** A content block; the tools are those of `claude`. */
function blockOf(action: Action, id: string, cwd: string): JsonObject {
  const tool = (name: string, input: JsonObject): JsonObject => ({ type: 'tool_use', id, name, input });
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(cwd, path));
  switch (action.kind) {
    case 'say':
      return { type: 'text', text: action.text };
    case 'bash':
      return tool('Bash', { command: action.command });
    case 'write':
      return tool('Write', { file_path: absolute(action.path), content: action.content });
    case 'edit':
      return tool('Edit', {
        file_path: absolute(action.path),
        old_string: action.old,
        new_string: action.new,
      });
    case 'read':
      return tool('Read', { file_path: absolute(action.path) });
    default:
      return tool(action.name, action.input);
  }
}

/** A block arrives empty, is filled by a delta, and is closed. */
function blockEvents(block: JsonObject, index: number): SseEvent[] {
  const isText = block['type'] === 'text';
  const empty = isText ? { ...block, text: '' } : { ...block, input: {} };
  const delta = isText
    ? { type: 'text_delta', text: block['text'] }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
  return [
    ['content_block_start', { index, content_block: empty }],
    ['content_block_delta', { index, delta }],
    ['content_block_stop', { index }],
  ];
}

function toolNames(body: JsonObject): string[] {
  return arrayOf(body['tools'])
    .filter(isObject)
    .map((tool) => stringOf(tool['name']) ?? stringOf(tool['type']) ?? '?');
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
