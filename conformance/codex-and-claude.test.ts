import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createClaudeReader } from '../src/implementers/claude/events.ts';
import { createCodexReader } from '../src/implementers/codex/events.ts';
import type { AgentEvent } from '../src/implementers/events.ts';
import { dispatchReal, realWorld } from './support.ts';

const STEPS = [
  { turn: [{ say: 'Working.' }, { read: 'one.txt' }] },
  { write: { path: 'sub/new.txt', content: 'a\nb\n' } },
  { edit: { path: 'one.txt', old: 'one', new: 'two' } },
  { bash: 'printf raw >raw.bin; chmod +x one.txt; rm old.txt; mv moved.txt there.txt' },
  { say: 'All done.' },
];

/** What happened, in words that do not depend on a vendor's tools. */
function outline(events: AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'text') return [`says ${event.text}`];
    if (event.type === 'tool-finished') return [event.ok ? 'did' : 'failed'];
    if (event.type === 'session' || event.type === 'tool-started' || event.type === 'finished')
      return [event.type];
    return [];
  });
}

describe('the same script through both real CLIs', () => {
  test('gives the same changes, and comparable events', async () => {
    const found = [];
    for (const implementer of ['claude', 'codex'] as const) {
      const world = realWorld();
      world.repository.commit({ 'old.txt': 'old\n', 'moved.txt': 'a file that is moved\n' });
      const { result } = await dispatchReal(world, STEPS, { implementer });
      expect(result).toMatchObject({ status: 'completed', evidence: { violations: [] } });
      const reader = implementer === 'claude' ? createClaudeReader() : createCodexReader();
      const events = readFileSync(result.eventsPath, 'utf8')
        .trimEnd()
        .split('\n')
        .flatMap((line) => reader.read(JSON.parse(line)));
      found.push({ changes: result.evidence.changes, outline: outline(events), text: result.finalMessage });
    }
    const [claude, codex] = found;
    expect(claude?.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'deleted old.txt',
      'modified one.txt',
      'added raw.bin',
      'added sub/new.txt',
      'renamed there.txt',
    ]);
    expect(codex).toEqual(claude);
  });
});
