import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../src/core/json.ts';
import { PROJECT } from '../../support/project.ts';
import { kindsOf, playground, recordsIn } from './playing.ts';

function recorded(name: string): JsonObject[] {
  return recordsIn(readFileSync(join(PROJECT, 'test', 'recordings', `claude-${name}.jsonl`), 'utf8'));
}

/** The keys of a record, and of the message and the result in it, as paths. */
function keysOf(record: JsonObject, path = ''): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const deeper =
      isObject(value) && ['message', 'usage'].includes(key) ? keysOf(value, `${path}${key}.`) : [];
    return [`${path}${key}`, ...deeper];
  });
}

function keysByKind(records: readonly JsonObject[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [index, kind] of kindsOf(records).entries()) {
    const record = records[index];
    if (record) found.set(kind, new Set([...(found.get(kind) ?? []), ...keysOf(record)]));
  }
  return found;
}

describe('the records', () => {
  it.each([
    ['success', '- say: Working.\n- run: echo hi\n- say: All done.\n'],
    [
      'patch',
      '- write: { path: new.txt, content: x }\n- edit: { path: new.txt, old: x, new: y }\n- say: Patched.\n',
    ],
    ['failing-command', '- run: exit 3\n- say: It failed.\n'],
    ['server-error', '- fail: overloaded\n'],
    ['rate-limited', '- fail: rate-limit\n'],
  ])('as codex have no key that the real CLI was not seen to print: %s', async (name, script) => {
    const file = join(PROJECT, 'test', 'recordings', `codex-${name}.jsonl`);
    const real = keysByKind(recordsIn(readFileSync(file, 'utf8')));
    const { records, stderr } = await playground().play(script, { args: ['exec', '--json', '-'] });
    expect(stderr).toBe('');
    for (const [kind, keys] of keysByKind(records)) {
      expect([kind, real.has(kind)]).toEqual([kind, true]);
      expect([...keys].filter((key) => !real.get(kind)?.has(key))).toEqual([]);
    }
  });

  it.each([
    ['success', '- say: Writing.\n- write: { path: a, content: x }\n- run: cat a\n- say: All done.\n'],
    ['commit-denied', '- deny: { tool: Bash, input: { command: git commit } }\n- say: Could not.\n'],
    ['rate-limited', '- say: Partial.\n- run: echo hi\n- fail: rate-limit\n'],
    ['max-turns', '- run: echo 1\n- fail: max-turns\n'],
    ['max-budget', '- run: echo 1\n- fail: budget\n'],
    ['resume-unknown', '- fail: session-not-found\n'],
    ['read-only', '- read: script\n- say: The plan.\n'],
  ])('have no key that the real CLI was not seen to print: %s', async (name, script) => {
    const real = keysByKind(recorded(name));
    const { records } = await playground().play(script);
    for (const [kind, keys] of keysByKind(records)) {
      expect([...keys].filter((key) => !real.get(kind)?.has(key))).toEqual([]);
    }
  });
});
