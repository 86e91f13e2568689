import { randomBytes, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';

/** What the records of one play have in common. */
export interface SessionFacts {
  sessionId: string;
  cwd: string;
  model: string;
  permissionMode: string;
  tools: readonly string[];
  version: string;
  /** null leaves the field out, as older CLIs do. */
  sandboxEnabled: boolean | null;
}

/** What a tool gave back. `detail` is the machine-readable half (`tool_use_result`). */
export interface ToolOutcome {
  content: string;
  ok: boolean;
  detail: unknown;
}

const PER_MESSAGE = { input: 100, output: 20, usd: 0.0008 };
const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/**
 * The records of `claude -p --output-format stream-json --verbose`, in the shapes that version 2.1.332 was seen to
 * print. It counts along (messages, usage, denials), so that the closing record tells what the play was.
 */
export class ClaudeRecords {
  readonly facts: SessionFacts;
  readonly #started = performance.now();
  #messages = 0;
  #messageOpen = false;
  #results = 0;
  #subagents = 0;
  #lastText = '';
  readonly #denials: JsonObject[] = [];

  constructor(facts: SessionFacts) {
    this.facts = facts;
  }

  init(changes: JsonObject = {}): JsonObject {
    const { cwd, sessionId, tools, model, permissionMode, version, sandboxEnabled } = this.facts;
    return {
      type: 'system',
      subtype: 'init',
      cwd,
      session_id: sessionId,
      tools,
      mcp_servers: [],
      model,
      permissionMode,
      slash_commands: [],
      apiKeySource: 'none',
      claude_code_version: version,
      output_style: 'default',
      agents: [],
      skills: [],
      plugins: [],
      uuid: randomUUID(),
      ...(sandboxEnabled === null ? {} : { sandbox_enabled: sandboxEnabled }),
      ...changes,
    };
  }

  /** Text of the main thread; with a `parent`, text of the subagent which that tool call started. */
  text(text: string, parent: string | null = null): JsonObject {
    if (parent === null) this.#lastText = text;
    return this.#assistant({ type: 'text', text }, parent);
  }

  thinking(text: string): JsonObject {
    return this.#assistant({ type: 'thinking', thinking: text, signature: '' }, null);
  }

  toolUse(id: string, name: string, input: JsonObject): JsonObject {
    return this.#assistant({ type: 'tool_use', id, name, input }, null);
  }

  toolResult(id: string, outcome: ToolOutcome): JsonObject {
    this.#messageOpen = false;
    return {
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: id, type: 'tool_result', content: outcome.content, is_error: !outcome.ok }],
      },
      ...this.#envelope(null),
      tool_use_result: outcome.ok ? outcome.detail : `Error: ${outcome.content}`,
      tool_result_meta: [
        { id, permission_decision: { decision: 'accept', source: 'config', reason_type: 'mode' } },
      ],
    };
  }

  /** A refused tool call: the notice (and an entry in the closing record), then the tool's result, which is an error. */
  permissionDenied(id: string, tool: string, input: JsonObject, message: string): JsonObject {
    this.#denials.push({ tool_name: tool, tool_use_id: id, tool_input: input });
    return this.#system('permission_denied', {
      tool_name: tool,
      tool_use_id: id,
      decision_reason_type: 'rule',
      decision_reason: message,
      message,
    });
  }

  apiRetry(attempt: number, maxRetries: number, delayMs: number, status: number, error: string): JsonObject {
    return this.#system('api_retry', {
      attempt,
      max_retries: maxRetries,
      retry_delay_ms: delayMs,
      error_status: status,
      error,
    });
  }

  taskStarted(id: string, description: string): JsonObject {
    return this.#system('task_started', { task_id: id, description, task_type: 'local_bash' });
  }

  taskNotification(id: string, status: string, summary: string): JsonObject {
    return this.#system('task_notification', { task_id: id, status, summary });
  }

  committed(): JsonObject {
    return this.#system('vcs_state_changed', {});
  }

  /** The CLI's own words about an API error, dressed as an assistant's: never the agent's. */
  apiErrorText(text: string, error: string, status: number | null, errorType: string | null): JsonObject {
    return {
      type: 'assistant',
      message: {
        diagnostics: null,
        id: randomUUID(),
        model: '<synthetic>',
        role: 'assistant',
        stop_reason: 'stop_sequence',
        stop_sequence: '',
        type: 'message',
        usage: NO_USAGE,
        content: [{ type: 'text', text }],
      },
      ...this.#envelope(null),
      error,
      is_api_error_message: true,
      api_error_status: status,
      api_error_type: errorType,
    };
  }

  subagentStarted(): void {
    this.#subagents += 1;
  }

  /** The closing record of a success; `changes` replaces fields, and a field that is `undefined` there is left out. */
  result(changes: JsonObject = {}): JsonObject {
    const index = this.#results;
    this.#results += 1;
    const input = this.#messages * PER_MESSAGE.input;
    const output = this.#messages * PER_MESSAGE.output;
    const usd = this.#messages * PER_MESSAGE.usd;
    const elapsed = Math.round(performance.now() - this.#started);
    // In the order that the real CLI was seen to print: whoever looks for a prefix finds none.
    const record: JsonObject = {
      duration_api_ms: elapsed,
      stop_reason: 'end_turn',
      session_id: this.facts.sessionId,
      total_cost_usd: usd,
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: output,
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: 'standard',
      },
      modelUsage: this.#messages === 0 ? {} : { [this.facts.model]: modelUsage(input, output, usd) },
      permission_denials: [...this.#denials],
      terminal_reason: 'completed',
      subagent_stats: { spawned: this.#subagents, completed: this.#subagents, failed: 0 },
      is_error: false,
      num_turns: this.#messages,
      subtype: 'success',
      api_error_status: null,
      result: this.#lastText,
      type: 'result',
      duration_ms: elapsed,
      uuid: randomUUID(),
      result_index: index,
    };
    return { ...record, ...changes };
  }

  newToolId(): string {
    return `toolu_${randomBytes(6).toString('hex')}`;
  }

  #assistant(block: JsonObject, parent: string | null): JsonObject {
    // The blocks of one message come as records of their own that share its id and repeat its usage. What a subagent
    // says is a message of its own.
    if (!this.#messageOpen || parent !== null) this.#messages += 1;
    this.#messageOpen = true;
    return {
      type: 'assistant',
      message: {
        id: `msg_${this.#messages}`,
        type: 'message',
        role: 'assistant',
        model: this.facts.model,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...NO_USAGE, input_tokens: PER_MESSAGE.input, output_tokens: PER_MESSAGE.output },
      },
      ...this.#envelope(parent),
    };
  }

  #system(subtype: string, fields: JsonObject): JsonObject {
    return { type: 'system', subtype, ...fields, session_id: this.facts.sessionId, uuid: randomUUID() };
  }

  #envelope(parent: string | null): JsonObject {
    return {
      parent_tool_use_id: parent,
      session_id: this.facts.sessionId,
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
    };
  }
}

/** What `--resume` of an id that nobody knows prints: one record, without a session before it. */
export function unknownSessionResult(sessionId: string): JsonObject {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    duration_ms: 0,
    duration_api_ms: 0,
    is_error: true,
    num_turns: 0,
    stop_reason: null,
    session_id: sessionId,
    total_cost_usd: 0,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    uuid: randomUUID(),
    errors: [unknownSessionText(sessionId)],
    result_index: 0,
  };
}

export function unknownSessionText(sessionId: string): string {
  return `No conversation found with session ID: ${sessionId}`;
}

function modelUsage(input: number, output: number, usd: number): JsonObject {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: usd,
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
  };
}
