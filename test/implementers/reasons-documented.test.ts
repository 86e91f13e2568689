import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClaudeReader } from '../../src/implementers/claude/events.ts';
import { codexFalseStart } from '../../src/implementers/codex/false-start.ts';
import { createCodexReader } from '../../src/implementers/codex/events.ts';
import { PROJECT } from '../support/project.ts';

const DOCUMENT = readFileSync(join(PROJECT, 'docs', 'contracts', 'reasons.md'), 'utf8');
const ROWS = [...DOCUMENT.matchAll(/^\| `([a-z-]+)` \|.*$/gm)].map(([row, reason = '']) => ({ row, reason }));
const EXAMPLES = ROWS.flatMap(({ row, reason }) =>
  [...row.matchAll(/\b((?:claude|codex)-[a-z-]+)\b/g)].map(([, name = '']) => ({ reason, name })),
);

describe('docs/contracts/reasons.md', () => {
  test('has every reason of the contract, once', () => {
    const contract = readFileSync(join(PROJECT, 'docs', 'contracts', 'result.schema.json'), 'utf8');
    const reasons = JSON.parse(contract).properties.agent.properties.reason.anyOf[0].enum;
    expect(new Set(ROWS.map(({ reason }) => reason))).toEqual(new Set(reasons));
    expect(ROWS).toHaveLength(reasons.length);
  });

  test.each(EXAMPLES)('$name is $reason', ({ reason, name }) => {
    expect(reasonOf(name)).toBe(reason);
  });

  test('names a recording in nearly every row', () => {
    expect(new Set(EXAMPLES.map((example) => example.reason)).size).toBe(ROWS.length - 1);
  });
});

function reasonOf(name: string): string | null {
  const file = join(PROJECT, 'test', 'recordings', `${name}.jsonl`);
  const reader = name.startsWith('claude') ? createClaudeReader() : createCodexReader();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  for (const line of lines) reader.read(JSON.parse(line));
  const stderr = file.replace('.jsonl', '.stderr.txt');
  if (lines.length > 0 || !existsSync(stderr)) return reader.claim().reason;
  return codexFalseStart(readFileSync(stderr, 'utf8').trimEnd().split('\n'))?.reason ?? null;
}
