import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { birthOf } from '../../src/process/birth.ts';
import { quote } from '../support/fake.ts';
import { endProcesses, isAlive, processesOfRun } from '../support/processes.ts';
import { init, success, text } from '../support/records.ts';
import { tryNode, tryShell, type Trial, type TrialOptions } from './harness.ts';

const say = (...lines: string[]): string => `printf '%s\\n' ${lines.map(quote).join(' ')}`;

/** Waits for what a script writes into a file of its run directory. */
async function read(path: string): Promise<string> {
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await sleep(10);
  return readFileSync(path, 'utf8');
}

/** No process of the run is left, by marker. */
function expectNothingLeft(trial: Trial): void {
  expect(processesOfRun(trial.runId)).toEqual([]);
  expect(trial.outcome.process.survivors).toEqual([]);
}

test('an ordinary run', async () => {
  let started: { pid: number; birth: string | null } | undefined;
  const trial = await tryShell(`cat >/dev/null; ${say(init(), success('ok'))}`, {
    onStarted: (process) => {
      started = process;
      expect(birthOf(process.pid)).toBe(process.birth);
    },
  });
  const { durationMs } = trial.outcome.process;
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(trial.outcome).toEqual({
    process: {
      pid: started?.pid,
      exit: 'code',
      timeoutKind: null,
      endedAfterResult: false,
      swept: [],
      survivors: [],
      durationMs,
      clockGapMs: 0,
    },
    stream: { bytes: trial.eventsLog.length, events: 2, unreadable: 0, oversize: 0, truncated: false },
    code: 0,
    signal: null,
    launchError: null,
    stopped: null,
    killed: false,
    gaps: [],
  });
});

test('when it is over, nothing of it holds the event loop', async () => {
  const held = (): string[] =>
    process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate|FSEvent|Process|FSReq/.test(name));
  const before = held();
  await tryShell(`${say(success('ok'))}; sleep 600`, {
    clocks: { completionGrace: 100, wall: 60_000, idle: 60_000 },
  });
  expect(held().length).toBeLessThanOrEqual(before.length);
});

test('its own exit code, with a result or without', async () => {
  const failed = await tryShell(`${say(success('done'))}; exit 3`);
  expect(failed.outcome).toMatchObject({ code: 3, signal: null, process: { exit: 'code' } });
  expect(failed.claim.claim).toBe('success');
});

test('ended by a signal of someone else’s', async () => {
  const { outcome } = await tryShell(`${say(init())}; kill -9 $$`);
  expect(outcome).toMatchObject({
    code: null,
    signal: 'SIGKILL',
    killed: false,
    process: { exit: 'signal', timeoutKind: null },
  });
});

describe('after the result', () => {
  test('a process that stays is ended after the grace, and its exit is not judged', async () => {
    const trial = await tryShell(`${say(init(), success('ok'))}; sleep 600`, {
      clocks: { completionGrace: 300 },
    });
    expect(trial.outcome).toMatchObject({
      code: null,
      signal: null,
      process: { exit: 'code', endedAfterResult: true, timeoutKind: null },
    });
    expect(trial.claim.claim).toBe('success');
    expectNothingLeft(trial);
  });

  test('a wall limit that passes meanwhile changes nothing', async () => {
    const { outcome } = await tryShell(`${say(success('ok'))}; sleep 600`, {
      clocks: { completionGrace: 2000, wall: 1500 },
    });
    expect(outcome.process).toMatchObject({ exit: 'code', endedAfterResult: true, timeoutKind: null });
  });

  test('nor do the silence limits', async () => {
    const { outcome } = await tryShell(`${say(success('ok'))}; sleep 600`, {
      clocks: { completionGrace: 2000, idle: 1500, firstEvent: 1500 },
    });
    expect(outcome.process).toMatchObject({ exit: 'code', endedAfterResult: true, timeoutKind: null });
  });

  test('a process that leaves by itself is not waited for, and its exit counts', async () => {
    const { outcome } = await tryShell(`${say(success('ok'))}; exit 4`, {
      clocks: { completionGrace: 3_600_000 },
    });
    expect(outcome).toMatchObject({ code: 4, process: { exit: 'code', endedAfterResult: false } });
  });

  test('more events start the grace anew, and the last result wins', async () => {
    const again = [text('more'), text('and more'), success('second')].map(
      (line) => `sleep 0.4; ${say(line)}`,
    );
    const { outcome, claim } = await tryShell(`${say(success('first'))}; ${again.join('; ')}`, {
      clocks: { completionGrace: 2000 },
    });
    expect(claim.finalText).toBe('second');
    expect(outcome).toMatchObject({ code: 0, process: { endedAfterResult: false } });
  });

  test('chatter after the result does not defeat the wall limit', async () => {
    const trial = await tryShell(`${say(success('ok'))}; while :; do ${say(text('tick'))}; sleep 0.1; done`, {
      clocks: { completionGrace: 500, wall: 1500 },
    });
    expect(trial.outcome.process).toMatchObject({ exit: 'code', endedAfterResult: true });
    expectNothingLeft(trial);
  });
});

describe('clocks', () => {
  test('wall: even while events keep coming', async () => {
    const trial = await tryShell(`while :; do ${say(text('tick'))}; sleep 0.05; done`, {
      clocks: { wall: 500 },
    });
    expect(trial.outcome).toMatchObject({
      signal: 'SIGTERM',
      process: { exit: 'timeout', timeoutKind: 'wall' },
    });
    expectNothingLeft(trial);
  });

  test('idle: silence after the first words', async () => {
    const trial = await tryShell(`${say(init())}; sleep 600`, { clocks: { idle: 300 } });
    expect(trial.outcome.process).toMatchObject({ exit: 'timeout', timeoutKind: 'idle' });
    expectNothingLeft(trial);
  });

  test('idle: stderr is no silence', async () => {
    const { outcome } = await tryShell(
      `for i in 1 2 3 4 5 6 7 8; do echo $i >&2; sleep 0.3; done; ${say(success('ok'))}`,
      { clocks: { idle: 2000 } },
    );
    expect(outcome.process.exit).toBe('code');
  });

  test('first event: noise on stdout is none', async () => {
    const { outcome } = await tryShell(`echo banner; sleep 600`, { clocks: { firstEvent: 300 } });
    expect(outcome.process).toMatchObject({ exit: 'timeout', timeoutKind: 'first-event' });
  });

  test('first event: once it came the clock is off', async () => {
    const { outcome } = await tryShell(`${say(init())}; sleep 2; ${say(success('ok'))}`, {
      clocks: { firstEvent: 1500 },
    });
    expect(outcome.process.exit).toBe('code');
  });

  test('the child’s own code on the way down is kept', async () => {
    const { outcome } = await tryShell(`trap 'exit 143' TERM; ${say(init())}; while :; do sleep 0.05; done`, {
      clocks: { wall: 1000 },
    });
    expect(outcome).toMatchObject({ code: 143, signal: null, killed: false, process: { exit: 'timeout' } });
  });

  test('TERM is ignored: KILL after the grace', async () => {
    const trial = await tryShell(`trap '' TERM; ${say(init())}; while :; do sleep 1; done`, {
      clocks: { wall: 1000, termGrace: 300 },
    });
    expect(trial.outcome).toMatchObject({ signal: 'SIGKILL', killed: true, process: { exit: 'timeout' } });
    expectNothingLeft(trial);
  });
});

describe('abort', () => {
  test('ends the tree; a second request while it resists skips the wait', async () => {
    const abort = new AbortController();
    const hurry = new AbortController();
    const trial = await tryShell(`trap '' TERM; ${say(init())}; while :; do sleep 1; done`, {
      abort: abort.signal,
      hurry: hurry.signal,
      clocks: { termGrace: 3_600_000 },
      onEvent: () => {
        abort.abort();
        abort.abort();
        setTimeout(() => hurry.abort(), 100);
      },
    });
    expect(trial.outcome).toMatchObject({
      signal: 'SIGKILL',
      killed: true,
      process: { exit: 'aborted', timeoutKind: null },
    });
    expectNothingLeft(trial);
  });

  test('with both requests at once', async () => {
    const abort = new AbortController();
    const trial = await tryShell(`${say(init())}; sleep 600`, {
      abort: abort.signal,
      hurry: abort.signal,
      clocks: { termGrace: 3_600_000 },
      onStarted: () => abort.abort(),
    });
    expect(trial.outcome.process.exit).toBe('aborted');
    expectNothingLeft(trial);
  });

  test('before the launch: nothing is started', async () => {
    const { outcome, eventsLog } = await tryShell(say(init()), { abort: AbortSignal.abort() });
    expect(outcome).toMatchObject({ code: null, process: { pid: null, exit: 'aborted' } });
    expect(eventsLog.length).toBe(0);
  });
});

describe('what is left behind', () => {
  const wait = `while [ ! -s "$RUN/pid" ]; do sleep 0.02; done`;
  const behind: [string, string][] = [
    ['a child that holds stdout', `sleep 300 & echo $! >"$RUN/pid"`],
    ['a worker that a launcher started without exec', `sh -c 'echo $$ >"$RUN/pid"; sleep 300; :' & ${wait}`],
    ['a session of its own', `setsid sh -c 'echo $$ >"$RUN/pid"; exec sleep 300' >/dev/null 2>&1& ${wait}`],
    ['a double fork', `(setsid sh -c 'echo $$ >"$RUN/pid"; exec sleep 300' &); ${wait}`],
    [
      'a cleared environment with the log open',
      `setsid env -i RUN="$RUN" sh -c 'echo $$ >"$RUN/pid"; exec sleep 300' & ${wait}`,
    ],
  ];

  test.each(behind)('%s is ended, and the run does not wait for it', async (_, script) => {
    let runDir = '';
    const trial = await tryShell(`${say(success('ok'))}; ${script}`, {
      onStarted: (__, where) => {
        runDir = where.runDir;
      },
    });
    const pid = Number(await read(join(runDir, 'pid')));
    onTestFinished(() => endProcesses([{ pid }]));
    expect(isAlive(pid)).toBe(false);
    expect(trial.outcome).toMatchObject({ code: 0, signal: null, process: { exit: 'code' } });
    expect(trial.outcome.process.swept.map((one) => one.pid)).toContain(pid);
    expectNothingLeft(trial);
  });

  test('is ended with its launcher, which is killed without being able to pass it on', async () => {
    const trial = await tryShell(`sh -c 'trap "" TERM; while :; do sleep 1; done' & ${say(init())}; wait`, {
      clocks: { wall: 1000, termGrace: 300 },
    });
    expect(trial.outcome.killed).toBe(true);
    expectNothingLeft(trial);
  });
});

describe('a callback that throws', () => {
  const failing: [string, TrialOptions][] = [
    ['onStarted', {}],
    ['onEvent', { onEvent: () => expect.unreachable('its own fault') }],
  ];

  test.each(failing)('%s: the run ends, and the caller is told', async (name, options) => {
    let runId = '';
    const trial = tryShell(`${say(init())}; sleep 600`, {
      ...options,
      onStarted: (_, where) => {
        runId = where.runId;
        if (name === 'onStarted') throw new Error('its own fault');
      },
    });
    await expect(trial).rejects.toThrow('its own fault');
    expect(runId).not.toBe('');
    expect(processesOfRun(runId)).toEqual([]);
  });
});

describe('not started', () => {
  test('a missing executable', async () => {
    const { outcome } = await tryShell('', { plan: { file: '/nonexistent/claude' } });
    expect(outcome).toMatchObject({
      code: null,
      launchError: { code: 'ENOENT' },
      process: { pid: null, exit: 'not-started' },
    });
  });

  test('a missing working directory is named', async () => {
    const { outcome } = await tryShell('', { plan: { cwd: '/nonexistent/dir' } });
    expect(outcome.launchError?.code).toBe('missing-cwd');
    expect(outcome.launchError?.message).toContain('/nonexistent/dir');
  });

  test('an argument or environment that is too large', async () => {
    for (const plan of [{ args: ['-c', 'x'.repeat(300_000)] }, { env: { BIG: 'x'.repeat(3_000_000) } }]) {
      const { outcome } = await tryShell('', { plan });
      expect(outcome).toMatchObject({ launchError: { code: 'E2BIG' }, process: { exit: 'not-started' } });
    }
  });

  test('a NUL byte is refused with the name of its field', async () => {
    const { outcome } = await tryShell('', { plan: { args: ['-c', 'a\0b'] } });
    expect(outcome.launchError).toEqual({ code: 'nul-byte', message: 'argument 2 holds a NUL byte' });
  });
});

describe('stopped', () => {
  const noSandbox = JSON.stringify({
    type: 'system',
    subtype: 'init',
    session_id: 'S1',
    sandbox_enabled: false,
  });

  test('when the sandbox that is required is off', async () => {
    const trial = await tryShell(`${say(noSandbox)}; sleep 600`, { plan: { sandboxRequired: true } });
    expect(trial.outcome).toMatchObject({
      stopped: { kind: 'sandbox' },
      signal: 'SIGTERM',
      process: { exit: 'signal' },
    });
    expectNothingLeft(trial);
  });

  test('also when the run was over before it was noticed', async () => {
    const { outcome } = await tryShell(say(noSandbox, success('ok')), { plan: { sandboxRequired: true } });
    expect(outcome.stopped?.kind).toBe('sandbox');
  });

  test('not where none is required, and not where the CLI does not say', async () => {
    expect((await tryShell(say(noSandbox, success('ok')))).outcome.stopped).toBe(null);
    const older = await tryShell(say(init(), success('ok')), { plan: { sandboxRequired: true } });
    expect(older.outcome.stopped).toBe(null);
  });

  test('when the disk has less free space than it must', async () => {
    const { bavail, bsize } = statfsSync(tmpdir());
    const trial = await tryShell(`${say(init())}; sleep 600`, {
      limits: { minFreeBytes: bavail * bsize * 2 },
    });
    expect(trial.outcome).toMatchObject({ stopped: { kind: 'disk' }, process: { exit: 'signal' } });
    expect(trial.outcome.stopped?.message).toMatch(
      /nearly full: [\d.]+ [MG]B are free, the limit is [\d.]+ [MG]B/,
    );
    expectNothingLeft(trial);
  });
});

test('a run directory that is removed meanwhile loses nothing of the stream', async () => {
  let runDir = '';
  const { outcome, claim } = await tryNode(
    `const fs = require('node:fs');
     fs.writeSync(1, ${JSON.stringify(`${init()}\n`)});
     const wait = () => {
       if (fs.existsSync(process.env.RUN)) return setTimeout(wait, 10);
       fs.writeSync(1, ${JSON.stringify(`${success('after')}\n`)});
     };
     wait();`,
    {
      onStarted: (_, where) => {
        runDir = where.runDir;
      },
      onEvent: (event) => {
        if (event.type === 'session') rmSync(runDir, { recursive: true });
      },
    },
  );
  expect(claim.finalText).toBe('after');
  expect(outcome.code).toBe(0);
});
