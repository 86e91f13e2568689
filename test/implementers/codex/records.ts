import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/core/json.ts';
import { createCodexReader } from '../../../src/implementers/codex/events.ts';
import type { AgentClaim, AgentEvent } from '../../../src/implementers/events.ts';

/** 2026-11-30T12:00:00Z: what the reader takes for now. */
export const NOW = Date.UTC(2026, 10, 30, 12);

export function replay(records: readonly JsonObject[]): { events: AgentEvent[]; claim: AgentClaim } {
  const reader = createCodexReader(() => NOW);
  const events = records.flatMap((record) => reader.read(record));
  return { events, claim: reader.claim() };
}

/** A recording of the real CLI: `success` is `test/recordings/codex-success.jsonl`. */
export function recording(name: string): JsonObject[] {
  const path = fileURLToPath(new URL(`../../recordings/codex-${name}.jsonl`, import.meta.url));
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): JsonObject => JSON.parse(line));
}

export const THREAD: JsonObject = { type: 'thread.started', thread_id: 'T1' };
export const TURN: JsonObject = { type: 'turn.started' };

export function says(text: string): JsonObject {
  return { type: 'item.completed', item: { id: `say-${text}`, type: 'agent_message', text } };
}

export function item(phase: 'started' | 'completed', fields: JsonObject): JsonObject {
  return { type: `item.${phase}`, item: { id: 'i1', ...fields } };
}

export function ran(id: string, output: string, exitCode: number): JsonObject {
  const status = exitCode === 0 ? 'completed' : 'failed';
  const fields = { type: 'command_execution', command: 'x', aggregated_output: output };
  return { type: 'item.completed', item: { id, ...fields, exit_code: exitCode, status } };
}

export const DONE: JsonObject = {
  type: 'turn.completed',
  usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, reasoning_output_tokens: 5 },
};

export function fails(message: string): JsonObject {
  return { type: 'turn.failed', error: { message } };
}
