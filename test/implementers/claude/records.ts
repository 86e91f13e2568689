import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/core/json.ts';
import { createClaudeReader } from '../../../src/implementers/claude/events.ts';
import type { AgentClaim, AgentEvent } from '../../../src/implementers/events.ts';

/** 2026-11-30T12:00:00Z: what the reader takes for now. */
export const NOW = Date.UTC(2026, 10, 30, 12);

export function replay(records: readonly JsonObject[]): { events: AgentEvent[]; claim: AgentClaim } {
  const reader = createClaudeReader(() => NOW);
  const events = records.flatMap((record) => reader.read(record));
  return { events, claim: reader.claim() };
}

/** A recording of the real CLI: `success` is `test/recordings/claude-success.jsonl`. */
export function recording(name: string): JsonObject[] {
  const path = fileURLToPath(new URL(`../../recordings/claude-${name}.jsonl`, import.meta.url));
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): JsonObject => JSON.parse(line));
}

export const INIT: JsonObject = { type: 'system', subtype: 'init', session_id: 'S1' };

export function says(text: string, more: JsonObject = {}): JsonObject {
  return { type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text }] }, ...more };
}

export function calls(id: string, name: string, input: JsonObject = {}): JsonObject {
  return { type: 'assistant', message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name, input }] } };
}

export function fails(id: string, content: string, more: JsonObject = {}): JsonObject {
  const block = { type: 'tool_result', tool_use_id: id, is_error: true, content };
  return { type: 'user', message: { role: 'user', content: [block] }, ...more };
}

export function succeeds(result: string, more: JsonObject = {}): JsonObject {
  return { type: 'result', subtype: 'success', is_error: false, result, session_id: 'S1', ...more };
}

export function breaks(more: JsonObject): JsonObject {
  return { type: 'result', subtype: 'success', is_error: true, session_id: 'S1', ...more };
}
