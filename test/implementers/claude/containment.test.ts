import { describe, expect, test } from 'vitest';
import { claudeContainment } from '../../../src/implementers/claude/containment.ts';
import type { ViolationKind } from '../../../src/rundir/result.ts';

const EVERY: ViolationKind[] = [
  'commit',
  'ref',
  'stash',
  'index',
  'hooks',
  'git-config',
  'agent-settings',
  'scope',
  'read-only',
  'outside',
];

function possible(more: Partial<Parameters<typeof claudeContainment>[0]> = {}): ViolationKind[] {
  const { lines } = claudeContainment({
    profile: 'write',
    platform: 'linux',
    allowHooks: false,
    allowWrite: [],
    ...more,
  });
  expect(lines.map((line) => line.kind)).toEqual(EVERY);
  for (const line of lines) expect(line.why).toMatch(/^\w.{20,}/);
  return lines.filter((line) => line.possible).map((line) => line.kind);
}

describe('what an implementer could have done', () => {
  test('in a write run', () => {
    expect(possible()).toEqual(['agent-settings', 'scope']);
    expect(possible({ allowWrite: ['/cache'] })).toEqual(['agent-settings', 'scope', 'outside']);
  });

  test('in a read-only run', () => {
    expect(possible({ profile: 'read-only' })).toEqual([]);
    expect(possible({ profile: 'read-only', platform: 'win32' })).toEqual([]);
  });

  test('in a bypass run', () => {
    expect(possible({ profile: 'bypass' })).toEqual(['agent-settings', 'scope', 'outside']);
  });

  test('with hooks, and on Windows, everything', () => {
    expect(possible({ allowHooks: true })).toEqual(EVERY);
    expect(possible({ platform: 'win32' })).toEqual(EVERY);
    expect(possible({ profile: 'read-only', allowHooks: true })).toEqual(EVERY);
  });
});
