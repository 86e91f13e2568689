import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf } from '../../core/json.ts';
import { truncate } from '../../core/text.ts';
import type { AgentClaim, AgentEvent, EventReader } from '../events.ts';
import { DenialList, isDenial } from './denials.ts';
import { errorText, failureOf, isErrorResult } from './ending.ts';
import { classify, type Verdict } from './reasons.ts';
import { UsageLedger } from './usage.ts';

/** The model name on text that the CLI wrote itself, such as an API error: not the agent's words. */
const SYNTHETIC = '<synthetic>';
/** Tools that wait for a person. Nobody is there, so the CLI fails them and the agent goes on by guessing. */
const ASKING = new Set(['AskUserQuestion', 'ExitPlanMode']);
const SUBAGENT_TOOLS = new Set(['Task', 'Agent']);
/** More calls than this are never open at once; a stream that never answers must not grow us. */
const MAX_OPEN_TOOLS = 1024;
/** Records that mean nothing to a run: partial messages repeat what follows whole. */
const QUIET = new Set([
  'stream_event',
  'keep_alive',
  'tool_progress',
  'tool_use_summary',
  'prompt_suggestion',
  'auth_status',
]);

/** Records of the CLI's own housekeeping: tasks in the background, hooks, compaction, a commit it noticed. */
const QUIET_SYSTEM = /^(?:task_|background_tasks_|hook_|status$|compact_boundary$|vcs_state_changed$)/;

interface OpenTool {
  tool: string;
  input: unknown;
  subagent: boolean;
}

/**
 * Reads claude's stream-json. The keys of a record come in any order, the last `result` wins, and only fields of
 * top-level records count: what a tool printed and what the agent wrote never decide how the run is classified.
 * `now` gives milliseconds since the epoch, for "resets 3pm".
 */
export function createClaudeReader(now: () => number = Date.now): EventReader {
  const reader = new ClaudeReader(now);
  return { read: (record) => reader.read(record), claim: () => reader.claim() };
}

class ClaudeReader {
  private readonly now: () => number;
  private readonly usage = new UsageLedger();
  private readonly denials = new DenialList();
  private readonly open = new Map<string, OpenTool>();
  private readonly session = {
    id: null,
    model: null,
    permissionMode: null,
    version: null,
    sandboxEnabled: null,
  } as {
    id: string | null;
    model: string | null;
    permissionMode: string | null;
    version: string | null;
    sandboxEnabled: boolean | null;
  };
  /** The last terminal record, with what was made of it. */
  private ending: { record: JsonObject; verdict: Verdict | null; errorText: string | null } | null = null;
  /** The API error that the CLI wrote last, until the agent speaks again. */
  private apiError: JsonObject | null = null;
  private limitResetsAt: string | null = null;
  private lastText = '';
  private asked = false;
  private retries = 0;
  private toolCalls = 0;
  private subagents = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  read(record: JsonObject): AgentEvent[] {
    const type = stringOf(record['type']);
    this.session.id ??= stringOf(record['session_id']);
    switch (type) {
      case 'assistant':
        return this.assistant(record);
      case 'user':
        return this.user(record);
      case 'system':
        return this.system(record);
      case 'result':
        return this.result(record);
      case 'rate_limit_event':
        return this.rateLimit(record);
      default:
        return type !== null && QUIET.has(type)
          ? []
          : [{ type: 'unknown', record: truncate(type ?? '(no type)', 200) }];
    }
  }

  claim(): AgentClaim {
    const { ending, session } = this;
    const record = ending?.record ?? {};
    const claim = ending === null ? 'none' : ending.verdict === null ? 'success' : 'error';
    const result = stringOf(record['result']) ?? '';
    const own = result.trim() === '' ? '' : result;
    const reason = this.reason();
    return {
      claim,
      subtype: stringOf(record['subtype']),
      reason,
      retryable: reason === 'needs-input' ? false : (ending?.verdict?.retryable ?? null),
      retryAt: ending?.verdict?.retryAt ?? null,
      errorText: ending?.errorText ?? null,
      sessionId: session.id,
      model: session.model,
      permissionMode: session.permissionMode,
      version: session.version,
      sandboxEnabled: session.sandboxEnabled,
      finalText: own === '' ? this.lastText : own,
      finalTextSource: own !== '' ? 'result' : this.lastText !== '' ? 'assistant' : 'none',
      numTurns: numberOf(record['num_turns']),
      usage: record['usage'] ?? null,
      cost: this.usage.cost(),
      denials: this.denials.all(),
      retries: this.retries,
      toolCalls: this.toolCalls,
      subagents: Math.max(this.subagents, numberOf(objectOf(record['subagent_stats'])['spawned']) ?? 0),
      ...('structured_output' in record ? { structuredOutput: record['structured_output'] } : {}),
    };
  }

  /** A question nobody could answer is the reason, unless the run failed for one of its own. */
  private reason(): AgentClaim['reason'] {
    const reason = this.ending?.verdict?.reason ?? null;
    return this.asked && (reason === null || reason === 'other') ? 'needs-input' : reason;
  }

  private system(record: JsonObject): AgentEvent[] {
    const subtype = stringOf(record['subtype']);
    switch (subtype) {
      case 'init':
        return this.init(record);
      case 'api_retry': {
        this.retries += 1;
        const what = [record['error_status'], record['error']].filter(
          (part) => part !== null && part !== undefined,
        );
        const attempt = `${numberOf(record['attempt']) ?? this.retries} of ${numberOf(record['max_retries']) ?? '?'}`;
        return [
          {
            type: 'notice',
            kind: 'retry',
            text: `retry ${attempt}: ${truncate(what.map(String).join(' '), 200)}`,
          },
        ];
      }
      case 'permission_denied': {
        const reason = stringOf(record['decision_reason']) ?? stringOf(record['message']);
        return this.denied(
          stringOf(record['tool_use_id']),
          stringOf(record['tool_name']),
          record['tool_input'],
          reason,
        );
      }
      default:
        if (subtype !== null && QUIET_SYSTEM.test(subtype)) return [];
        return [{ type: 'unknown', record: truncate(`system/${subtype ?? '?'}`, 200) }];
    }
  }

  private init(record: JsonObject): AgentEvent[] {
    const { session } = this;
    session.id = stringOf(record['session_id']) ?? session.id;
    session.model = stringOf(record['model']) ?? session.model;
    session.permissionMode = stringOf(record['permissionMode']) ?? session.permissionMode;
    session.version = stringOf(record['claude_code_version']) ?? session.version;
    const sandbox = record['sandbox_enabled'];
    session.sandboxEnabled = typeof sandbox === 'boolean' ? sandbox : session.sandboxEnabled;
    if (session.id === null) return [];
    const { id, ...rest } = session;
    return [{ type: 'session', sessionId: id, ...rest }];
  }

  private assistant(record: JsonObject): AgentEvent[] {
    const message = objectOf(record['message']);
    const blocks = blocksOf(message['content']);
    const subagent = isSubagent(record);
    if (!subagent) this.apiError = message['model'] === SYNTHETIC ? record : null;
    if (message['model'] === SYNTHETIC) {
      const text = blocks.map((block) => stringOf(block['text']) ?? '').join('');
      return text === '' ? [] : [{ type: 'notice', kind: 'warning', text }];
    }
    const events: AgentEvent[] = [];
    for (const block of blocks) events.push(...this.block(block, subagent));
    const id = stringOf(message['id']);
    const total = id === null ? null : this.usage.message(id, message['usage']);
    if (total) events.push({ type: 'usage', ...total });
    return events;
  }

  private block(block: JsonObject, subagent: boolean): AgentEvent[] {
    switch (block['type']) {
      case 'text': {
        const text = stringOf(block['text']) ?? '';
        if (text.trim() === '') return [];
        if (!subagent) this.lastText = text;
        return [{ type: 'text', text, subagent }];
      }
      case 'thinking': {
        const text = stringOf(block['thinking']) ?? '';
        return text === '' ? [] : [{ type: 'thinking', text, subagent }];
      }
      case 'tool_use':
        return this.toolUse(block, subagent);
      default:
        return [];
    }
  }

  private toolUse(block: JsonObject, subagent: boolean): AgentEvent[] {
    const id = stringOf(block['id']) ?? '';
    const tool = stringOf(block['name']) ?? '?';
    const input = block['input'] ?? null;
    if (this.open.has(id)) return [];
    this.toolCalls += 1;
    if (SUBAGENT_TOOLS.has(tool)) this.subagents += 1;
    if (this.open.size < MAX_OPEN_TOOLS) this.open.set(id, { tool, input, subagent });
    return [{ type: 'tool-started', id, tool, input, subagent }];
  }

  private user(record: JsonObject): AgentEvent[] {
    const subagent = isSubagent(record);
    const meta = arrayOf(record['tool_result_meta']).filter(isObject);
    const events: AgentEvent[] = [];
    for (const block of blocksOf(objectOf(record['message'])['content'])) {
      if (block['type'] === 'tool_result') events.push(...this.toolResult(block, meta, subagent));
    }
    return events;
  }

  private toolResult(block: JsonObject, meta: JsonObject[], subagent: boolean): AgentEvent[] {
    const id = stringOf(block['tool_use_id']) ?? '';
    const output = textOf(block['content']);
    const ok = block['is_error'] !== true;
    const started = this.open.get(id);
    const finished: AgentEvent = { type: 'tool-finished', id, ok, output, subagent };
    this.open.delete(id);
    if (ok) return [finished];
    const tool = started?.tool ?? null;
    if (tool !== null && ASKING.has(tool)) return [finished, this.needsInput(tool, started?.input)];
    if (!isDenial(output, meta.find((entry) => entry['id'] === id) ?? null)) return [finished];
    return [finished, ...this.denied(id === '' ? null : id, tool, started?.input, output)];
  }

  private denied(
    id: string | null,
    name: string | null,
    input: unknown,
    reason: string | null,
  ): AgentEvent[] {
    const started = id === null ? undefined : this.open.get(id);
    const denial = { tool: name ?? started?.tool ?? '?', input: input ?? started?.input ?? null, reason };
    const isNew = this.denials.add(id, denial);
    if (ASKING.has(denial.tool)) this.asked = true;
    return isNew ? [{ type: 'denied', id, ...denial }] : [];
  }

  private needsInput(tool: string, input: unknown): AgentEvent {
    this.asked = true;
    return { type: 'needs-input', tool, question: questionOf(input) };
  }

  private rateLimit(record: JsonObject): AgentEvent[] {
    const info = objectOf(record['rate_limit_info']);
    const status = stringOf(info['status']);
    if (status === null || status === 'allowed') return [];
    const resets = numberOf(info['resetsAt']);
    if (status === 'rejected' && resets !== null && resets > 1e9 && resets < 1e11) {
      this.limitResetsAt = new Date(resets * 1000).toISOString();
    }
    const window = stringOf(info['rateLimitType']);
    return [
      {
        type: 'notice',
        kind: 'limit',
        text: truncate(`usage limit ${status}${window ? ` (${window})` : ''}`, 200),
      },
    ];
  }

  private result(record: JsonObject): AgentEvent[] {
    this.session.id = stringOf(record['session_id']) ?? this.session.id;
    this.usage.result(record);
    const events = arrayOf(record['permission_denials'])
      .filter(isObject)
      .flatMap((entry) =>
        this.denied(stringOf(entry['tool_use_id']), stringOf(entry['tool_name']), entry['tool_input'], null),
      );
    for (const [id, { tool, input, subagent }] of this.open) {
      if (subagent || !ASKING.has(tool)) continue;
      this.open.delete(id);
      events.push(this.needsInput(tool, input));
    }
    const verdict = isErrorResult(record) ? this.verdict(record) : null;
    this.ending = { record, verdict, errorText: verdict && errorText(record, verdict) };
    const text = this.ending.errorText ?? stringOf(record['result']) ?? '';
    events.push({ type: 'finished', claim: verdict ? 'error' : 'success', reason: this.reason(), text });
    return events;
  }

  private verdict(record: JsonObject): Verdict {
    const verdict = classify(failureOf(record, this.apiError), this.now());
    if (verdict.reason !== 'usage-limit' || verdict.retryAt !== null || this.limitResetsAt === null)
      return verdict;
    return { ...verdict, retryAt: this.limitResetsAt, retryable: true };
  }
}

function isSubagent(record: JsonObject): boolean {
  return typeof record['parent_tool_use_id'] === 'string';
}

function blocksOf(content: unknown): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content).filter(isObject);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return arrayOf(content)
    .map((block) => stringOf(objectOf(block)['text']))
    .filter((text) => text !== null)
    .join('\n');
}

function questionOf(input: unknown): string | null {
  const { question, questions, plan } = objectOf(input);
  return stringOf(question) ?? stringOf(objectOf(arrayOf(questions)[0])['question']) ?? stringOf(plan);
}
