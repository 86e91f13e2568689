import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runCommand, type CommandRequest } from '../../src/core/command.ts';

const base: CommandRequest = {
  file: '/bin/sh',
  args: [],
  cwd: tmpdir(),
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 30_000,
};
const sh = (script: string, more: Partial<CommandRequest> = {}) =>
  runCommand({ ...base, args: ['-c', script], ...more });

describe('runCommand', () => {
  it('gives code, stdout and stderr', async () => {
    const result = await sh('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ end: 'exited', code: 3, signal: null, stderr: 'err\n' });
    expect(result.stdout.toString()).toBe('out\n');
  });

  it('closes stdin, so that a command which reads it does not hang', async () => {
    expect((await sh('cat; echo done')).stdout.toString()).toBe('done\n');
  });

  it('passes input byte for byte', async () => {
    const input = Buffer.from([0, 255, 10, 0]);
    expect((await sh('cat', { input })).stdout).toEqual(input);
  });

  it('ends a command that ignores TERM, with its children, when its time is up', async () => {
    const result = await sh('trap "" TERM; echo $$; sleep 60 & wait', { timeoutMs: 500 });
    expect(result.end).toBe('timeout');
  });

  it('does not wait for a grandchild that holds the pipe', async () => {
    const result = await sh('sleep 5 & echo $!; exit 0');
    expect(result).toMatchObject({ end: 'exited', code: 0 });
    process.kill(Number(result.stdout.toString()), 'SIGKILL');
  });

  it('says why it could not start', async () => {
    expect(await runCommand({ ...base, file: '/no/such/file' })).toMatchObject({
      end: 'not-started',
      failure: { code: 'ENOENT' },
    });
    expect(await runCommand({ ...base, args: ['x'.repeat(3_000_000)] })).toMatchObject({
      end: 'not-started',
      failure: { code: 'E2BIG' },
    });
  });

  it('stops at the byte limit', async () => {
    expect((await sh('yes', { maxBytes: 1000 })).end).toBe('overflow');
  });

  it('can be aborted, before and during', async () => {
    expect((await sh('sleep 60', { signal: AbortSignal.abort() })).end).toBe('aborted');
    const controller = new AbortController();
    const running = sh('sleep 60', { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect((await running).end).toBe('aborted');
  });

  it('tells a signal from an exit', async () => {
    expect(await sh('kill -9 $$')).toMatchObject({ end: 'signalled', signal: 'SIGKILL', code: null });
  });
});
