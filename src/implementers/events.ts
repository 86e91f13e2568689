import type { Claim, CostBlock, Denial, Reason } from '../rundir/result.ts';
import type { JsonObject } from '../core/json.ts';

/**
 * One normalised thing that the implementer did. The terminal view, reports and tests all read this one stream.
 * `subagent` tells that it happened inside an agent which the implementer itself started.
 */
export type AgentEvent =
  | {
      type: 'session';
      sessionId: string;
      model: string | null;
      permissionMode: string | null;
      version: string | null;
      /** What the CLI says about its own shell sandbox; null where it does not say (older versions). */
      sandboxEnabled: boolean | null;
    }
  | { type: 'text'; text: string; subagent: boolean }
  | { type: 'thinking'; text: string; subagent: boolean }
  | { type: 'tool-started'; id: string; tool: string; input: unknown; subagent: boolean }
  | { type: 'tool-finished'; id: string; ok: boolean; output: string; subagent: boolean }
  | { type: 'denied'; id: string | null; tool: string; input: unknown; reason: string | null }
  /** All of the run so far. */
  | { type: 'usage'; inputTokens: number; outputTokens: number; cachedTokens: number }
  | { type: 'notice'; kind: 'retry' | 'limit' | 'warning'; text: string }
  | { type: 'needs-input'; tool: string; question: string | null }
  | { type: 'finished'; claim: 'success' | 'error'; reason: Reason | null; text: string }
  | { type: 'unknown'; record: string };

/** What the implementer has said of itself so far. Plain data; valid at every moment, also before the first record. */
export interface AgentClaim {
  claim: Claim;
  /** The vendor's own word for the ending (`success`, `error_max_turns` ...). */
  subtype: string | null;
  reason: Reason | null;
  retryable: boolean | null;
  retryAt: string | null;
  /**
   * Why it failed, in a sentence; null unless `claim` is `error`, or the CLI left before its first record. Never empty,
   * never "undefined".
   */
  errorText: string | null;
  sessionId: string | null;
  model: string | null;
  permissionMode: string | null;
  version: string | null;
  sandboxEnabled: boolean | null;
  /** The last non-empty text of the main thread, or the result's own. */
  finalText: string;
  finalTextSource: 'result' | 'assistant' | 'none';
  numTurns: number | null;
  /** The vendor's usage object, untouched. */
  usage: unknown;
  cost: CostBlock;
  denials: Denial[];
  retries: number;
  toolCalls: number;
  subagents: number;
  structuredOutput?: unknown;
}

/** Turns the records of one stream into events. Never throws: what it does not know becomes an `unknown` event. */
export interface EventReader {
  read(record: JsonObject): AgentEvent[];
  claim(): AgentClaim;
}
