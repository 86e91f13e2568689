import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readResult, startDispatch, untilFile } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { isAlive } from '../support/processes.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { lines, prove, proven, result, session } from './proof.ts';

let repository: TestRepository;
beforeAll(() => {
  repository = makeRepository();
});

const INIT = `echo '${session()}'`;
const OK = `echo '${result()}'`;

describe('D: the life of the process', () => {
  it('D1 a process that stays after its result is ended, and the work counts', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; ${INIT}; ${OK}; exec sleep 600`);
    const run = await proven(where, { cd: repository.dir, args: ['--completion-grace', '1s'] });
    expect(run.result).toMatchObject({
      status: 'completed',
      exitCode: 0,
      signal: null,
      process: { exit: 'code', endedAfterResult: true, timeoutKind: null },
    });
  });

  it('D1 an error result of a process that stays is failed, 1', async () => {
    const where = surroundings();
    fakeShell(
      where,
      `cat >/dev/null; ${INIT}; echo '${result({ is_error: true, result: 'no' })}'; exec sleep 600`,
    );
    const run = await proven(where, { cd: repository.dir, args: ['--completion-grace', '1s'] });
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      signal: null,
      error: 'no',
      process: { endedAfterResult: true },
    });
  });

  it('D1 a deadline that passes in the grace changes nothing', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; ${INIT}; ${OK}; exec sleep 600`);
    const run = await proven(where, {
      cd: repository.dir,
      args: ['--completion-grace', '4s', '--timeout', '2s', '--idle-timeout', '2s'],
    });
    expect(run.result).toMatchObject({
      status: 'completed',
      process: { timeoutKind: null, endedAfterResult: true },
    });
  });

  it('D1 an event after the result re-arms the grace, and the last result wins', async () => {
    const where = surroundings();
    fakeShell(
      where,
      `cat >/dev/null; ${INIT}; ${OK}
      for i in 1 2 3 4 5; do sleep 0.6; echo '{"type":"system","subtype":"task_progress"}'; done
      echo '${result({ result: 'the background task is done too' })}'`,
    );
    const run = await proven(where, { cd: repository.dir, args: ['--completion-grace', '2s'] });
    expect(run.result).toMatchObject({
      status: 'completed',
      finalMessage: 'the background task is done too',
      process: { endedAfterResult: false },
    });
  });

  it('D1 a process that leaves by itself in the grace is judged by its exit', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; ${INIT}; ${OK}; sleep 0.5; exit 9`);
    const run = await proven(where, { cd: repository.dir, args: ['--completion-grace', '20s'] });
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 9,
      agent: { claim: 'success' },
      process: { endedAfterResult: false },
    });
  });

  // Each leaves a `sleep` behind in its own way; its number is in the file `left`.
  it.each([
    ['in the background', 'sleep 600 & echo $! >"$LEFT"'],
    ['in a session of its own', `setsid sh -c 'echo $$ >"$LEFT"; exec sleep 600' &`],
    ['twice removed', `( ( setsid sh -c 'echo $$ >"$LEFT"; exec sleep 600' & ) & )`],
    [
      'with its output elsewhere, but the marker',
      `setsid sh -c 'echo $$ >"$LEFT"; exec sleep 600' </dev/null >/dev/null 2>&1 &`,
    ],
    [
      'without environment, but the log open',
      `setsid env -i /bin/sh -c 'echo $$ >"$1"; exec sleep 600' sh "$LEFT" &`,
    ],
    [
      'without environment, but stderr open',
      `setsid env -i /bin/sh -c 'echo $$ >"$1"; exec sleep 600' sh "$LEFT" >/dev/null &`,
    ],
    [
      'with nothing of it, but seen in a sample',
      `setsid env -i /bin/sh -c 'echo $$ >"$1"; exec sleep 600' sh "$LEFT" </dev/null >/dev/null 2>&1 & sleep 3`,
    ],
    ['ignoring TERM', `setsid sh -c 'trap "" TERM; echo $$ >"$LEFT"; while :; do sleep 600; done' &`],
  ])('D2 what the implementer leaves behind does not outlive the run: %s', async (_, leave) => {
    const where = surroundings();
    const left = join(where.root, 'left');
    fakeShell(
      where,
      `LEFT=${quote(left)}; export LEFT; cat >/dev/null; ${INIT}; ${leave}
      while [ ! -s "$LEFT" ]; do sleep 0.02; done
      ${OK}`,
    );
    const run = await proven(where, { cd: repository.dir });
    const pid = Number(readFileSync(left, 'utf8'));
    expect(run.result).toMatchObject({
      status: 'completed',
      process: { exit: 'code', endedAfterResult: false },
    });
    expect(run.result.process.swept.map((one) => one.pid)).toContain(pid);
    expect(isAlive(pid)).toBe(false);
    expect(run.stdout).toMatch(/ended +\d+ process/);
  });

  it('D5 what ignores TERM is killed, after the deadline and after the grace', async () => {
    // Five seconds from TERM to KILL, side by side.
    await Promise.all(
      [
        {
          args: ['--timeout', '2s'],
          says: ':',
          ends: { status: 'timeout', exitCode: 137, signal: 'SIGKILL' },
        },
        {
          args: ['--completion-grace', '1s'],
          says: OK,
          ends: { status: 'completed', exitCode: 0, signal: null },
        },
      ].map(async ({ args, says, ends }) => {
        const where = surroundings();
        const pid = join(where.root, 'pid');
        fakeShell(
          where,
          `trap '' TERM; cat >/dev/null; echo $$ >${quote(pid)}; ${INIT}; ${says}; while :; do sleep 1; done`,
        );
        const run = await proven(where, { cd: temporaryFolder(), args });
        expect(run.result).toMatchObject(ends);
        expect(isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false);
      }),
    );
  });

  it('D5 what ends well on TERM is a timeout all the same, and its exit is not 0', async () => {
    const where = surroundings();
    const last = join(where.root, 'last');
    writeFileSync(last, lines(result()));
    fakeShell(
      where,
      `trap 'cat ${quote(last).replaceAll("'", '"')}; exit 0' TERM; cat >/dev/null; ${INIT}; while :; do sleep 0.1; done`,
    );
    const run = await proven(where, { cd: repository.dir, args: ['--timeout', '2s'] });
    expect(run.result).toMatchObject({
      status: 'timeout',
      exitCode: 1,
      signal: null,
      agent: { claim: 'success' },
      process: { exit: 'timeout', timeoutKind: 'wall' },
    });
    expect(run.result.error).toContain('--timeout 2s');
  });

  it.each([
    ['KILL', 137],
    ['SEGV', 139],
    ['TERM', 143],
    ['HUP', 129],
  ])('D7 a process that something else ended by SIG%s is failed', async (name, exitCode) => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; ${INIT}; kill -${name} $$`);
    const run = await proven(where, { cd: repository.dir, args: ['--timeout', '60s'] });
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode,
      signal: `SIG${name}`,
      process: { exit: 'signal', timeoutKind: null },
    });
    expect(run.result.error).toContain(`SIG${name}`);
  });

  it('D7 a success before the signal does not make it completed', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; ${INIT}; ${OK}; kill -9 $$`);
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'failed', exitCode: 137, agent: { claim: 'success' } });
  });

  it('D8 a launcher that starts the worker without exec leaves no orphan', async () => {
    const where = surroundings();
    const pids = join(where.root, 'pids');
    const worker = join(where.root, 'worker');
    writeFileSync(worker, `#!/bin/sh\necho $$ >${quote(pids)}\n${INIT}\nwhile :; do sleep 1; done\n`);
    chmodSync(worker, 0o755);
    fakeShell(where, `cat >/dev/null; ${quote(worker)}`);
    const run = await proven(where, { cd: repository.dir, args: ['--timeout', '2s'] });
    expect(run.result.status).toBe('timeout');
    expect(isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false);
    expect(run.result.process.swept.length).toBeGreaterThan(0);
  });

  it('D9 only processes of the run are ended: not baton, not its caller, not a neighbour', async () => {
    const where = surroundings();
    const neighbour = surroundings();
    const up = join(neighbour.root, 'up');
    fakeShell(neighbour, `cat >/dev/null; ${INIT}; echo up >${quote(up)}; sleep 2; ${OK}`);
    const other = await startDispatch(neighbour, { cd: makeRepository().dir });
    await untilFile(up);
    fakeShell(where, `cat >/dev/null; ${INIT}; sleep 600 & ${OK}`);
    const run = await proven(where, { cd: repository.dir });
    expect(run.result.process.swept.length).toBe(1);
    const ended = await other.ended;
    expect(prove({ ...ended, dir: other.dir, result: readResult(other.dir) }).result.status).toBe(
      'completed',
    );
  });

  it.each([
    ['no such program', (): undefined => undefined],
    ['a file that cannot be run', (file: string) => writeFileSync(file, 'text', { mode: 0o644 })],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a link to nothing', (file: string) => symlinkSync('/nonexistent', file)],
    [
      'a script without its interpreter',
      (file: string) => writeFileSync(file, '#!/nonexistent/interpreter\n', { mode: 0o755 }),
    ],
  ])('D11 a missing executable settles at once: %s', async (_, make) => {
    const where = surroundings();
    make(join(where.bin, 'claude'));
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({
      status: 'claude_unavailable',
      exitCode: 127,
      claudeVersion: null,
      process: { exit: 'not-started', pid: null },
      evidence: { tree: 'unchanged' },
    });
    expect(run.result.error).toContain('PATH');
  });

  it.each(['', '/nonexistent'])('D11 PATH=%j finds nothing, not even here', async (PATH) => {
    const where = surroundings();
    const here = makeRepository();
    here.write({ claude: '#!/bin/sh\necho hijacked\n' });
    here.setExecutable('claude', true);
    const run = await proven(where, { cd: here.dir, cwd: here.dir, env: { ...where.env, PATH } });
    expect(run.result).toMatchObject({ status: 'claude_unavailable', exitCode: 127 });
  });

  it('D11 a file that is no program is an ordinary failure', async () => {
    const where = surroundings();
    writeFileSync(join(where.bin, 'claude'), '\0\0not a program', { mode: 0o755 });
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({
      status: 'failed',
      claudeVersion: 'unknown',
      agent: { claim: 'none' },
    });
  });

  it('D12 a missing working directory is named, and nothing is made', async () => {
    const where = surroundings();
    fakeShell(where, OK);
    const gone = join(where.root, 'gone');
    const started = await startDispatch(where, { cd: gone });
    const ended = await started.ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(gone);
    expect(existsSync(started.dir)).toBe(false);
  });

  it('D12 a working directory that goes away before the launch is named, not the binary', async () => {
    const where = surroundings();
    const cwd = temporaryFolder();
    fakeShell(where, `[ "$1" = --version ] && { echo 1.0; rmdir ${quote(cwd)}; exit 0; }; ${OK}`, {
      version: null,
    });
    const run = await proven(where, { cd: cwd });
    expect(run.result.status).toBe('failed');
    expect(run.result.error).toContain(cwd);
    expect(run.result.error).not.toContain('PATH');
  });

  /** A program that answers with its version, and at `--version` does something more. */
  function program(version: string, more = ''): string {
    const stream = lines(session(), result({ result: version })).replaceAll('\n', '\\n');
    return `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; ${more}\nexit 0; fi\ncat >/dev/null; printf '${stream}'\n`;
  }

  it('D13 a link that an update moves between the preflight and the launch is followed anew', async () => {
    const where = surroundings();
    const [v1, v2, link] = [join(where.root, 'v1'), join(where.root, 'v2'), join(where.bin, 'claude')];
    writeFileSync(v2, program('2.0'), { mode: 0o755 });
    writeFileSync(v1, program('1.0', `rm ${quote(v1)}; ln -sf ${quote(v2)} ${quote(link)}`), { mode: 0o755 });
    symlinkSync(v1, link);
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: '2.0' });
  });

  it('D13 an executable that went away after the preflight is looked for once more', async () => {
    const where = surroundings();
    const [first, later] = [join(where.bin, 'claude'), join(where.root, 'later')];
    mkdirSync(later);
    writeFileSync(join(later, 'claude'), program('2.0'), { mode: 0o755 });
    writeFileSync(first, program('1.0', `rm ${quote(first)}`), { mode: 0o755 });
    const env = { ...where.env, PATH: `${where.env['PATH']}:${later}` };
    const run = await proven(where, { cd: repository.dir, env });
    expect(run.result).toMatchObject({ status: 'completed', finalMessage: '2.0', claudeVersion: '2.0' });
  });

  it('D13 an executable that is removed between the preflight and the launch is unavailable', async () => {
    const where = surroundings();
    const file = join(where.bin, 'claude');
    fakeShell(where, `[ "$1" = --version ] && { echo 1.0; rm ${quote(file)}; exit 0; }`, { version: null });
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'claude_unavailable', exitCode: 127 });
  });

  it('D13 the version is recorded, and the updater is off unless the user says otherwise', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; ${INIT}; echo "updater $DISABLE_AUTOUPDATER" >&2; ${OK}`);
    const [plain, own] = [
      await proven(where, { cd: repository.dir }),
      await proven(where, { cd: repository.dir, env: { ...where.env, DISABLE_AUTOUPDATER: '0' } }),
    ];
    expect(plain.stderr).toBe('updater 1\n');
    expect(own.stderr).toBe('updater 0\n');
    expect(plain.result.claudeVersion).toBe('2.1.332 (Claude Code)');
  });
});
