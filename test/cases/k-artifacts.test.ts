import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RUN_ID_FORM } from '../../src/core/ids.ts';
import { liveSchema } from '../../src/rundir/live-schema.ts';
import {
  dispatch,
  readResult,
  runBaton,
  startDispatch,
  until,
  untilDead,
  untilFile,
} from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { endProcesses, processesOfRun, waitUntilGone } from '../support/processes.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeBytes, fakeDoing, lines, prove, proven, result, session } from './proof.ts';

/** A fake that says that it is up and then waits for TERM. */
function fakeWaiting(where: Surroundings): string {
  const up = join(where.root, 'up');
  fakeShell(where, `cat >/dev/null; echo '${session()}'; echo $$ >${quote(up)}; exec sleep 600`);
  return up;
}

function liveOf(dir: string): ReturnType<typeof liveSchema.parse> {
  return liveSchema.parse(JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')));
}

describe('K: artifacts, run directories, time', () => {
  it('K1 twenty dispatches at once in twenty repositories: twenty directories, none mislabelled', async () => {
    const where = surroundings();
    // Each answers with its own directory and changes a file of its own.
    fakeShell(
      where,
      `cat >/dev/null; name=$(basename "$PWD"); echo "$name" >"made-$name"
      printf '{"type":"system","subtype":"init","session_id":"S-%s","sandbox_enabled":true}\\n' "$name"
      printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","session_id":"S-%s"}\\n' "$name" "$name"`,
    );
    const folder = temporaryFolder();
    const names = Array.from({ length: 20 }, (_, i) => `repo-${i}`);
    for (const name of names) makeRepository({ dir: join(folder, name) });
    const ended = await Promise.all(
      names.map((name) =>
        runBaton(['dispatch', '--json', '--cd', join(folder, name)], {
          env: where.env,
          input: `for ${name}`,
        }),
      ),
    );
    const dirs = ended.map(({ stdout }) => {
      const { resultPath }: { resultPath: string } = JSON.parse(stdout);
      return join(resultPath, '..');
    });
    expect(new Set(dirs).size).toBe(20);
    for (const [index, name] of names.entries()) {
      const [dir = '', run] = [dirs[index], ended[index]];
      if (!run) throw new Error('a dispatch is missing');
      const { result } = prove({ ...run, dir, result: readResult(dir) });
      expect(result).toMatchObject({
        status: 'completed',
        finalMessage: name,
        sessionId: `S-${name}`,
        workdir: join(folder, name),
        evidence: { changes: [{ path: `made-${name}` }] },
      });
      expect(readFileSync(join(dir, 'brief.txt'), 'utf8')).toBe(`for ${name}`);
      expect(dir).toContain(`${name}-`);
      expect(dir.endsWith(result.runId)).toBe(true);
      expect(result.runId).toMatch(RUN_ID_FORM);
    }
  });

  it('K1 two write runs in one tree: the second is refused with the way out, read-only ones share', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: { 'sub/a.txt': 'a\n' } });
    const up = fakeWaiting(where);
    const first = await startDispatch(where, { cd: repository.dir });
    await untilFile(up);
    // From a subdirectory, and by another fake, since the first waits.
    fakeBytes(where, lines(session(), result()));
    const second = await dispatch(where, { cd: join(repository.dir, 'sub') });
    expect(second).toMatchObject({ code: 2, stdout: '', result: null });
    expect(second.stderr).toMatch(/^baton: .*write run.*git worktree add.*\n$/);
    expect(second.stderr).toContain(liveOf(first.dir).runId);
    expect(existsSync(second.dir)).toBe(false);

    const readers = await Promise.all(
      [1, 2].map(() => proven(where, { cd: repository.dir, args: ['--read-only'] })),
    );
    expect(readers.map((run) => run.result.status)).toEqual(['completed', 'completed']);
    const elsewhere = join(temporaryFolder(), 'linked');
    repository.git('worktree', 'add', '-q', elsewhere);
    expect((await proven(where, { cd: elsewhere })).result.status).toBe('completed');

    first.signal('SIGTERM');
    await first.ended;
    expect((await proven(where, { cd: repository.dir })).result.status).toBe('completed');
  });

  const STALE = [
    'brief.txt',
    'events.jsonl',
    'stderr.txt',
    'final.txt',
    'profile.json',
    'result.json',
    'changes.patch',
  ];

  it('K2 stale artifacts of a reused directory are gone before anything; other files stay', async () => {
    const where = surroundings();
    const outDir = temporaryFolder();
    for (const name of STALE) writeFileSync(join(outDir, name), 'stale', { mode: 0o644 });
    writeFileSync(join(outDir, 'notes.txt'), 'of the user', { mode: 0o644 });
    const { dir } = await startAndCheck(where, outDir);
    expect(readFileSync(join(dir, 'notes.txt'), 'utf8')).toBe('of the user');
    expect(STALE.filter((name) => readFileSync(join(dir, name), 'utf8') === 'stale')).toEqual([]);
  });

  /** A run that fails in its preflight, in a directory that was there; its mode is its owner's affair. */
  async function startAndCheck(where: Surroundings, outDir: string): Promise<{ dir: string }> {
    const run = await proven(where, { cd: makeRepository().dir, outDir });
    expect(run.result).toMatchObject({ status: 'claude_unavailable', exitCode: 127 });
    return run;
  }

  it.each([...STALE, 'run.json', 'objects', 'snapshot'])(
    'K2 a link where %s would go is refused, and what it leads to is untouched',
    async (name) => {
      const where = surroundings();
      fakeBytes(where, lines(session(), result()));
      const [outDir, victim] = [temporaryFolder(), join(where.root, 'victim')];
      writeFileSync(victim, '{"untouched":true}');
      symlinkSync(victim, join(outDir, name));
      writeFileSync(join(outDir, 'other.txt'), 'x');
      const run = await dispatch(where, { cd: where.root, outDir });
      expect(run.code).toBe(2);
      expect(run.stderr).toMatch(/^baton: .*\n$/);
      expect(run.stderr).toContain(join(outDir, name));
      expect(readFileSync(victim, 'utf8')).toBe('{"untouched":true}');
      expect(lstatSync(join(outDir, name)).isSymbolicLink()).toBe(true);
      expect(readdirSync(outDir).sort()).toEqual([name, 'other.txt'].sort());
    },
  );

  it('K2 a run directory that a run uses is refused; afterwards it can be used again', async () => {
    const where = surroundings();
    const up = fakeWaiting(where);
    const first = await startDispatch(where, { cd: temporaryFolder() });
    await untilFile(up);
    fakeBytes(where, lines(session(), result({ result: 'second' })));
    const second = await dispatch(where, { cd: temporaryFolder(), outDir: first.dir });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('in use');
    first.signal('SIGINT');
    expect((await first.ended).code).toBe(130);
    expect(readResult(first.dir)?.status).toBe('aborted');
    const third = await proven(where, { cd: temporaryFolder(), outDir: first.dir });
    expect(third.result.finalMessage).toBe('second');
  });

  it('K2 an --out-dir that is a file is refused and untouched', async () => {
    const where = surroundings();
    const file = join(where.root, 'file');
    writeFileSync(file, 'mine');
    const run = await runBaton(['dispatch', '--cd', where.root, '--out-dir', file], {
      env: where.env,
      input: 'Do it.',
    });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('K2 what the implementer makes of the artifacts is no way out of the directory', async () => {
    const where = surroundings();
    const victim = join(where.root, 'victim');
    writeFileSync(victim, 'untouched');
    fakeDoing(
      where,
      `while [ "$1" != --settings ]; do shift; done; cd "$(dirname "$2")"
      for name in result.json final.txt run.json changes.patch; do rm -f $name; ln -s ${quote(victim)} $name; done`,
    );
    const run = await dispatch(where, { cd: makeRepository().dir });
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(run.code === 0 ? readResult(run.dir)?.status : run.stderr).toMatch(/^completed$|^baton: /m);
    expect(run.stderr).not.toMatch(/unexpected/);
  });

  it.each([
    '0s',
    '600h',
    '596h31m24s',
    '1000000000000',
    '99999999999999999999h',
    '',
    '10',
    '1.5s',
    '1h30',
    '10s-junk',
    '1m1h',
    '-5s',
    ' 5s',
    '5S',
  ])('K4 the duration %j is refused, for every clock', async (value) => {
    const where = surroundings();
    const flags = ['--timeout', '--idle-timeout', '--first-event-timeout', '--completion-grace'];
    const ended = await Promise.all(
      flags.map((flag) => dispatch(where, { cd: where.root, args: [flag, value] })),
    );
    for (const [index, run] of ended.entries()) {
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(/^baton: [^\n]+\n$/);
      expect(run.stderr).toContain(flags[index]);
      expect(existsSync(run.dir)).toBe(false);
    }
  });

  it('K4 the longest duration is accepted and fires not at once', async () => {
    const where = surroundings();
    fakeDoing(where, 'sleep 0.3');
    const longest = '596h31m23s';
    const flags = ['--timeout', '--idle-timeout', '--first-event-timeout', '--completion-grace'];
    const run = await proven(where, { cd: where.root, args: flags.flatMap((flag) => [flag, longest]) });
    expect(run.result).toMatchObject({ status: 'completed', timeout: longest });
  });

  it.each([
    ['three hours ahead', 3],
    ['an hour back', -1],
  ])('K5 a wall clock that jumps %s moves no deadline, and the gap is told', async (_, hours) => {
    const where = surroundings();
    const jumped = join(where.root, 'jumped');
    // Baton's own wall clock jumps as soon as the fake says so.
    const clock = join(where.root, 'clock.cjs');
    writeFileSync(
      clock,
      `const { existsSync } = require('node:fs');
      const Real = Date;
      const shift = () => (existsSync(${JSON.stringify(jumped)}) ? ${hours * 3_600_000} : 0);
      globalThis.Date = class extends Real {
        constructor(...args) { args.length === 0 ? super(Real.now() + shift()) : super(...args); }
        static now() { return Real.now() + shift(); }
      };`,
    );
    fakeDoing(where, `echo yes >${quote(jumped)}; sleep 1`);
    const run = await proven(where, {
      cd: where.root,
      args: ['--timeout', '30m', '--idle-timeout', '30m', '--first-event-timeout', '30m'],
      env: { ...where.env, NODE_OPTIONS: `--require ${clock}` },
    });
    expect(run.result.status).toBe('completed');
    expect(run.result.process.durationMs).toBeGreaterThan(900);
    expect(run.result.process.durationMs).toBeLessThan(600_000);
    expect(Math.abs(run.result.process.clockGapMs - hours * 3_600_000)).toBeLessThan(60_000);
  });

  it('K6 a run whose baton was killed is not "running" for ever', async () => {
    const where = surroundings();
    const repository = makeRepository();
    const up = fakeWaiting(where);
    const run = await startDispatch(where, { cd: repository.dir });
    await untilFile(up);
    const live = await until('the implementer in run.json', () => {
      const state = liveOf(run.dir);
      return state.implementer ? state : undefined;
    });
    expect(live).toMatchObject({ phase: 'running', supervisor: { pid: run.pid }, treeTop: repository.dir });
    expect(live.implementer?.pid).toBe(Number(readFileSync(up, 'utf8')));
    // The session is known as soon as its record was read.
    await until('the session record', () => existsSync(join(where.state, 'sessions', 'claude')));
    const during = await runBaton(['show', '--cd', repository.dir], { env: where.env });
    expect(during.stderr).toContain('still under way');

    run.signal('SIGKILL');
    await run.ended;
    expect(readResult(run.dir)).toBe(null);
    const left = processesOfRun(live.runId);
    try {
      const after = await runBaton(['show', '--cd', repository.dir], { env: where.env });
      expect(after.code).toBe(1);
      expect(after.stderr).toMatch(/^baton: .*was lost.*\n$/);
      // What it printed is not lost, though baton never read it to the end.
      expect(readFileSync(join(run.dir, 'events.jsonl'), 'utf8')).toContain('"session_id":"S1"');
    } finally {
      endProcesses(left);
    }
    expect(await waitUntilGone(() => processesOfRun(live.runId))).toEqual([]);

    // Neither its lock nor its directory holds up the next run, and its session can be resumed.
    fakeBytes(where, lines(session(), result()));
    const next = await proven(where, { cd: repository.dir, outDir: run.dir, args: ['--resume-last'] });
    expect(next.result).toMatchObject({ status: 'completed', agent: { resumedFrom: 'S1' } });
  });

  it('K6 a supervisor number that another process has now does not look alive', async () => {
    const where = surroundings();
    const repository = makeRepository();
    const up = fakeWaiting(where);
    const run = await startDispatch(where, { cd: repository.dir });
    await untilFile(up);
    const { runId } = liveOf(run.dir);
    run.signal('SIGKILL');
    await run.ended;
    endProcesses(processesOfRun(runId));
    await untilDead(Number(readFileSync(up, 'utf8')));
    const file = join(run.dir, 'run.json');
    const state = liveOf(run.dir);
    writeFileSync(file, JSON.stringify({ ...state, supervisor: { ...state.supervisor, pid: process.pid } }));
    const after = await runBaton(['show', '--cd', repository.dir], { env: where.env });
    expect(after.stderr).toContain('was lost');
  });

  it('K2 a state folder that cannot be written: refused with the remedy, or said, with --out-dir', async () => {
    const where = surroundings();
    fakeBytes(where, lines(session(), result()));
    const file = join(where.root, 'file');
    writeFileSync(file, 'mine');
    const env = { ...where.env, BATON_HOME: join(file, 'state') };
    const refused = await runBaton(['dispatch', '--cd', where.root], { env, input: 'Do it.' });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^baton: .*(?:--out-dir|BATON_HOME).*\n$/);
    const run = await proven(where, { cd: where.root, env });
    expect(run.result.status).toBe('completed');
    expect(run.stderr).toMatch(/^baton: .*not recorded.*\n$/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('K2 a directory of the run in a state folder has a private mode, whatever the umask', async () => {
    const where = surroundings();
    fakeBytes(where, lines(session(), result()));
    mkdirSync(join(where.root, 'wide'), { mode: 0o777 });
    const old = process.umask(0);
    try {
      const run = await proven(where, { cd: where.root, outDir: join(where.root, 'wide', 'new') });
      expect(run.result.status).toBe('completed');
    } finally {
      process.umask(old);
    }
  });
});
