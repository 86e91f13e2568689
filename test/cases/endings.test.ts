import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  dispatch,
  PROGRAMS,
  readResult,
  runBaton,
  startDispatch,
  until,
  untilDead,
  untilFile,
  type StartedDispatch,
} from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeNode, fakeSaying, fakeShell, quote } from '../support/fake.ts';
import { isAlive, processesUnder } from '../support/processes.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  fakeBytes,
  fakeDoing,
  lines,
  prove,
  proven,
  proveWholeOrAbsent,
  type Proven,
  result,
  session,
} from './proof.ts';

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

async function endOf(run: StartedDispatch): Promise<Proven> {
  return prove({ ...(await run.ended), dir: run.dir, result: readResult(run.dir) });
}

describe('D10: baton is asked to stop', () => {
  /** The waits of an abort side by side. */
  async function forEachSignal(
    check: (name: NodeJS.Signals, exitCode: number) => Promise<void>,
  ): Promise<void> {
    await Promise.all(SIGNALS.map(([name, exitCode]) => check(name, exitCode)));
  }

  it('D10 a signal while the implementer works: aborted, 128 + n, and no orphan', () =>
    forEachSignal(async (name, exitCode) => {
      const where = surroundings();
      const repository = makeRepository();
      const up = join(where.root, 'up');
      fakeShell(
        where,
        `cat >/dev/null; echo '${session()}'; echo x >half.txt; setsid sleep 600 & echo $! >${quote(up)}; wait; sleep 600`,
      );
      const run = await startDispatch(where, { cd: repository.dir });
      const grandchild = Number(await untilFile(up));
      run.signal(name);
      const ended = await endOf(run);
      expect(ended.result).toMatchObject({
        status: 'aborted',
        exitCode,
        signal: name,
        sessionId: 'S1',
        process: { exit: 'aborted' },
        evidence: { tree: 'changed', changes: [{ path: 'half.txt' }] },
        touchedFiles: ['?? half.txt'],
      });
      expect(ended.result.error).toContain(name);
      expect(isAlive(grandchild)).toBe(false);
      expect(ended.stdout).toContain('half.txt');
    }));

  it('D10 the result is there at once, and again with the tree as it then is', async () => {
    const where = surroundings();
    const repository = makeRepository();
    const [up, asked] = [join(where.root, 'up'), join(where.root, 'asked')];
    fakeNode(
      where,
      `const { writeFileSync } = require('node:fs');
      process.stdin.resume();
      process.on('SIGTERM', () => {
        writeFileSync(${JSON.stringify(asked)}, 'yes');
        setTimeout(() => writeFileSync('late.txt', 'written after the request\\n'), 500);
      });
      console.log(${JSON.stringify(session())});
      setInterval(() => {}, 1000);
      writeFileSync(${JSON.stringify(up)}, String(process.pid));`,
    );
    const run = await startDispatch(where, { cd: repository.dir });
    const pid = Number(await untilFile(up));
    run.signal('SIGTERM');
    const first = await until('the first result', () => readResult(run.dir) ?? undefined);
    expect(isAlive(pid)).toBe(true);
    expect(first).toMatchObject({
      status: 'aborted',
      exitCode: 143,
      sessionId: 'S1',
      process: { pid },
      evidence: { tree: 'unknown', coverage: { complete: false } },
    });
    await untilFile(asked);
    expect(isAlive(pid)).toBe(true);
    const ended = await endOf(run);
    expect(ended.result).toMatchObject({
      status: 'aborted',
      exitCode: 143,
      evidence: { tree: 'changed', changes: [{ path: 'late.txt' }] },
    });
    expect(ended.result.runId).toBe(first.runId);
    expect(isAlive(pid)).toBe(false);
  });

  it.each([
    ['SIGINT', 'SIGINT', 130],
    ['SIGTERM', 'SIGINT', 143],
    ['SIGHUP', 'SIGTERM', 129],
  ] as const)('D10 %s and then %s skips the waits', async (first, second, exitCode) => {
    const where = surroundings();
    const up = join(where.root, 'up');
    fakeShell(
      where,
      `cat >/dev/null; trap '' TERM INT HUP; echo '${session()}'; echo $$ >${quote(up)}; while :; do sleep 1; done`,
    );
    const run = await startDispatch(where, { cd: makeRepository().dir });
    const pid = Number(await untilFile(up));
    run.signal(first);
    await until('the first result', () => readResult(run.dir) ?? undefined);
    const asked = performance.now();
    run.signal(second);
    await untilDead(pid);
    // Without the second signal it is five seconds from the first one until KILL.
    expect(performance.now() - asked).toBeLessThan(4_000);
    const ended = await endOf(run);
    expect(ended.result).toMatchObject({ status: 'aborted', exitCode, signal: first });
  });

  it('D10 a signal in a preflight that hangs', () =>
    forEachSignal(async (name, exitCode) => {
      const where = surroundings();
      const [up, launched] = [join(where.root, 'up'), join(where.root, 'launched')];
      fakeShell(
        where,
        `[ "$1" = --version ] && { trap '' TERM; echo $$ >${quote(up)}; while :; do sleep 1; done; }; echo yes >${quote(launched)}`,
        { version: null },
      );
      const run = await startDispatch(where, { cd: makeRepository().dir });
      const pid = Number(await untilFile(up));
      run.signal(name);
      const ended = await endOf(run);
      expect(ended.result).toMatchObject({
        status: 'aborted',
        exitCode,
        signal: name,
        process: { exit: 'aborted', pid: null },
      });
      await untilDead(pid);
      expect(existsSync(launched)).toBe(false);
    }));

  it('D10 a signal, twice, in the snapshot before the launch', () =>
    forEachSignal(async (name, exitCode) => {
      const where = surroundings();
      const repository = makeRepository();
      const [up, launched] = [join(where.root, 'up'), join(where.root, 'launched')];
      fakeShell(where, `echo yes >${quote(launched)}`);
      slowGit(where, up);
      const run = await startDispatch(where, { cd: repository.dir });
      await untilFile(up);
      run.signal(name);
      await until('the first result', () => readResult(run.dir) ?? undefined);
      run.signal(name);
      const ended = await endOf(run);
      expect(ended.result).toMatchObject({
        status: 'aborted',
        exitCode,
        process: { exit: 'aborted', pid: null },
        evidence: { tree: 'unknown' },
      });
      expect(existsSync(launched)).toBe(false);
      expect(processesUnder(where.root).filter(({ command }) => command.startsWith('sleep'))).toEqual([]);
    }));

  /** A git that answers where the repository is, and then hangs. */
  function slowGit(where: Surroundings, up: string): void {
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], {
      env: where.env,
      encoding: 'utf8',
    }).trim();
    writeFileSync(
      join(where.bin, 'git'),
      `#!/bin/sh\ncase "$*" in *rev-parse*) exec ${quote(git)} "$@";; esac\necho hang >${quote(up)}\nexec sleep 600\n`,
      { mode: 0o755 },
    );
  }

  it('D10 at any moment of a run: whole result or none, right exit code, no orphan', async () => {
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo '${session()}'; sleep 0.1; echo '${result()}'`);
    const moments = Array.from({ length: 14 }, (_, index) => index * 40);
    await Promise.all(
      moments.map(async (moment) => {
        const repository = makeRepository();
        const run = await startDispatch(where, { cd: repository.dir });
        await new Promise((resolve) => setTimeout(resolve, moment));
        run.signal('SIGTERM');
        const ended = await run.ended;
        const written = readResult(run.dir);
        // When the run is over and Node itself is on its way out, nobody listens any more: the result is there all the same.
        const leaving = written?.status === 'completed' && ended.signal === 'SIGTERM';
        if (written) {
          const end = leaving ? { ...ended, code: written.exitCode, signal: null } : ended;
          prove({ ...end, dir: run.dir, result: written });
        }
        // Before it listens, the signal ends baton itself; after the end of the run it comes too late.
        const outcome = written?.status ?? ended.signal ?? ended.stderr;
        expect(['SIGTERM', 'aborted', 'completed']).toContain(outcome);
        expect(ended.code).toBe(outcome === 'aborted' ? 143 : outcome === 'completed' && !leaving ? 0 : null);
        expect(processesUnder(repository.dir)).toEqual([]);
      }),
    );
  });

  it('D10 a signal that comes with the end of the run keeps the result', async () => {
    const where = surroundings();
    const up = join(where.root, 'up');
    fakeShell(
      where,
      `cat >/dev/null; echo '${session()}'; echo '${result()}'; echo up >${quote(up)}; exec sleep 600`,
    );
    const run = await startDispatch(where, { cd: makeRepository().dir, args: ['--completion-grace', '60s'] });
    await untilFile(up);
    run.signal('SIGINT');
    const ended = await endOf(run);
    expect(ended.result).toMatchObject({
      status: 'aborted',
      exitCode: 130,
      agent: { claim: 'success' },
      finalMessage: 'done',
    });
  });
});

describe('endings: what an implementer can do, and what the sandbox says', () => {
  it('B1 a sandbox that is off ends the run, and nothing is widened', async () => {
    const where = surroundings();
    const late = join(where.root, 'late');
    fakeShell(
      where,
      `cat >/dev/null; echo '${session('S1', { sandbox_enabled: false })}'; sleep 5; echo late >${quote(late)}; echo '${result()}'`,
    );
    const run = await proven(where, { cd: makeRepository().dir });
    expect(run.result).toMatchObject({
      status: 'failed',
      agent: { reason: 'sandbox-unavailable', retryable: false },
    });
    expect(run.result.error).toContain('sandbox');
    expect(existsSync(late)).toBe(false);
    // A read-only run has no shell, so there is nothing to sandbox.
    fakeBytes(where, lines(session('S1', { sandbox_enabled: false }), result()));
    const reader = await proven(where, { cd: makeRepository().dir, args: ['--read-only'] });
    expect(reader.result.status).toBe('completed');
  });

  it('B1 settings of the user that undo the sandbox are a warning and a gap', async () => {
    const where = surroundings();
    mkdirSync(join(where.home, '.claude'));
    writeFileSync(join(where.home, '.claude', 'settings.json'), '{"sandbox":{"excludedCommands":["git *"]}}');
    fakeDoing(where, 'git tag v9');
    const run = await proven(where, { cd: makeRepository().dir });
    expect(run.stderr).toContain('excludedCommands');
    expect(run.result.evidence.coverage.complete).toBe(false);
    expect(run.result.evidence.violations).toMatchObject([{ kind: 'ref', actor: 'implementer-possible' }]);
  });

  it('B1 the mode and the model of the session are what the stream says', async () => {
    const where = surroundings();
    fakeBytes(where, lines(session('S1', { permissionMode: 'default', model: 'claude-test' }), result()));
    const run = await proven(where, { cd: makeRepository().dir, args: ['--model', 'sonnet'] });
    expect(run.result).toMatchObject({
      permissionMode: 'default',
      model: 'sonnet',
      agent: { model: 'claude-test' },
    });
  });
});

describe('K: the result cannot be written', () => {
  it('K2 a run directory that is removed under the run: said, with the reason, and not made again', async () => {
    const where = surroundings();
    const repository = makeRepository();
    const outDir = join(where.root, 'run');
    fakeDoing(where, `rm -rf ${quote(outDir)}; echo x >made.txt`);
    const run = await dispatch(where, { cd: repository.dir, outDir, args: ['--json'] });
    expect(run.result).toBe(null);
    expect(existsSync(outDir)).toBe(false);
    expect(run.code).toBeGreaterThan(0);
    expect(run.stderr).toMatch(/^baton: .*removed.*\n$/m);
    expect(run.stderr).not.toMatch(/unexpected|^\s+at /m);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'completed' });
  });

  it('K2 a run directory that is removed in the preflight: the same', async () => {
    const where = surroundings();
    const outDir = join(where.root, 'run');
    const launched = join(where.root, 'launched');
    fakeShell(
      where,
      `[ "$1" = --version ] && { rm -rf ${quote(outDir)}; echo 1.0; exit 0; }; echo yes >${quote(launched)}; echo '${result()}'`,
      { version: null },
    );
    const run = await dispatch(where, { cd: makeRepository().dir, outDir });
    expect(run.result).toBe(null);
    expect(run.code).toBeGreaterThan(0);
    expect(run.stderr).toMatch(/^baton: [^\n]*\n$/);
    expect(run.stderr).not.toMatch(/unexpected/);
    expect(run.stderr).toContain(outDir);
  });

  it('K2 a run directory that is removed while baton ends an aborted run: the same', async () => {
    const where = surroundings();
    const [outDir, up] = [join(where.root, 'run'), join(where.root, 'up')];
    fakeShell(where, `cat >/dev/null; echo '${session()}'; echo up >${quote(up)}; exec sleep 600`);
    const run = await startDispatch(where, { cd: makeRepository().dir, outDir });
    await untilFile(up);
    rmSync(outDir, { recursive: true });
    run.signal('SIGTERM');
    const ended = await run.ended;
    expect(ended.code).toBe(143);
    expect(ended.stderr).toMatch(/^baton: .*removed.*\n$/m);
    expect(ended.stderr).not.toMatch(/unexpected|^\s+at /m);
    expect(existsSync(outDir)).toBe(false);
  });

  describe('on a small disk of its own', () => {
    /** A tmpfs of this size; undefined where this user may mount none. */
    function smallDisk(megabytes: number): string | undefined {
      const folder = temporaryFolder();
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
          stdio: 'ignore',
        });
      } catch {
        return undefined;
      }
      onTestFinished(() => void execFileSync('umount', ['-l', folder]));
      return folder;
    }

    it('K2 free space below the floor ends the run before the disk is full, with a valid result', async ({
      skip,
    }) => {
      const disk = smallDisk(64);
      if (!disk) return skip('no permission to mount a tmpfs');
      const where = surroundings();
      fakeShell(where, `cat >/dev/null; echo '${session()}'; exec sleep 600`);
      const run = await proven(where, { cd: makeRepository().dir, outDir: join(disk, 'run') });
      expect(run.result.status).toBe('failed');
      expect(run.result.error).toMatch(/disk|space/);
      return undefined;
    });

    it('K2 a disk that is full at once: a valid result, or none and the reason', async ({ skip }) => {
      const disk = smallDisk(6);
      if (!disk) return skip('no permission to mount a tmpfs');
      const where = surroundings();
      // In the preflight: the run itself is stopped for want of room as soon as it has begun.
      fakeShell(
        where,
        `[ "$1" = --version ] && { cat /dev/zero >${quote(join(disk, 'filler'))}; echo 1.0; exit 0; }; echo '${session()}'; echo '${result()}'`,
        { version: null },
      );
      const run = await dispatch(where, { cd: makeRepository().dir, outDir: join(disk, 'run') });
      expect(readdirSync(disk)).toContain('filler');
      expect(run.code).toBeGreaterThan(0);
      proveWholeOrAbsent(run, /full|space/);
      return undefined;
    });

    it('K2 a disk without any room: nothing is started, and the reason is said in one line', async ({
      skip,
    }) => {
      const disk = smallDisk(1);
      if (!disk) return skip('no permission to mount a tmpfs');
      try {
        writeFileSync(join(disk, 'filler'), Buffer.alloc(4_000_000));
      } catch {
        // Full is what it is to be.
      }
      const where = surroundings();
      const launched = join(where.root, 'launched');
      fakeShell(where, `echo yes >${quote(launched)}`);
      const run = await dispatch(where, { cd: makeRepository().dir, outDir: join(disk, 'run') });
      expect(run.code).toBeGreaterThan(0);
      expect(run.stderr).toMatch(/^baton: [^\n]*\n$/);
      expect(run.stderr).toMatch(/ENOSPC|full|space/);
      expect(run.stderr).not.toContain('unexpected');
      expect(existsSync(launched)).toBe(false);
      return undefined;
    });
  });

  it.each([
    ['nothing at all', 0],
    ['next to nothing', 1],
    ['the half of the log', 400],
    ['the log, and not the result', 'log'],
    ['everything', 3000],
  ] as const)('K2 a limit of the size of files that leaves room for %s', async (_, limit) => {
    await ensureBuilt();
    const where = surroundings();
    const [dir, brief] = [join(where.root, 'run'), join(where.root, 'brief.md')];
    const log = lines(session(), result({ result: 'x'.repeat(360_000) }));
    fakeBytes(where, log);
    writeFileSync(brief, 'Do it.');
    const blocks = limit === 'log' ? Math.ceil(log.length / 512) : limit;
    const run = await shell(
      where,
      `ulimit -f ${blocks}; exec node ${quote(PROGRAMS.baton)} dispatch --cd ${quote(makeRepository().dir)} --out-dir ${quote(dir)} --brief ${quote(brief)}`,
    );
    proveWholeOrAbsent({ ...run, dir, result: readResult(dir) }, /EFBIG/);
    expect(readResult(dir)?.status).toBe(limit === 3000 ? 'completed' : limit === 400 ? 'failed' : undefined);
  });
});

describe('endings: usage errors', () => {
  let where: Surroundings;
  let repository: TestRepository;
  beforeAll(() => {
    where = surroundings();
    repository = makeRepository();
    fakeSaying(where, [session(), result()]);
  });

  const VALUED = [
    '--brief',
    '--cd',
    '--implementer',
    '--out-dir',
    '--timeout',
    '--idle-timeout',
    '--first-event-timeout',
    '--completion-grace',
    '--model',
    '--effort',
    '--max-turns',
    '--max-budget-usd',
    '--autocompact',
    '--session',
    '--allow-write',
    '--allow-domain',
    '--touch',
    '--lane',
  ];

  /** Tries to dispatch with these arguments, in an empty folder and with no state folder yet. */
  async function attempt(args: readonly string[], input: string | Uint8Array = 'Do it.'): Promise<object> {
    const state = join(temporaryFolder(), 'state');
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runBaton(['dispatch', ...args], {
      env: { ...where.env, BATON_HOME: state },
      cwd,
      input,
    });
    return { code, stdout, stderr, made: [...readdirSync(cwd), ...(existsSync(state) ? [state] : [])] };
  }

  /** Exit 2, one line that says this, in this order, and nothing made. */
  function refusal(...words: string[]): object {
    const text = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\n]*');
    const stderr: unknown = expect.stringMatching(new RegExp(`^baton: [^\\n]*${text}[^\\n]*\\n$`));
    return { code: 2, stdout: '', stderr, made: [] };
  }

  it.each(VALUED)('E4 %s without its value, at the end and before another flag', async (flag) => {
    expect(await attempt([flag])).toEqual(refusal(flag));
    expect(await attempt([flag, '--json'])).toEqual(refusal(flag));
    expect(await attempt([flag, '-x'])).toEqual(refusal(flag));
  });

  it.each([
    [['--bogus'], '--bogus'],
    [['--time-out', '5m'], '--time-out'],
    [['-z'], '-z'],
    [['stray'], 'argument'],
  ])('E4 what is no flag: %j', async (args, words) => {
    expect(await attempt(args)).toEqual(refusal(words));
  });

  it.each(['dispach', '--bogus'])('E4 what is no command: %s', async (word) => {
    const run = await runBaton([word], { env: where.env, input: '' });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^baton: [^\n]+\n$/);
    expect(run.stderr).toContain(word);
  });

  it.each([
    ['--model', ['', '-x', ' opus', 'a b', 'a\nb', '.x', 'ü', 'x;y', "x'"]],
    ['--effort', ['', 'extreme', 'LOW', 'low ', 'ultra']],
    ['--max-turns', ['', '0', '01', '+1', '1.0', '1e3', '٣', '9007199254740993', 'ten']],
    ['--max-budget-usd', ['', '0', '0.0', '1e3', '+1', '1,5', '$1', '.', '1.', 'Infinity', '0x10']],
    ['--autocompact', ['', '0', '0k', '1.5k', '10g', 'never', 'k', '100 k']],
    ['--session', ['', 'a b', '.x', 'a/b', '_x', 'a\nb', 'x;y']],
    ['--allow-domain', ['', 'a b', 'http://a.example', '*', 'a.example/path']],
    ['--implementer', ['', 'gpt', 'Claude', '../claude']],
    ['--touch', ['']],
    ['--out-dir', ['']],
    ['--lane', ['fast']],
  ])('E4 values of %s that are refused', async (flag, values) => {
    const answers = await Promise.all(values.map((value) => attempt(['--cd', repository.dir, flag, value])));
    expect(answers).toEqual(values.map(() => refusal(flag)));
  });

  it.each([
    ['--max-budget-usd', ['2', '0.5', '10.25', '.5', '0001']],
    ['--autocompact', ['auto', '150000', '150k', '1m']],
    ['--model', ['opus', 'claude-x[1m]', 'a/b:c@d_e.f']],
    ['--effort', ['low', 'medium', 'high', 'xhigh', 'max', 'ultracode']],
    ['--timeout', ['10m', '1h30m', '1h2m3s', '90m', '596h31m23s', '060s']],
  ])('E4 values of %s that are accepted', async (flag, values) => {
    const runs = await Promise.all(
      values.map((value) => proven(where, { cd: temporaryFolder(), args: [flag, value] })),
    );
    expect(runs.map((run) => run.result.status)).toEqual(values.map(() => 'completed'));
  });

  it('E4 pairs that exclude each other', async () => {
    expect(await attempt(['--session', 'S1', '--resume-last'])).toEqual(
      refusal('--session', '--resume-last'),
    );
    expect(await attempt(['--read-only', '--dangerously-skip-permissions'])).toEqual(
      refusal('--read-only', '--dangerously-skip-permissions'),
    );
  });

  it('E4 directories and files that are not there, or are something else', async () => {
    const [dir, file, none] = [
      repository.dir,
      join(repository.dir, 'README.md'),
      join(repository.dir, 'none'),
    ];
    expect(await attempt(['--cd', none])).toEqual(refusal('--cd', none));
    expect(await attempt(['--cd', file])).toEqual(refusal('--cd', file));
    expect(await attempt(['--cd', dir, '--brief', none])).toEqual(refusal('--brief', none));
    expect(await attempt(['--cd', dir, '--brief', dir])).toEqual(refusal('--brief', dir));
    expect(await attempt(['--cd', dir, '--allow-write', none])).toEqual(refusal('--allow-write', none));
    expect(await attempt(['--cd', dir, '--allow-write', file])).toEqual(refusal('--allow-write', file));
    expect(await attempt(['--cd', dir, '--out-dir', dir])).toEqual(refusal('--out-dir', dir));
  });

  it.each(['README.md', 'README.md/below'])('E4 an --out-dir that cannot be: %s', async (name) => {
    const outDir = join(repository.dir, name);
    const run = await runBaton(['dispatch', '--cd', repository.dir, '--out-dir', outDir], {
      env: where.env,
      input: 'Do it.',
    });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^baton: [^\n]+\n$/);
    expect(run.stderr).toContain(outDir);
    expect(repository.status()).toEqual([]);
  });

  it('E4 a brief that is empty, blank or too large', async () => {
    const args = ['--cd', repository.dir];
    for (const brief of ['', ' \n\t\r\n ', '\ufeff \n'])
      expect(await attempt(args, brief)).toEqual(refusal('the brief is empty'));
    const large = join(where.root, 'large.md');
    writeFileSync(large, Buffer.alloc(10_000_001, 'x'));
    const tooLarge = refusal('10,000,001', '10,000,000', 'files');
    expect(await attempt([...args, '--brief', large])).toEqual(tooLarge);
    expect(await attempt(args, Buffer.alloc(10_000_001, 'x'))).toEqual(tooLarge);
  });

  it('E1 a brief on stdin works without a terminal, and a terminal is no brief', async () => {
    const run = await runBaton(['dispatch', '--cd', repository.dir, '--json'], {
      env: where.env,
      input: 'Do it.',
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'completed' });
    await ensureBuilt();
    const command = `node ${PROGRAMS.baton} dispatch --cd ${repository.dir}`;
    const typed = await shell(where, `exec script -qec ${quote(command)} /dev/null`);
    expect(typed.code).toBe(2);
    expect(typed.stdout).toContain('--brief');
  });

  it.each(['-h', '--help'])('E4 %s prints the reference and exits 0', async (flag) => {
    const run = await runBaton(['dispatch', flag], { env: where.env, input: '' });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const name of [...VALUED, '--resume-last', '--read-only', '--json', '--quiet'])
      expect(run.stdout).toContain(name);
  });
});

describe('endings: what a person and a program see', () => {
  const ESCAPE = /\u001b/;

  async function show(args: string[], env: object = {}): Promise<Proven> {
    const where = surroundings();
    fakeShell(
      where,
      `cat >/dev/null; echo warning >&2; echo '${session()}'; echo x >made.txt; git tag v9; echo '${result({ result: 'the \u001b[31mreport\u001b[0m' })}'`,
    );
    return proven(where, { cd: makeRepository().dir, args, env: { ...where.env, ...env } });
  }

  it('A11 --json prints exactly one document on stdout, and it is the result', async () => {
    for (const args of [['--json'], ['--json', '--quiet']]) {
      const run = await show(args);
      expect(run.stdout.endsWith('}\n')).toBe(true);
      expect(JSON.parse(run.stdout)).toEqual(run.result);
      expect(run.stdout.trimEnd()).not.toContain('\n');
    }
  });

  it('A11 --json prints the result of every ending', async () => {
    const where = surroundings();
    const missing = await proven(where, { cd: where.root, args: ['--json'] });
    expect(JSON.parse(missing.stdout)).toMatchObject({ status: 'claude_unavailable' });
    fakeSaying(where, [session()], { exit: 4 });
    const failed = await proven(where, { cd: where.root, args: ['--json'] });
    expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'failed', exitCode: 4 });
  });

  it('A15 --quiet shows the summary and nothing of stderr', async () => {
    const [loud, quiet] = [await show([]), await show(['--quiet'])];
    expect(loud.stderr).toBe('warning\n');
    expect(quiet.stderr).toBe('');
    expect(quiet.stdout).toMatch(/^completed /);
    expect(readFileSync(join(quiet.dir, 'stderr.txt'), 'utf8')).toBe('warning\n');
  });

  it('A7 what is piped has no escape sequence, whatever the implementer printed', async () => {
    for (const env of [{}, { NO_COLOR: '1' }, { TERM: 'xterm-256color' }]) {
      const run = await show([], env);
      expect(run.stdout).not.toMatch(ESCAPE);
      expect(run.result.finalMessage).toMatch(ESCAPE);
    }
  });

  it('A7 no word of the implementer drives the terminal or breaks a line of the summary', async () => {
    const evil = 'x\u001b[31m\u009b1m\r\nbaton committed nothing, and no commit was made during the run';
    const where = surroundings();
    const records = [
      session(`S1${evil}`, { model: evil, permissionMode: evil, claude_code_version: evil }),
      JSON.stringify({
        type: 'system',
        subtype: 'permission_denied',
        tool_name: evil,
        decision_reason: evil,
      }),
      result({ subtype: evil, is_error: true, result: evil, errors: [evil], session_id: `S1${evil}` }),
    ];
    fakeBytes(where, lines(...records), {
      exit: 1,
      version: evil.replaceAll('\r\n', ' '),
      before: `printf '%s\\n' ${quote(evil)} >&2; git tag ${quote('v9')}`,
    });
    const run = await proven(where, { cd: makeRepository().dir, args: ['--quiet'] });
    expect(run.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(run.stdout.split('\n').filter((line) => line.startsWith('baton committed'))).toHaveLength(1);
    // An id that is no plain word is not offered for a shell.
    expect(run.stdout).not.toContain('--session');
  });

  it('A7 a terminal gets colours and a live line, and with NO_COLOR no colours', async () => {
    await ensureBuilt();
    const where = surroundings();
    fakeShell(where, `cat >/dev/null; echo '${session()}'; sleep 0.5; echo '${result()}'`);
    const brief = join(where.root, 'brief.md');
    writeFileSync(brief, 'Do it.');
    const command = `node ${PROGRAMS.baton} dispatch --brief ${brief} --cd ${makeRepository().dir}`;
    const typed = (env: string): Promise<{ stdout: string }> =>
      shell(where, `TERM=xterm ${env} exec script -qec ${quote(command)} /dev/null`);
    const [plain, bare] = [await typed(''), await typed('NO_COLOR=1')];
    expect(plain.stdout).toMatch(/\u001b\[3[0-9]m/);
    expect(bare.stdout).not.toMatch(/\u001b\[[0-9;]*m/);
    expect(bare.stdout).toContain('session S1');
    // The live line leaves nothing behind.
    expect(bare.stdout.slice(bare.stdout.lastIndexOf('\u001b[2K'))).toMatch(/^\u001b\[2Kcompleted/);
  });

  it('G3 the summary names what was done against the rules, and how to go on', async () => {
    const run = await show([]);
    for (const part of [
      'completed  claude',
      'S1',
      'made.txt',
      'violation  ref',
      '--session S1',
      run.dir,
      'result.json',
    ])
      expect(run.stdout).toContain(part);
    expect(run.stdout).not.toContain('no commit was made');
  });

  it('B7 a failure shows the last words of stderr', async () => {
    const where = surroundings();
    const noise = Array.from({ length: 30 }, (_, i) => `line ${i}\n\n`).join('');
    fakeShell(where, `cat >/dev/null; printf ${quote(noise.replaceAll('\n', '\\n'))} >&2; exit 5`);
    const run = await proven(where, { cd: where.root });
    expect(run.result).toMatchObject({ status: 'failed', exitCode: 5 });
    expect(run.result.stderrTail).toEqual(Array.from({ length: 20 }, (_, i) => `line ${i + 10}`));
    expect(run.stdout).toContain('last of stderr\n  line 10\n');
  });

  it('B1 every field of the contract is there, in every ending', async () => {
    const where = surroundings();
    const always = [
      'schema',
      'tool',
      'lane',
      'laneSource',
      'workdir',
      'model',
      'effort',
      'maxTurns',
      'maxBudgetUsd',
      'timeout',
      'readOnly',
      'resumed',
      'resumeLast',
      'permissionMode',
      'toolSurface',
      'shellSandbox',
      'dangerouslySkipPermissions',
      'claudeVersion',
      'sessionId',
      'resultSubtype',
      'numTurns',
      'usage',
      'totalCostUsd',
      'startedAt',
      'finishedAt',
      'briefPath',
      'eventsPath',
      'finalPath',
      'stderrPath',
      'settingsPath',
      'status',
      'exitCode',
      'signal',
      'finalMessage',
      'touchedFiles',
    ];
    const link = join(where.root, 'link');
    symlinkSync(makeRepository().dir, link);
    const missing = await proven(where, { cd: link });
    fakeBytes(where, lines(session(), result()));
    const completed = await proven(where, { cd: link });
    fakeBytes(where, '', { exit: 3 });
    const failed = await proven(where, { cd: link });
    for (const run of [missing, completed, failed]) {
      expect(always.filter((name) => !(name in run.result))).toEqual([]);
      for (const absent of ['autocompact', 'readOnlyViolation', 'widened'])
        expect(run.result).not.toHaveProperty(absent);
      expect(run.result).toMatchObject({
        schema: 'delegate-relay.result.v1',
        tool: 'claude',
        implementer: 'claude',
        lane: null,
        laneSource: null,
        workdir: link,
        model: null,
        effort: null,
        maxTurns: null,
        maxBudgetUsd: null,
        timeout: null,
        readOnly: false,
        resumed: false,
        resumeLast: false,
        permissionMode: 'acceptEdits',
        toolSurface: ['Read', 'Glob', 'Grep', 'Edit', 'Write', 'Bash'],
        shellSandbox: 'strict',
        dangerouslySkipPermissions: false,
        briefPath: join(run.dir, 'brief.txt'),
        eventsPath: join(run.dir, 'events.jsonl'),
        finalPath: join(run.dir, 'final.txt'),
        stderrPath: join(run.dir, 'stderr.txt'),
        settingsPath: join(run.dir, 'profile.json'),
        resultPath: join(run.dir, 'result.json'),
        touchedFiles: [],
      });
      for (const path of ['briefPath', 'eventsPath', 'finalPath', 'stderrPath'] as const)
        expect(existsSync(run.result[path])).toBe(true);
      expect(Date.parse(run.result.finishedAt)).toBeGreaterThanOrEqual(Date.parse(run.result.startedAt));
    }
  });
});

/** Runs a command of the shell, with nothing on stdin. */
async function shell(
  where: Surroundings,
  command: string,
): Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }> {
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: where.root,
    env: where.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
