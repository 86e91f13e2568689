import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeContainment } from '../src/implementers/claude/containment.ts';
import type { ProfileName, Result, ViolationKind } from '../src/rundir/result.ts';
import { dispatchReal, realWorld } from './support.ts';

// What the boundary tests show to be closed, containment calls impossible; here is what it says stays open.

describe('what stays possible in a write run', () => {
  test.each(['.codex/config.toml', '.agents/skills/x/SKILL.md', '.delegate/lanes.json'])(
    'settings of another agent, as in %s: reported',
    async (path) => {
      const result = await resultOfWriting(path);
      expect(result.evidence.violations).toEqual([
        { kind: 'agent-settings', detail: expect.stringContaining(path), actor: actorOf('agent-settings') },
      ]);
      expect(actorOf('agent-settings')).toBe('implementer-possible');
    },
  );

  test('a change outside the declared scope: reported, never undone', async () => {
    const result = await resultOfWriting('other/a.txt', ['--touch', 'src/**']);
    expect(result.evidence.changes.map((change) => change.path)).toEqual(['other/a.txt']);
    expect(result.evidence.violations).toEqual([
      { kind: 'scope', detail: expect.stringContaining('other/a.txt'), actor: actorOf('scope') },
    ]);
    expect(actorOf('scope')).toBe('implementer-possible');
  });

  test('a directory that was opened on request', async () => {
    const world = realWorld();
    const [open, closed] = [join(world.root, 'open'), join(world.root, 'closed')];
    for (const dir of [open, closed]) mkdirSync(dir);
    const steps = [
      { write: { path: 's.sh', content: `echo x >${open}/a.txt\necho x >${closed}/a.txt\necho\n` } },
      { bash: 'sh s.sh' },
      { say: 'x' },
    ];
    const { result } = await dispatchReal(world, steps, { flags: ['--allow-write', open] });
    expect(result).toMatchObject({ status: 'completed', widened: { write: [open] } });
    expect(existsSync(join(open, 'a.txt'))).toBe(true);
    expect(existsSync(join(closed, 'a.txt'))).toBe(false);
    expect(actorOf('outside')).toBe('excluded-by-sandbox');
    expect(actorOf('outside', { allowWrite: [open] })).toBe('implementer-possible');
  });

  test('a new repository inside the tree, which is not the run’s own', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(world, [
      { write: { path: 's.sh', content: 'git init -q fresh && echo made\n' } },
      { bash: 'sh s.sh' },
      { say: 'x' },
    ]);
    expect(result.status).toBe('completed');
    expect(existsSync(join(world.repository.dir, 'fresh', '.git', 'HEAD'))).toBe(true);
    expect(result.evidence.changes.map((change) => change.path)).toContain('s.sh');
  });
});

test('in a bypass run claude’s own settings can be written too: reported', async () => {
  const env = process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {};
  const result = await resultOfWriting('.claude/settings.json', ['--dangerously-skip-permissions'], env);
  expect(result.evidence.violations).toContainEqual({
    kind: 'agent-settings',
    detail: expect.stringContaining('.claude/settings.json'),
    actor: actorOf('agent-settings', { profile: 'bypass' }),
  });
});

async function resultOfWriting(path: string, flags: string[] = [], env = {}): Promise<Result> {
  const steps = [{ write: { path, content: '{}' } }, { say: 'x' }];
  const { result } = await dispatchReal(realWorld(env), steps, { flags });
  expect(result).toMatchObject({ status: 'completed', agent: { denials: [] } });
  return result;
}

function actorOf(kind: ViolationKind, more: { profile?: ProfileName; allowWrite?: string[] } = {}): string {
  const request = {
    profile: 'write',
    platform: 'linux',
    allowHooks: false,
    allowWrite: [],
    ...more,
  } as const;
  const line = claudeContainment(request).lines.find((candidate) => candidate.kind === kind);
  return line?.possible === false ? 'excluded-by-sandbox' : 'implementer-possible';
}
