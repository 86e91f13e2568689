import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  expectLanded,
  expectTaught,
  LONG_MS,
  orchestrate,
  orchestratedWorld,
} from './orchestrator-support.ts';

const SKILL = '.claude/skills/delegate';

/** A command of the orchestrator's, with the longest limit that its shell takes. */
function shell(command: string): object {
  return { tool: { name: 'Bash', input: { command, timeout: LONG_MS } } };
}

describe('the real claude as orchestrator, with the skill that baton installed', () => {
  test.each(['codex', 'claude'] as const)(
    'hands a task to the real %s, reviews, and lands it',
    { timeout: LONG_MS },
    async (implementer) => {
      const world = await orchestratedWorld('claude', implementer);
      const brief = join(world.desk, 'brief.md');
      const turns = await orchestrate(world, {
        cli: 'claude',
        args: ['-p', '--output-format', 'json', '--allowedTools', 'Bash', 'Read', 'Skill'],
        steps: [
          { tool: { name: 'Skill', input: { skill: 'delegate' } } },
          { read: `${SKILL}/references/writing-the-brief.md` },
          { read: `${SKILL}/references/dispatch-and-poll.md` },
          shell(`baton brief check --brief ${brief}`),
          shell(
            `baton dispatch --brief ${brief} --implementer ${implementer} --timeout 5m --touch one.txt --json > ${world.desk}/result.json`,
          ),
          { read: `${SKILL}/references/review-and-land.md` },
          shell('baton show'),
          shell('baton diff'),
          shell(`baton check --gate 'says-two=grep -q two one.txt'`),
          shell('baton review'),
          shell(`baton land -m 'Say two instead of one'`),
          { say: 'Landed.' },
        ],
      });
      expectTaught(turns, implementer);
      await expectLanded(world);
      expect(world.repository.git('show', '--format=', '--name-status', 'HEAD')).toBe('M\tone.txt');
    },
  );
});
