import { describe, expect, it } from 'vitest';
import { until, untilDead } from '../../support/baton.ts';
import { endProcesses, isAlive, processesUnder } from '../../support/processes.ts';
import { kindsOf, playground, recordsIn } from './playing.ts';

/** The id that a grandchild's tool result tells. */
function leftBehind(stdout: string): number {
  const [, pid] = /with process id (\d+)/.exec(stdout) ?? [];
  if (pid === undefined) throw new Error(`no process id in ${stdout}`);
  return Number(pid);
}

describe('signals', () => {
  it.each([
    ['- say: x\n- sleep: 1m\n', 143],
    ['- exit-zero-on-term\n- say: x\n- sleep: 1m\n', 0],
  ])('leaves on TERM without a result: %j', async (script, exit) => {
    const player = await playground().start(script);
    await until('the text', () => player.stdout().includes('"text":"x"'));
    player.signal('SIGTERM');
    const { code, signal, stdout } = await player.ended;
    expect([code, signal, kindsOf(recordsIn(stdout))]).toEqual([exit, null, ['system/init', 'assistant']]);
  });

  it('ignores TERM when told to', async () => {
    const player = await playground().start('- ignore-term\n- say: x\n- sleep: 1s\n- say: survived\n');
    await until('the text', () => player.stdout().includes('"text":"x"'));
    player.signal('SIGTERM');
    const { code, stdout } = await player.ended;
    expect([code, stdout.includes('survived')]).toEqual([0, true]);
  });

  it('takes the command that runs with it', async () => {
    const { where, start } = playground();
    const player = await start('- run: echo started > mark; sleep 60\n');
    const running = await until('the command', () =>
      processesUnder(where.root).find(({ command }) => command === 'sleep 60'),
    );
    player.signal('SIGTERM');
    expect((await player.ended).code).toBe(143);
    await untilDead(running.pid);
  });
});

describe('what is left behind', () => {
  it.each(['', ', own-session: true', ', ignore-term: true', ', own-session: true, clear-environment: true'])(
    'outlives the player: %j',
    async (more) => {
      const { code, stdout } = await playground().play(`- grandchild: { seconds: 60${more} }\n- say: bye\n`);
      const pid = leftBehind(stdout);
      const alive = isAlive(pid);
      endProcesses([{ pid }]);
      expect([code, alive]).toEqual([0, true]);
      await untilDead(pid);
    },
  );

  it('may ignore TERM', async () => {
    const { stdout } = await playground().play(
      '- grandchild: { seconds: 60, ignore-term: true }\n- run: sleep 0.3\n',
    );
    const pid = leftBehind(stdout);
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGCONT');
    const alive = isAlive(pid);
    endProcesses([{ pid }]);
    expect(alive).toBe(true);
    await untilDead(pid);
  });

  it.each(['- hold-stdout: 60', '- grandchild: { seconds: 60, hold-stdout: true }'])(
    'keeps stdout open after the player is gone: %j',
    async (step) => {
      const player = await playground().start(`${step}\n- say: bye\n`);
      await untilDead(player.pid);
      let closed = false;
      const ended = player.ended.then((end) => {
        closed = true;
        return end;
      });
      const pid = await until(
        'the process id',
        () => /process id/.test(player.stdout()) && leftBehind(player.stdout()),
      );
      expect([closed, isAlive(pid)]).toEqual([false, true]);
      endProcesses([{ pid }]);
      expect((await ended).code).toBe(0);
    },
  );
});
