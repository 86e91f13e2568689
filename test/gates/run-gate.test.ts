import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Gate } from '../../src/gates/gate.ts';
import { GATE_LIMITS, type GateOutcome, runGate } from '../../src/gates/run-gate.ts';
import { temporaryFolder } from '../support/temporary.ts';

const never = new AbortController().signal;

interface Ran {
  outcome: GateOutcome;
  top: string;
  output: string;
}

async function run(command: string, more: Partial<Gate> = {}, maxOutputBytes = 1e9): Promise<Ran> {
  const top = temporaryFolder();
  return { ...(await runIn(top, command, more, maxOutputBytes)), top };
}

async function runIn(
  top: string,
  command: string,
  more: Partial<Gate> = {},
  maxOutputBytes = 1e9,
  signal = never,
): Promise<Omit<Ran, 'top'>> {
  const output = join(temporaryFolder(), 'out.txt');
  const gate: Gate = {
    name: 'g',
    command,
    cwd: '.',
    timeoutMs: 60_000,
    env: {},
    when: [],
    source: 'flag',
    ...more,
  };
  const outcome = await runGate(gate, {
    top,
    output,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
    limits: { ...GATE_LIMITS, maxOutputBytes },
    signal,
    hurry: never,
  });
  return { outcome, output };
}

it('keeps both streams in their order, gives no stdin, and takes the exit', async () => {
  const { outcome, output } = await run('echo a; echo b >&2; cat; echo c; exit 5');
  expect(outcome).toMatchObject({
    started: true,
    end: 'itself',
    code: 5,
    signal: null,
    swept: [],
    survivors: [],
  });
  expect(readFileSync(output, 'utf8')).toBe('a\nb\nc\n');
  expect(statSync(output).mode & 0o777).toBe(0o600);
});

it('ends a gate that never stops printing', async () => {
  const { outcome } = await run('yes', {}, 1_000_000);
  expect(outcome).toMatchObject({ started: true, end: 'too-much-output', survivors: [] });
});

it('starts nothing in a directory that leads out of the tree, and nothing that holds a NUL byte', async () => {
  const top = temporaryFolder();
  symlinkSync(temporaryFolder(), join(top, 'out'));
  writeFileSync(join(top, 'file'), '');
  expect((await runIn(top, 'touch ran', { cwd: 'out' })).outcome).toEqual({
    started: false,
    reason: 'its directory out leads out of the working tree',
  });
  expect((await runIn(top, 'true', { cwd: 'file' })).outcome).toMatchObject({ started: false });
  expect((await runIn(top, 'true\0')).outcome).toMatchObject({ started: false });
  expect((await runIn(top, 'x'.repeat(5_000_000))).outcome).toMatchObject({ started: false });
});

it('never writes its output into a file that is there already', async () => {
  const top = temporaryFolder();
  const first = await runIn(top, 'echo a');
  const gate: Gate = {
    name: 'g',
    command: 'touch ran',
    cwd: '.',
    timeoutMs: 1000,
    env: {},
    when: [],
    source: 'flag',
  };
  const again = await runGate(gate, {
    top,
    output: first.output,
    env: {},
    limits: GATE_LIMITS,
    signal: never,
    hurry: never,
  });
  expect(again).toMatchObject({ started: false });
  expect(existsSync(join(top, 'ran'))).toBe(false);
});

it('does not begin to wait for one that is aborted already', async () => {
  const aborted = AbortSignal.abort();
  const { outcome } = await runIn(temporaryFolder(), 'sleep 300', {}, 1e9, aborted);
  expect(outcome).toMatchObject({ started: true, end: 'abort', survivors: [] });
});
