import { describe, expect, test } from 'vitest';
import { codexContainment } from '../../../src/implementers/codex/containment.ts';

const WRITE = { profile: 'write', platform: 'linux', allowHooks: false, allowWrite: [] } as const;

function possible(more: Partial<Parameters<typeof codexContainment>[0]> = {}): string[] {
  const { lines } = codexContainment({ ...WRITE, ...more });
  expect(new Set(lines.map(({ kind }) => kind)).size).toBe(10);
  for (const { why } of lines) expect(why.length).toBeGreaterThan(10);
  return lines.filter((line) => line.possible).map(({ kind }) => kind);
}

const ALL = 10;

// Each line was tried with the real CLI: conformance/codex-boundary.test.ts.
describe('what a run can still write', () => {
  test('a write run: settings of other agents, and more than the declared scope', () => {
    expect(possible()).toEqual(['agent-settings', 'scope']);
    expect(possible({ platform: 'darwin' })).toEqual(['agent-settings', 'scope']);
    expect(possible({ allowWrite: ['/cache'] })).toEqual(['agent-settings', 'scope', 'outside']);
  });

  test('a read-only run: nothing', () => {
    expect(possible({ profile: 'read-only' })).toEqual([]);
  });

  test('with hooks, with full access, and on Windows: everything', () => {
    expect(possible({ allowHooks: true })).toHaveLength(ALL);
    expect(possible({ allowHooks: true, profile: 'read-only' })).toHaveLength(ALL);
    expect(possible({ profile: 'bypass' })).toHaveLength(ALL);
    expect(possible({ platform: 'win32' })).toHaveLength(ALL);
  });
});
