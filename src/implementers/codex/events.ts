import { arrayOf, type JsonObject, numberOf, objectOf, stringOf } from '../../core/json.ts';
import { truncate } from '../../core/text.ts';
import type { Denial } from '../../rundir/result.ts';
import type { AgentClaim, AgentEvent, EventReader } from '../events.ts';
import { classify, isReconnect, type Verdict } from './reasons.ts';
import { type CodexRecord, readCodexRecord, textOf } from './spellings.ts';
import { costOf, tokensOf } from './usage.ts';

/** More calls than this are never open at once; a stream that never answers must not grow us. */
const MAX_OPEN_TOOLS = 1024;
const MAX_TEXT = 2000;

type Item = Extract<CodexRecord, { kind: 'item' }>;

/**
 * Reads `codex exec --json`. `turn.completed` is the only success and `turn.failed` an error whatever the exit code; an
 * `error` item and a reconnect are notices. `now` gives milliseconds since the epoch, for "try again in 5 minutes".
 */
export function createCodexReader(now: () => number = Date.now): EventReader {
  const reader = new CodexReader(now);
  return { read: (record) => reader.read(record), claim: () => reader.claim() };
}

class CodexReader {
  private readonly now: () => number;
  private sessionId: string | null = null;
  private model: string | null = null;
  /** The last terminal record. */
  private ending: { subtype: string; verdict: Verdict | null } | null = null;
  /** A top-level error that no terminal record followed: older versions end with it. */
  private lastError: string | null = null;
  private usage: unknown = null;
  private lastText = '';
  private readonly open = new Set<string>();
  private readonly denials: Denial[] = [];
  private retries = 0;
  private toolCalls = 0;
  private subagents = 0;
  private commands = 0;
  /** Commands that did not run, since there was no sandbox to run them in. */
  private unsandboxed = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  read(record: JsonObject): AgentEvent[] {
    const found = readCodexRecord(record);
    switch (found.kind) {
      case 'session':
        return this.session(found);
      case 'item':
        return this.item(found);
      case 'turn-completed':
        return this.completed(found);
      case 'turn-failed':
        return this.failed(classify(found.error ?? this.lastError, this.now()));
      case 'usage':
        return this.used(found.usage);
      case 'error':
        return this.error(found.message);
      case 'unknown':
        return [{ type: 'unknown', record: truncate(found.name, 200) }];
      default:
        return [];
    }
  }

  claim(): AgentClaim {
    const { ending } = this;
    const unended = ending === null && this.lastError !== null;
    const verdict = unended ? classify(this.lastError, this.now()) : (ending?.verdict ?? null);
    const without = verdict === null && this.sandboxMissing();
    return {
      claim: verdict ? 'error' : ending === null ? 'none' : 'success',
      subtype: ending?.subtype ?? null,
      reason: without ? 'sandbox-unavailable' : (verdict?.reason ?? null),
      retryable: without ? false : (verdict?.retryable ?? null),
      retryAt: verdict?.retryAt ?? null,
      errorText: verdict?.text ?? null,
      sessionId: this.sessionId,
      model: this.model,
      permissionMode: null,
      version: null,
      sandboxEnabled: null,
      finalText: this.lastText,
      finalTextSource: this.lastText === '' ? 'none' : 'assistant',
      numTurns: null,
      usage: this.usage,
      cost: costOf(tokensOf(this.usage)),
      denials: [...this.denials],
      retries: this.retries,
      toolCalls: this.toolCalls,
      subagents: this.subagents,
    };
  }

  private session({ id, model }: Extract<CodexRecord, { kind: 'session' }>): AgentEvent[] {
    this.sessionId = id ?? this.sessionId;
    this.model = model ?? this.model;
    if (this.sessionId === null) return [];
    const unsaid = { permissionMode: null, version: null, sandboxEnabled: null };
    return [{ type: 'session', sessionId: this.sessionId, model: this.model, ...unsaid }];
  }

  private completed({ usage, text }: Extract<CodexRecord, { kind: 'turn-completed' }>): AgentEvent[] {
    const events = this.used(usage);
    // The oldest versions repeat the last message here, and may have printed it nowhere else.
    if (text !== null && text.trim() !== '' && this.lastText === '') events.push(...this.text(text));
    const verdict = this.didNothing() ? NOTHING_DONE : null;
    this.ending = { subtype: 'turn.completed', verdict };
    const claim = verdict ? 'error' : 'success';
    const reason = this.claim().reason;
    return [...events, { type: 'finished', claim, reason, text: verdict?.text ?? this.lastText }];
  }

  private failed(verdict: Verdict): AgentEvent[] {
    this.ending = { subtype: 'turn.failed', verdict };
    return [{ type: 'finished', claim: 'error', reason: verdict.reason, text: verdict.text }];
  }

  private used(usage: unknown): AgentEvent[] {
    const tokens = tokensOf(usage);
    if (tokens === null) return [];
    this.usage = usage;
    return [{ type: 'usage', ...tokens }];
  }

  /** Not fatal by itself: what counts is how the turn ends. */
  private error(message: string): AgentEvent[] {
    const text = truncate(message.trim() === '' ? 'an error without a text' : message, MAX_TEXT);
    if (isReconnect(message)) {
      this.retries += 1;
      return [{ type: 'notice', kind: 'retry', text }];
    }
    this.lastError = message;
    return [{ type: 'notice', kind: 'warning', text }];
  }

  private item(found: Item): AgentEvent[] {
    const { phase, type, item } = found;
    switch (type) {
      case 'agent_message':
        return phase === 'completed' ? this.text(textOf(item)) : [];
      case 'reasoning': {
        const text = textOf(item);
        return phase === 'completed' && text !== '' ? [{ type: 'thinking', text, subagent: false }] : [];
      }
      case 'error':
        return [{ type: 'notice', kind: 'warning', text: truncate(textOf(item), MAX_TEXT) }];
      case 'todo_list':
        return [];
      case 'command_execution':
        return this.tool(found, type, { command: item['command'] ?? null });
      case 'file_change':
        return this.tool(found, type, { changes: arrayOf(item['changes']) });
      case 'web_search':
        return this.tool(found, type, { query: item['query'] ?? null });
      case 'mcp_tool_call':
        return this.tool(
          found,
          `${nameOf(item['server'])}/${nameOf(item['tool'])}`,
          item['arguments'] ?? null,
        );
      case 'collab_tool_call':
        return this.tool(found, nameOf(item['tool']), { prompt: item['prompt'] ?? null });
      default:
        return phase === 'completed' ? [{ type: 'unknown', record: truncate(`item/${type}`, 200) }] : [];
    }
  }

  private text(text: string): AgentEvent[] {
    if (text.trim() === '') return [];
    this.lastText = text;
    return [{ type: 'text', text, subagent: false }];
  }

  /** Some items are only told when they are over: then both events come at once. */
  private tool({ phase, id, type, item }: Item, tool: string, input: unknown): AgentEvent[] {
    const events: AgentEvent[] = [];
    if (!this.open.has(id)) {
      this.toolCalls += 1;
      if (type === 'collab_tool_call' && tool.includes('spawn')) this.subagents += 1;
      if (this.open.size < MAX_OPEN_TOOLS) this.open.add(id);
      events.push({ type: 'tool-started', id, tool, input, subagent: false });
    }
    if (phase === 'started') return events;
    this.open.delete(id);
    const status = stringOf(item['status']);
    const code = numberOf(item['exit_code'] ?? item['exitCode']);
    const ok = status !== 'failed' && status !== 'declined' && (code === null || code === 0);
    const output = outputOf(item);
    if (type === 'command_execution') this.command(ok, output);
    events.push({ type: 'tool-finished', id, ok, output, subagent: false });
    if (status === 'declined') events.push(this.denied(id, tool, input, output));
    return events;
  }

  private command(ok: boolean, output: string): void {
    this.commands += 1;
    if (!ok && /^\s*(?:bwrap: |error running landlock|Sandbox\(Landlock)/.test(output)) this.unsandboxed += 1;
  }

  /** A single failure may be a `bwrap` of the agent's own; a sandbox that is not there fails every command. */
  private sandboxMissing(): boolean {
    return this.commands > 0 && this.unsandboxed === this.commands;
  }

  private denied(id: string, tool: string, input: unknown, output: string): AgentEvent {
    const reason = output === '' ? null : truncate(output, MAX_TEXT);
    this.denials.push({ tool, input, reason });
    return { type: 'denied', id, tool, input, reason };
  }

  /** A prompt that a hook blocked ends so: `turn.completed`, exit 0, and the model was never asked. */
  private didNothing(): boolean {
    const tokens = tokensOf(this.usage);
    const silent = this.lastText === '' && this.toolCalls === 0;
    return (
      silent && (tokens === null || tokens.inputTokens + tokens.outputTokens + tokens.cachedTokens === 0)
    );
  }
}

const NOTHING_DONE: Verdict = {
  reason: 'other',
  retryable: null,
  retryAt: null,
  text: 'codex ended the turn without a word, an action or a token: the model was not asked (a hook may have blocked the brief)',
};

function nameOf(value: unknown): string {
  return stringOf(value) ?? '?';
}

function outputOf(item: JsonObject): string {
  const output = stringOf(item['aggregated_output'] ?? item['aggregatedOutput'] ?? item['output']);
  if (output !== null) return output;
  const error = textOf(item['error']);
  return error === '' ? textOf(objectOf(item['result'])['content']) : error;
}
