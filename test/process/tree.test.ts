import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { RUN_MARKER } from '../../src/core/environment.ts';
import { newRunId } from '../../src/core/ids.ts';
import { birthOf, isAlive } from '../../src/process/birth.ts';
import { Members } from '../../src/process/members.ts';
import { identityOf } from '../../src/process/open-files.ts';
import { readEntry, readTable } from '../../src/process/table.ts';
import { ProcessTree, type TreeEnd } from '../../src/process/tree.ts';
import { surroundings } from '../support/environment.ts';
import { endProcesses } from '../support/processes.ts';

const never = new AbortController().signal;

/** A shell script as the leader of a run, with `$LOG` open as its stdout. `pidOf` reads a number it wrote to a file. */
async function grow(script: string): Promise<{
  child: ChildProcess;
  tree: ProcessTree;
  log: string;
  env: Record<string, string>;
  pidOf: (file: string) => Promise<number>;
  end: (termGraceMs?: number, hurry?: AbortSignal) => Promise<TreeEnd>;
}> {
  const where = surroundings();
  const log = join(where.root, 'log');
  const runId = newRunId();
  const fd = openSync(log, 'a');
  const env = { ...where.env, LOG: log, [RUN_MARKER]: runId };
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: where.root,
    env,
    detached: true,
    stdio: ['ignore', fd, 'ignore'],
  });
  const tree = new ProcessTree({ pid: child.pid ?? 0, runId, logs: [identityOf(fd)] });
  closeSync(fd);
  const pidOf = async (file: string): Promise<number> => {
    const path = join(where.root, file);
    while (!existsSync(path) || readFileSync(path, 'utf8').trim() === '') await sleep(10);
    const pid = Number(readFileSync(path, 'utf8'));
    onTestFinished(() => endProcesses([{ pid }]));
    return pid;
  };
  const end = (termGraceMs = 5000, hurry = never): Promise<TreeEnd> => tree.end({ termGraceMs, hurry });
  return { child, tree, log, env, pidOf, end };
}

const exited = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

test('with nothing left there is nothing to do', async () => {
  const { child, end } = await grow('exit 0');
  await exited(child);
  expect(await end()).toEqual({ swept: [], survivors: [], killed: false, gaps: [] });
});

test('TERM is enough for those who heed it', async () => {
  const { child, pidOf, end } = await grow('sleep 300 & echo $! >pid; wait');
  const pid = await pidOf('pid');
  const { swept, killed, survivors } = await end();
  expect(swept.map((one) => one.pid)).toEqual([pid]);
  expect({ killed, survivors }).toEqual({ killed: false, survivors: [] });
  await exited(child);
  expect(child.signalCode).toBe('SIGTERM');
  expect(isAlive(pid, null)).toBe(false);
});

test('KILL after the grace for those who ignore it, whatever they did with TERM', async () => {
  const { child, pidOf, end } = await grow(
    `trap '' TERM; sh -c 'trap "" TERM; echo $$ >pid; while :; do sleep 300; done' & while :; do sleep 300; done`,
  );
  const pid = await pidOf('pid');
  const { killed, survivors } = await end(300);
  expect({ killed, survivors }).toEqual({ killed: true, survivors: [] });
  await exited(child);
  expect(child.signalCode).toBe('SIGKILL');
  expect(isAlive(pid, null)).toBe(false);
});

test('a hurry skips the grace', async () => {
  const { child, pidOf, end } = await grow(`trap '' TERM; echo $$ >pid; while :; do sleep 300; done`);
  await pidOf('pid');
  const hurry = new AbortController();
  setTimeout(() => hurry.abort(), 100);
  expect(await end(3_600_000, hurry.signal)).toMatchObject({ killed: true, survivors: [] });
  await exited(child);
});

test('one TERM each: a second one could cut a clean-up short', async () => {
  const { pidOf, end, log } = await grow(`
    trap 'echo term; n=$((n+1))' TERM; n=0; echo $$ >pid
    while [ $n -eq 0 ]; do sleep 0.05; done; sleep 0.5; exit 0`);
  await pidOf('pid');
  await end();
  expect(readFileSync(log, 'utf8')).toBe('term\n');
});

test('it looks again until nothing is found: who starts another on TERM gains nothing', async () => {
  const { child, pidOf, end } = await grow(`
    trap 'setsid sleep 300 >/dev/null & echo $! >heir; exit 0' TERM
    echo $$ >pid; while :; do sleep 0.05; done`);
  await pidOf('pid');
  // Whether the heir goes at the TERM is the shell's affair: one that is asked before it has let go of the trap loses it.
  expect(await end(2_000)).toMatchObject({ survivors: [] });
  await exited(child);
  expect(isAlive(await pidOf('heir'), null)).toBe(false);
});

const escapes: [string, string][] = [
  ['in a session of its own', `setsid sleep 300 >/dev/null & echo $! >pid`],
  ['double-forked, in a session of its own', `(setsid sh -c 'echo $$ >pid; exec sleep 300' >/dev/null &)`],
  ['in the group, without marker and log', `env -i sh -c 'echo $$ >pid; exec sleep 300' >/dev/null &`],
  ['by its marker alone', `setsid sh -c 'sleep 0.1; echo $$ >pid; exec sleep 300' >/dev/null 2>&1 &`],
  [
    'by the log alone, its environment cleared',
    `setsid env -i sh -c 'sleep 0.1; echo $$ >pid; exec sleep 300' &`,
  ],
];

test.each(escapes)('what outlives the leader is found: %s', async (_, script) => {
  const { child, pidOf, end } = await grow(script);
  await exited(child);
  const pid = await pidOf('pid');
  const found = await end();
  expect(found.swept.map((one) => one.pid)).toContain(pid);
  expect(found.survivors).toEqual([]);
  expect(isAlive(pid, null)).toBe(false);
});

test('what was seen in a sample is found though it then dropped every trace', async () => {
  const { child, pidOf, end } = await grow(
    `setsid env -i sh -c 'echo $$ >pid; exec sleep 300' >/dev/null 2>&1 & sleep 2.5`,
  );
  const pid = await pidOf('pid');
  await exited(child);
  expect(readEntry(pid)?.parent).not.toBe(child.pid);
  expect((await end()).swept).toEqual([{ pid, command: 'sleep 300' }]);
  expect(isAlive(pid, null)).toBe(false);
});

test('children of what is found are ended too, though nothing else ties them to the run', async () => {
  const { child, pidOf, end } = await grow(
    `setsid sh -c 'setsid env -i sh -c "echo \\$\\$ >pid; exec sleep 300" >/dev/null & wait' >/dev/null 2>&1 &`,
  );
  await exited(child);
  const pid = await pidOf('pid');
  await end();
  expect(isAlive(pid, null)).toBe(false);
});

test('a bystander is left alone: a reader of the log, a marker that is longer, or inside another variable', async () => {
  const { child, log, env, end } = await grow('exit 0');
  await exited(child);
  const marker = env[RUN_MARKER] ?? '';
  const bystander = (command: string, args: string[], extra: Record<string, string>): ChildProcess => {
    const one = spawn(command, args, {
      env: { PATH: env['PATH'] ?? '', ...extra },
      detached: true,
      stdio: 'ignore',
    });
    onTestFinished(() => endProcesses([{ pid: one.pid ?? 0 }]));
    return one;
  };
  const ones = [
    bystander('tail', ['-f', log], {}),
    bystander('sleep', ['300'], { [RUN_MARKER]: `${marker}0` }),
    bystander('sleep', ['300'], { [`X_${RUN_MARKER}`]: marker }),
    bystander('sleep', ['300'], { OTHER: `${RUN_MARKER}=${marker}` }),
  ];
  await sleep(200);
  expect(await end()).toMatchObject({ swept: [], survivors: [] });
  for (const one of ones) expect(isAlive(one.pid ?? 0, null)).toBe(true);
});

test('a process that has only the leader’s number is never touched', async () => {
  const other = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => endProcesses([{ pid: other.pid ?? 0 }]));
  const pid = other.pid ?? 0;
  const leader = { pid, birth: 'another birth', started: 0 };
  const members = new Members({ leader, runId: newRunId(), logs: [] }, 'linux');
  expect(members.search(readTable()).found).toEqual([]);
  expect(members.ownsGroup([])).toBe(false);

  const same = new Members(
    { leader: { ...leader, birth: birthOf(pid) }, runId: newRunId(), logs: [] },
    'linux',
  );
  expect(same.search(readTable()).found.map((entry) => entry.pid)).toEqual([pid]);
});

test('neither we nor our ancestors nor the first process are ever members', () => {
  for (const pid of [process.pid, process.ppid, 1, 0, -1]) {
    const leader = { pid, birth: birthOf(pid), started: 0 };
    const { found } = new Members({ leader, runId: newRunId(), logs: [] }, 'linux').search(readTable());
    const untouchable = [process.pid, process.ppid, 1];
    expect(found.filter((entry) => untouchable.includes(entry.pid))).toEqual([]);
  }
});

test('as where only ps tells: the group, the parents and the samples are ended', async () => {
  const where = surroundings();
  const script = `setsid sh -c 'echo $$ >pid; exec sleep 300' & sleep 300 & wait`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: where.root,
    env: where.env,
    detached: true,
    stdio: 'ignore',
  });
  const tree = new ProcessTree({ pid: child.pid ?? 0, runId: newRunId(), logs: [] }, 'darwin');
  const path = join(where.root, 'pid');
  writeFileSync(path, '', { flag: 'a' });
  while (readFileSync(path, 'utf8') === '') await sleep(10);
  const end = await tree.end({ termGraceMs: 5000, hurry: never });
  expect(end).toMatchObject({ survivors: [], killed: false, gaps: [expect.stringContaining('darwin')] });
  expect(end.swept).toHaveLength(2);
  expect(end.swept.map((one) => one.pid)).toContain(Number(readFileSync(path, 'utf8')));
  await exited(child);
});
