import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { type JsonObject, stringOf } from '../../core/json.ts';
import type { SessionFacts, ToolOutcome } from './records.ts';

const PER_MESSAGE = { input: 100, output: 20 };

interface OpenItem {
  fields: JsonObject;
  /** Refused, so that it ends as `declined`. */
  denied: boolean;
}

/**
 * The records of `codex exec --json`, in the shapes that version 0.171.0 was seen to print. The steps of a script speak
 * of claude's tools: a write or an edit becomes a `file_change`, all that a shell can do a `command_execution`.
 */
export class CodexRecords {
  readonly facts: Pick<SessionFacts, 'sessionId' | 'cwd'>;
  /** What `-o` writes. */
  lastText = '';
  #items = 0;
  #messages = 0;
  #messageOpen = false;
  readonly #open = new Map<string, OpenItem>();

  constructor(facts: Pick<SessionFacts, 'sessionId' | 'cwd'>) {
    this.facts = facts;
  }

  init(changes: JsonObject = {}): JsonObject[] {
    return [
      { type: 'thread.started', thread_id: this.facts.sessionId, ...changes },
      { type: 'turn.started' },
    ];
  }

  /** What a subagent says stays with it. */
  text(text: string, parent: string | null = null): JsonObject[] {
    if (parent !== null) return [];
    this.lastText = text;
    this.#message();
    return [this.#completed({ type: 'agent_message', text })];
  }

  thinking(text: string): JsonObject[] {
    return [this.#completed({ type: 'reasoning', text })];
  }

  toolUse(id: string, name: string, input: JsonObject): JsonObject[] {
    this.#message();
    const fields = { id: this.#newItem(), ...itemFields(name, input) };
    this.#open.set(id, { fields, denied: false });
    return [{ type: 'item.started', item: { ...fields, status: 'in_progress' } }];
  }

  toolResult(id: string, outcome: ToolOutcome): JsonObject[] {
    this.#messageOpen = false;
    const { fields, denied } = this.#open.get(id) ?? {
      fields: { id: this.#newItem(), ...itemFields('Bash', {}) },
      denied: false,
    };
    this.#open.delete(id);
    const status = denied ? 'declined' : outcome.ok ? 'completed' : 'failed';
    return [{ type: 'item.completed', item: { ...fields, ...endFields(fields, outcome), status } }];
  }

  /** The real CLI has no record for it: the item ends as declined. */
  permissionDenied(id: string, _tool: string, _input: JsonObject, _message: string): JsonObject[] {
    const item = this.#open.get(id);
    if (item) item.denied = true;
    return [];
  }

  apiRetry(
    attempt: number,
    maxRetries: number,
    _delayMs: number,
    status: number,
    error: string,
  ): JsonObject[] {
    return [this.error(`Reconnecting... ${attempt}/${maxRetries} (unexpected status ${status}: ${error})`)];
  }

  /** Not fatal by itself. */
  error(message: string): JsonObject {
    return { type: 'error', message };
  }

  failed(message: string): JsonObject[] {
    return [this.error(message), { type: 'turn.failed', error: { message } }];
  }

  taskStarted(_id: string, _description: string): JsonObject[] {
    return [];
  }

  taskNotification(_id: string, _status: string, _summary: string): JsonObject[] {
    return [];
  }

  committed(): JsonObject[] {
    return [];
  }

  subagentStarted(): void {}

  /** The end of the turn. `changes` has claude's names: `result` is the last message, `is_error` makes it a failure. */
  result(changes: JsonObject = {}): JsonObject[] {
    const { result, is_error: isError, subtype, ...fields } = changes;
    const text = stringOf(result);
    if (isError === true || stringOf(subtype)?.startsWith('error')) return this.failed(text ?? 'it failed');
    const usage = {
      input_tokens: this.#messages * PER_MESSAGE.input,
      cached_input_tokens: 0,
      output_tokens: this.#messages * PER_MESSAGE.output,
      reasoning_output_tokens: 0,
    };
    return [...(text === null ? [] : this.text(text)), { type: 'turn.completed', usage, ...fields }];
  }

  newToolId(): string {
    return randomUUID();
  }

  #completed(fields: JsonObject): JsonObject {
    return { type: 'item.completed', item: { id: this.#newItem(), ...fields } };
  }

  #newItem(): string {
    this.#items += 1;
    return `item_${this.#items - 1}`;
  }

  /** Several items of one answer of the model count its tokens once. */
  #message(): void {
    if (!this.#messageOpen) this.#messages += 1;
    this.#messageOpen = true;
  }
}

/** What `exec resume` of an id that nobody knows prints on stderr; there is no record. */
export function unknownThreadText(id: string): string {
  return `Error: thread/resume: thread/resume failed: no rollout found for thread id ${id} (code -32600)`;
}

function itemFields(tool: string, input: JsonObject): JsonObject {
  const path = stringOf(input['file_path']) ?? '';
  switch (tool) {
    case 'Bash':
      return command(stringOf(input['command']) ?? '');
    case 'Read':
      return command(`cat ${path}`);
    case 'Write':
      return { type: 'file_change', changes: [{ path, kind: existsSync(path) ? 'update' : 'add' }] };
    case 'Edit':
      return { type: 'file_change', changes: [{ path, kind: 'update' }] };
    case 'Agent':
      return { type: 'collab_tool_call', tool: 'spawn_agent', prompt: input['prompt'] };
    default:
      return { type: 'mcp_tool_call', server: 'scripted', tool, arguments: input };
  }
}

function command(text: string): JsonObject {
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
  return {
    type: 'command_execution',
    command: `/bin/bash -lc ${quoted}`,
    aggregated_output: '',
    exit_code: null,
  };
}

function endFields(fields: JsonObject, { ok, content }: ToolOutcome): JsonObject {
  if (fields['type'] === 'file_change') return {};
  if (fields['type'] !== 'command_execution')
    return ok ? { result: { content } } : { error: { message: content } };
  const [, code] = /^Exit code (\d+)(?:\n|$)/.exec(content) ?? [];
  return { aggregated_output: content, exit_code: ok ? 0 : Number(code ?? 1) };
}
