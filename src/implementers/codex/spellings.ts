import { arrayOf, isObject, type JsonObject, objectOf, stringOf } from '../../core/json.ts';

/** One record of a codex stream, in the words of present versions, whichever version printed it. */
export type CodexRecord =
  | { kind: 'session'; id: string | null; model: string | null }
  | { kind: 'item'; phase: 'started' | 'completed'; id: string; type: string; item: JsonObject }
  | { kind: 'turn-started' }
  | { kind: 'turn-completed'; usage: unknown; text: string | null }
  | { kind: 'turn-failed'; error: unknown }
  | { kind: 'usage'; usage: unknown }
  | { kind: 'error'; message: string }
  /** Known, and of no meaning for a run. */
  | { kind: 'quiet' }
  | { kind: 'unknown'; name: string };

/**
 * Reads one record. Three families are known: `thread.started` with `item.type` (present), `session.created` with
 * `item.item_type` (2025), and the older envelope `{id, msg: {type}}`; names in any case and with any separator.
 */
export function readCodexRecord(record: JsonObject): CodexRecord {
  const { msg } = record;
  return isObject(msg) ? ofMessage(msg, stringOf(record['id']) ?? '') : ofEvent(record);
}

/** `AgentMessage`, `agent-message`, `agent.message` and `agentMessage` are one name: `agent_message`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

/** The type of an item, in snake case; older versions called it `item_type`, and the agent the assistant. */
export function itemTypeOf(item: JsonObject): string {
  const type = snakeCase(
    stringOf(item['type']) ?? stringOf(item['item_type']) ?? stringOf(item['itemType']) ?? '?',
  );
  return type === 'assistant_message' ? 'agent_message' : type;
}

/** Text at any depth of strings, lists, `text`, `content` and `message`. Not by recursion: a record may be nested without end. */
export function textOf(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') texts.push(next);
    else if (Array.isArray(next)) for (const part of next.toReversed()) open.push(part);
    else open.push(...partsOf(next));
  }
  return texts.join('');
}

/** The first of the fields that says something. */
function partsOf(value: unknown): unknown[] {
  const { text, content, message } = objectOf(value);
  const part = [text, content, message].find((one) => one !== undefined && one !== null && one !== '');
  return part === undefined ? [] : [part];
}

const STARTED = new Set(['thread_started', 'session_created', 'session_started', 'session_configured']);
const QUIET = new Set(['thread_resumed', 'thread_name_updated', 'item_updated', 'item_delta']);

function ofEvent(record: JsonObject): CodexRecord {
  const name = stringOf(record['type']);
  const type = snakeCase(name ?? '?');
  if (STARTED.has(type)) return session(record);
  if (QUIET.has(type)) return { kind: 'quiet' };
  switch (type) {
    case 'turn_started':
      return { kind: 'turn-started' };
    case 'turn_completed':
      return { kind: 'turn-completed', usage: record['usage'], text: null };
    case 'turn_failed':
      return { kind: 'turn-failed', error: record['error'] ?? record['message'] };
    case 'error':
      return { kind: 'error', message: messageOf(record) };
    case 'item_started':
    case 'item_completed':
      return itemOf(type === 'item_started' ? 'started' : 'completed', objectOf(record['item']));
    default:
      return { kind: 'unknown', name: name ?? '(no type)' };
  }
}

function session(record: JsonObject): CodexRecord {
  const id = ['thread_id', 'session_id', 'threadId', 'sessionId', 'conversation_id'].map((key) =>
    stringOf(record[key]),
  );
  const nested = stringOf(objectOf(record['thread'] ?? record['session'])['id']);
  return { kind: 'session', id: id.find((one) => one !== null) ?? nested, model: stringOf(record['model']) };
}

function itemOf(phase: 'started' | 'completed', item: JsonObject): CodexRecord {
  return { kind: 'item', phase, id: stringOf(item['id']) ?? '', type: itemTypeOf(item), item };
}

/** Deltas repeat what follows whole. */
const QUIET_MESSAGES = new Set([
  'agent_message_delta',
  'agent_reasoning_delta',
  'agent_reasoning_raw_content',
  'agent_reasoning_raw_content_delta',
  'agent_reasoning_section_break',
  'exec_command_output_delta',
  'background_event',
  'turn_diff',
  'plan_update',
  'user_message',
  'shutdown_complete',
]);

/** The envelope of 2025: each message becomes the item or event that took its place. */
function ofMessage(msg: JsonObject, envelope: string): CodexRecord {
  const name = stringOf(msg['type']) ?? '(no type)';
  const type = snakeCase(name);
  const id = stringOf(msg['call_id']) ?? envelope;
  const item = (phase: 'started' | 'completed', itemType: string, fields: JsonObject): CodexRecord =>
    itemOf(phase, { id, type: itemType, ...fields });
  if (STARTED.has(type)) return session(msg);
  if (QUIET_MESSAGES.has(type)) return { kind: 'quiet' };
  switch (type) {
    case 'task_started':
      return { kind: 'turn-started' };
    case 'task_complete':
      return { kind: 'turn-completed', usage: undefined, text: stringOf(msg['last_agent_message']) };
    case 'turn_aborted':
      return {
        kind: 'turn-failed',
        error: `the turn was aborted: ${stringOf(msg['reason']) ?? 'no reason given'}`,
      };
    case 'token_count':
      return { kind: 'usage', usage: objectOf(msg['info'])['total_token_usage'] ?? msg };
    case 'error':
    case 'stream_error':
      return { kind: 'error', message: messageOf(msg) };
    case 'warning':
      return item('completed', 'error', { message: messageOf(msg) });
    case 'agent_message':
      return item('completed', 'agent_message', { text: textOf(msg['message']) });
    case 'agent_reasoning':
      return item('completed', 'reasoning', { text: textOf(msg['text']) });
    case 'exec_command_begin':
      return item('started', 'command_execution', { command: commandOf(msg) });
    case 'exec_command_end':
      return item('completed', 'command_execution', {
        exit_code: msg['exit_code'],
        aggregated_output: msg['aggregated_output'] ?? `${textOf(msg['stdout'])}${textOf(msg['stderr'])}`,
      });
    case 'patch_apply_begin':
      return item('started', 'file_change', { changes: changesOf(msg['changes']) });
    case 'patch_apply_end':
      return item('completed', 'file_change', { status: msg['success'] === false ? 'failed' : 'completed' });
    case 'mcp_tool_call_begin':
      return item('started', 'mcp_tool_call', objectOf(msg['invocation']));
    case 'mcp_tool_call_end':
      return item('completed', 'mcp_tool_call', objectOf(msg['invocation']));
    default:
      return { kind: 'unknown', name };
  }
}

function commandOf(msg: JsonObject): string {
  const words = arrayOf(msg['command']).filter((word) => typeof word === 'string');
  return words.length > 0 ? words.join(' ') : (stringOf(msg['command']) ?? '');
}

/** `{path: {add: …}}` as the list of present versions. */
function changesOf(changes: unknown): JsonObject[] {
  return Object.entries(objectOf(changes)).map(([path, change]) => ({
    path,
    kind: stringOf(objectOf(change)['type']) ?? Object.keys(objectOf(change))[0] ?? '?',
  }));
}

function messageOf(record: JsonObject): string {
  return textOf(record['message'] ?? record['error'] ?? '');
}
