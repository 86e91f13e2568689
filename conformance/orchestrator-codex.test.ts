import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ending,
  expectLanded,
  expectTaught,
  LONG_MS,
  orchestrate,
  orchestratedWorld,
} from './orchestrator-support.ts';

const SKILL = '.agents/skills/delegate';

/** Codex's shell gives a command back unfinished after half a minute at most. */
const YIELD_MS = 30_000;

function shell(command: string): object {
  return { tool: { name: 'exec_command', input: { cmd: command, yield_time_ms: YIELD_MS } } };
}

/** A command, and then so many looks, of 25 s each, at whether it has ended: where it has, they take no time. */
function toItsEnd(desk: string, name: string, command: string, looks = 4): object[] {
  const end = join(desk, `${name}.exit`);
  const look = shell(`for i in $(seq 25); do [ -e ${end} ] && break; sleep 1; done; cat ${end}`);
  return [
    shell(`${command}; echo $? > ${end}.part && mv ${end}.part ${end}`),
    ...Array.from({ length: looks }, () => look),
  ];
}

function exitOf(desk: string, name: string): number {
  return Number(readFileSync(join(desk, `${name}.exit`), 'utf8'));
}

describe('the real codex as orchestrator, with the skill that baton installed', () => {
  test.each(['claude', 'codex'] as const)(
    'and danger-full-access, hands a task to the real %s, reviews, and lands it',
    { timeout: LONG_MS },
    async (implementer) => {
      const world = await orchestratedWorld('codex', implementer);
      const { desk } = world;
      const brief = join(desk, 'brief.md');
      const turns = await orchestrate(world, {
        cli: 'codex',
        args: ['exec', '--json', '-s', 'danger-full-access', '-'],
        steps: [
          { read: `${SKILL}/SKILL.md` },
          { read: `${SKILL}/references/writing-the-brief.md` },
          { read: `${SKILL}/references/dispatch-and-poll.md` },
          ...toItsEnd(
            desk,
            'dispatch',
            `baton dispatch --brief ${brief} --implementer ${implementer} --timeout 5m --touch one.txt --json > ${desk}/result.json`,
            12,
          ),
          { read: `${SKILL}/references/review-and-land.md` },
          ...toItsEnd(desk, 'show', 'baton show'),
          ...toItsEnd(desk, 'diff', 'baton diff'),
          ...toItsEnd(desk, 'check', `baton check --gate 'says-two=grep -q two one.txt'`),
          ...toItsEnd(desk, 'review', 'baton review'),
          ...toItsEnd(desk, 'land', `baton land -m 'Say two instead of one'`),
          { say: 'Landed.' },
        ],
      });
      const names = ['dispatch', 'show', 'diff', 'check', 'review', 'land'];
      const failed = names.filter((name) => exitOf(desk, name) !== 0);
      if (failed.length > 0) throw new Error(`${failed.join(', ')} failed: ${ending(turns)}`);
      expectTaught(turns, implementer);
      await expectLanded(world);
      expect(world.repository.git('show', '--format=', '--name-status', 'HEAD')).toBe('M\tone.txt');
    },
  );

  test('in its own sandbox it cannot, and baton says what is missing and what helps', {
    timeout: LONG_MS,
  }, async () => {
    const world = await orchestratedWorld('codex', 'claude');
    const brief = join(world.desk, 'brief.md');
    const turns = await orchestrate(world, {
      cli: 'codex',
      args: ['exec', '--json', '-s', 'workspace-write', '-'],
      steps: [
        ...toItsEnd(world.repository.dir, 'dispatch', `baton dispatch --brief ${brief} --timeout 5m`),
        { say: 'I cannot start it here.' },
      ],
    });
    const last = turns.at(-1);
    expect(last).toContain('the person has to start codex with -s danger-full-access');
    expect(last).toContain('claim      error (sandbox-unavailable)');
    expect(exitOf(world.repository.dir, 'dispatch')).toBe(1);
    // The implementer never came to ask its model for anything.
    expect(world.worker.requests).toEqual([]);
    expect(world.repository.head()).toBe(world.start);
  });
});
