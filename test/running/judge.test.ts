import { describe, expect, it } from 'vitest';
import { judge, judgeAbort, judgePreflight, type JudgedRun } from '../../src/running/judge.ts';
import { NO_STREAM, noProcess } from '../../src/dispatch/not-started.ts';
import { claude } from '../../src/implementers/claude/claude.ts';
import type { AgentClaim } from '../../src/implementers/events.ts';
import type { Probe } from '../../src/implementers/implementer.ts';
import type { ProcessBlock } from '../../src/rundir/result.ts';
import type { RunOutcome } from '../../src/running/contract.ts';

function run(claim: Partial<AgentClaim>): JudgedRun {
  return {
    id: 'claude',
    unavailable: 'claude_unavailable',
    claim: { ...claude.reader().claim(), ...claim },
    clockFlags: { wall: '--timeout 5m', firstEvent: '--first-event-timeout 9s', idle: '--idle-timeout 7s' },
  };
}

function outcome(ended: Partial<ProcessBlock>, more: Partial<RunOutcome> = {}): RunOutcome {
  return {
    process: { ...noProcess('code', 5), pid: 7, ...ended },
    stream: NO_STREAM,
    code: 0,
    signal: null,
    launchError: null,
    stopped: null,
    killed: false,
    gaps: [],
    ...more,
  };
}

const SUCCESS = { claim: 'success', subtype: 'success' } as const;
const ERROR = { claim: 'error', errorText: 'slow down' } as const;

describe('judge', () => {
  it('completes only with a clean exit and a success claim', () => {
    expect(judge(run(SUCCESS), outcome({}))).toEqual({
      status: 'completed',
      exitCode: 0,
      signal: null,
      error: null,
    });
  });

  it('fails an error claim with exit 0, and keeps its text', () => {
    expect(judge(run(ERROR), outcome({}))).toEqual({
      status: 'failed',
      exitCode: 1,
      signal: null,
      error: 'slow down',
    });
  });

  it('fails exit 0 without a terminal event', () => {
    expect(judge(run({}), outcome({}))).toMatchObject({
      status: 'failed',
      exitCode: 1,
      error: expect.stringContaining('terminal event'),
    });
  });

  it('mirrors a non-zero exit, also with a success claim', () => {
    expect(judge(run(SUCCESS), outcome({}, { code: 3 }))).toMatchObject({
      status: 'failed',
      exitCode: 3,
      error: expect.stringContaining('exited 3'),
    });
    expect(judge(run(ERROR), outcome({}, { code: 4 }))).toMatchObject({
      status: 'failed',
      exitCode: 4,
      error: 'slow down',
    });
    expect(judge(run({}), outcome({}, { code: 5 }))).toMatchObject({ status: 'failed', exitCode: 5 });
  });

  it('gives 128+n for a signal that baton did not send', () => {
    expect(judge(run(SUCCESS), outcome({ exit: 'signal' }, { code: null, signal: 'SIGKILL' }))).toMatchObject(
      {
        status: 'failed',
        exitCode: 137,
        signal: 'SIGKILL',
      },
    );
  });

  it.each([
    ['wall', '--timeout 5m'],
    ['idle', '--idle-timeout 7s'],
    ['first-event', '--first-event-timeout 9s'],
  ] as const)('names the flag of the %s clock, and never exits 0', (timeoutKind, flag) => {
    const ended = { exit: 'timeout', timeoutKind } as const;
    expect(judge(run({}), outcome(ended))).toMatchObject({
      status: 'timeout',
      exitCode: 1,
      error: expect.stringContaining(flag),
    });
    expect(judge(run(SUCCESS), outcome(ended, { code: 143 }))).toMatchObject({
      status: 'timeout',
      exitCode: 143,
    });
    expect(judge(run({}), outcome(ended, { code: null, signal: 'SIGTERM' }))).toMatchObject({
      exitCode: 143,
      signal: 'SIGTERM',
    });
  });

  it('does not judge the exit of what it ended in the completion grace', () => {
    const ended = { endedAfterResult: true };
    expect(judge(run(SUCCESS), outcome(ended, { code: null }))).toEqual({
      status: 'completed',
      exitCode: 0,
      signal: null,
      error: null,
    });
    expect(judge(run(ERROR), outcome(ended, { code: null }))).toMatchObject({
      status: 'failed',
      exitCode: 1,
      signal: null,
    });
  });

  it('says 127 for a missing executable and a reason for other launch failures', () => {
    const failed = (code: string) =>
      outcome(
        { exit: 'not-started' },
        { code: null, launchError: { code, message: 'argument list too long' } },
      );
    expect(judge(run({}), failed('ENOENT'))).toMatchObject({ status: 'claude_unavailable', exitCode: 127 });
    expect(judge(run({}), failed('E2BIG'))).toMatchObject({
      status: 'failed',
      exitCode: 1,
      error: expect.stringContaining('E2BIG'),
    });
  });

  it('fails a run that baton stopped for the disk or the sandbox, whatever it claims', () => {
    const stopped = { kind: 'disk', message: 'only 3 bytes are free' } as const;
    expect(judge(run(SUCCESS), outcome({}, { stopped, code: null, signal: 'SIGTERM' }))).toMatchObject({
      status: 'failed',
      exitCode: 143,
      error: stopped.message,
    });
    expect(judge(run(SUCCESS), outcome({}, { stopped }))).toMatchObject({ status: 'failed', exitCode: 1 });
  });
});

it('judges a preflight that hung, or found nothing', () => {
  const probe: Probe = { answer: 'hung', binary: '/bin/claude', version: 'unknown', warnings: [] };
  expect(judgePreflight(run({}), probe, 10_000)).toMatchObject({
    status: 'timeout',
    exitCode: 124,
    error: expect.stringContaining('nothing was dispatched'),
  });
  expect(judgePreflight(run({}), { ...probe, answer: 'missing' }, 10_000)).toMatchObject({
    status: 'claude_unavailable',
    exitCode: 127,
    error: 'no executable `claude` on PATH: install it, or put its folder on PATH',
  });
  const why = '/bin/claude is a script for /opt/node, which is not there';
  expect(judgePreflight(run({}), { ...probe, answer: 'missing', why }, 10_000).error).toBe(
    `the \`claude\` on PATH cannot be started: ${why}; install it again`,
  );
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('an abort by %s exits %d', (signal, exitCode) => {
  expect(judgeAbort(signal)).toMatchObject({ status: 'aborted', exitCode, signal });
});
