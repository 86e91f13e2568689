import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { birthOf, isAlive } from '../../src/process/birth.ts';
import { readTable } from '../../src/process/table.ts';

describe.each(['linux', 'darwin'] as const)('as on %s', (platform) => {
  test('our own birth is the same each time, and told apart from another’s', () => {
    const birth = birthOf(process.pid, platform);
    expect(birth).toMatch(/\d/);
    expect(birthOf(process.pid, platform)).toBe(birth);
    expect(isAlive(process.pid, birth, platform)).toBe(true);
    expect(isAlive(process.pid, `${birth}0`, platform)).toBe(false);
    expect(isAlive(process.pid, null, platform)).toBe(true);
  });

  test('the table holds us, our parent and when we began', () => {
    const { entries } = readTable(platform);
    expect(entries.get(process.pid)).toMatchObject({
      pid: process.pid,
      parent: process.ppid,
      birth: birthOf(process.pid, platform),
      living: true,
    });
    expect(entries.get(process.ppid)?.started).toBeLessThanOrEqual(entries.get(process.pid)?.started ?? 0);
  });

  test('one that ended lives no more, nor does one that only waits to be reaped', async () => {
    // The shell never waits for its child, and becomes a program that never will.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [pid] = (await once(parent.stdout, 'data')).map(Number);
      expect(pid).toBeGreaterThan(1);
      const birth = birthOf(pid ?? 0, platform);
      while (isAlive(pid ?? 0, birth, platform)) await sleep(20);
      expect(() => process.kill(pid ?? 0, 0)).not.toThrow();
      expect(isAlive(pid ?? 0, null, platform)).toBe(false);
      expect(readTable(platform).entries.has(pid ?? 0)).toBe(false);
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
    expect(isAlive(parent.pid ?? 0, null, platform)).toBe(false);
    expect(birthOf(parent.pid ?? 0, platform)).toBe(null);
  });
});

test('no process has the id 0', () => {
  expect(isAlive(0, null)).toBe(false);
  expect(isAlive(-1, null)).toBe(false);
});
