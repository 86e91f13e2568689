import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { landingSchema } from '../../src/landing/record-schema.ts';
import { ARTIFACTS } from '../../src/rundir/layout.ts';
import { dispatch, type Ended, runBaton, startBaton, untilDead, untilFile } from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { addHook } from '../landing/hooks.ts';
import { fakeDoing, proven } from './proof.ts';

const BASE = Array.from({ length: 12 }, (_, at) => `${at}\n`).join('');

interface Scene {
  where: Surroundings;
  repository: TestRepository;
  baton: (...args: string[]) => Promise<Ended>;
}

function scene(files: { [path: string]: string } = { 'a.txt': BASE }): Scene {
  const where = surroundings();
  const repository = makeRepository({ files });
  return { where, repository, baton: (...args) => runBaton(args, { env: where.env, cwd: repository.dir }) };
}

/** Runs an implementer that does this, and returns the run's id. */
async function run({ where, repository }: Scene, does: string, args: string[] = []): Promise<string> {
  fakeDoing(where, `{ ${does}\n} >&2`);
  return (await proven(where, { cd: repository.dir, args })).result.runId;
}

describe('baton land', () => {
  it('commits what the run changed, with its trailers, and undo takes it back', async () => {
    const it = scene();
    it.repository.write({ 'a.txt': `mine\n${BASE}` });
    const id = await run(it, 'echo run >>a.txt; echo new >new.txt');

    const dry = await it.baton('land', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toBe(`A commit of run ${id} would change:\n M a.txt\n A new.txt\n`);
    const landed = await it.baton('land', '-m', 'Add a line');

    expect(landed).toMatchObject({ code: 0, stderr: '' });
    expect(landed.stdout).toContain(`Landed run ${id} as ${it.repository.head().slice(0, 12)} on main\n`);
    expect(it.repository.git('log', '-1', '--format=%B')).toBe(
      `Add a line\n\nBaton-Run: ${id}\nBaton-Implementer: claude\n`,
    );
    expect(it.repository.status()).toEqual([' M a.txt']);
    expect(await it.baton('land', '-m', 'Again')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was landed already'),
    });

    const undone = await it.baton('undo');
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('uncommitted again') });
    expect(it.repository.status()).toEqual([' M a.txt', '?? new.txt']);
    expect(await it.baton('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('no landing') });
    expect(readdirSync(join(it.where.state, 'landings'))).toEqual([]);
    expect(await it.baton('land', '-m', 'Once more', '--no-trailers')).toMatchObject({ code: 0 });
    expect(it.repository.git('log', '-1', '--format=%B')).toBe('Once more\n');
  });

  it('names conflicts in JSON, and changes nothing', async () => {
    const it = scene();
    it.repository.write({ 'mine.txt': 'mine\n' });
    await run(it, 'echo run >>mine.txt');
    const before = it.repository.fingerprint();

    const refused = await it.baton('land', '-m', 'x', '--json');

    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { code: 'conflict', conflicts: [{ path: 'mine.txt', kind: 'uncommitted' }] },
    });
    expect(refused.stderr).toMatch(/^baton: [^\n]*mine\.txt[^\n]*--take-whole[^\n]*\n$/);
    expect(it.repository.fingerprint()).toEqual(before);
    const landed = await it.baton('land', '-m', 'x', '--json', '--take-whole', 'mine.txt');
    expect(JSON.parse(landed.stdout)).toMatchObject({
      record: { state: 'landed', takenWhole: ['mine.txt'] },
    });
    expect(it.repository.status()).toEqual([]);
  });

  it.each([
    [['land'], 'there is no commit message'],
    [['land', '-m', ' '], 'the commit message is empty'],
    [['land', '-m', 'x', '--only', 'nowhere'], 'the run changed nothing there'],
    [['land', '-m', 'x', '--accept-violations', 'all'], 'is no kind of violation'],
    [['land', '-m', 'x', '--without-gates', ' '], 'needs the reason'],
  ])('%j is a usage error', async (args, words) => {
    const it = scene();
    await run(it, 'echo run >>a.txt');
    const before = it.repository.head();

    const refused = await it.baton(...args);

    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    expect(it.repository.head()).toBe(before);
  });

  it('refuses a run that broke its bounds, until the bounds are named', async () => {
    const it = scene();
    await run(
      it,
      'echo run >>a.txt; printf "#!/bin/sh\\ntouch planted\\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    );

    const refused = await it.baton('land', '-m', 'x');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept-violations hooks') });
    expect(existsSync(join(it.repository.dir, 'planted'))).toBe(false);

    rmSync(join(it.repository.dir, '.git', 'hooks', 'pre-commit'));
    const landed = await it.baton('land', '-m', 'x', '--accept-violations', 'hooks', '--json');
    expect(JSON.parse(landed.stdout)).toMatchObject({ record: { acceptedViolations: ['hooks'] } });
  });

  it('wants the gates of the project, or a reason', async () => {
    const config = JSON.stringify({ gates: [{ name: 'test', command: 'grep -q run a.txt' }] });
    const it = scene({ 'a.txt': BASE, 'baton.config.json': config });
    const id = await run(it, 'echo run >>a.txt');

    expect(await it.baton('land', '-m', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not-run'),
    });
    expect(await it.baton('gates', 'approve')).toMatchObject({ code: 0 });
    expect(await it.baton('check')).toMatchObject({ code: 0 });
    const landed = await it.baton('land', '-m', 'x', '--json');
    expect(JSON.parse(landed.stdout)).toMatchObject({
      runIds: [id],
      gates: { state: 'passed', bound: 'landed-tree' },
    });

    await run(it, 'echo more >>a.txt');
    const without = await it.baton('land', '-m', 'y', '--json', '--without-gates', 'they are too slow today');
    expect(JSON.parse(without.stdout).record.gates).toMatchObject({
      state: 'not-run',
      without: 'they are too slow today',
    });
  });

  it('completes or takes back what a kill interrupted, with the next command, and says which', async () => {
    const it = scene();
    await run(it, 'echo run >>a.txt');
    const sign = join(it.where.root, 'sign');
    addHook(
      it.repository,
      'pre-commit',
      `if [ ! -e ${quote(sign)} ]; then echo $$ >${quote(sign)}; sleep 600; fi`,
    );
    const landing = await startBaton(['land', '-m', 'x'], { env: it.where.env, cwd: it.repository.dir });
    const hook = Number(await untilFile(sign));
    landing.signal('SIGKILL');
    await landing.ended;

    expect(await it.baton('land', '-m', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('still at work'),
    });
    process.kill(
      -Number(readFileSync(`/proc/${hook}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]),
      'SIGKILL',
    );
    const next = await it.baton('land', '-m', 'x');

    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining('was taken back') });
    expect(it.repository.status()).toEqual([]);
  });

  it('that was killed after HEAD had moved is done when it is asked for again', async () => {
    const it = scene();
    const id = await run(it, 'echo run >>a.txt');
    // It dies in a hook; the rest, up to the moment in question, is done by hand.
    const kill = 'kill -9 "$(ps -o ppid= -p $PPID | tr -d " ")"';
    addHook(it.repository, 'commit-msg', kill);
    await it.baton('land', '-m', 'x');
    rmSync(join(it.repository.dir, '.git', 'hooks', 'commit-msg'));
    const folder = join(it.where.state, 'landings');
    const journal = join(folder, readdirSync(folder)[0] ?? '', 'journal.json');
    const found = JSON.parse(readFileSync(journal, 'utf8'));
    const made = it.repository.git('commit-tree', found.tree, '-p', 'HEAD', '-m', 'x');
    it.repository.git('update-ref', 'HEAD', made);
    const record = {
      schema: 'baton.landing.v1',
      state: 'landed',
      at: new Date().toISOString(),
      runIds: [id],
      commit: made,
      parent: found.head.commit,
      takenCommits: [],
      ref: found.head.ref,
      tree: found.tree,
      message: 'x',
      changes: [],
      only: [],
      takenWhole: [],
      includedEdits: [],
      hookRewrote: [],
      hooks: [],
      acceptedViolations: [],
      gates: { state: 'none-configured', tree: null, bound: null, without: null },
    };
    writeFileSync(journal, JSON.stringify({ ...found, hook: null, moving: true, target: made, record }));

    const again = await it.baton('land', '-m', 'x');

    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('was completed now') });
    expect(again.stdout).toContain(`Landed run ${id} as ${made.slice(0, 12)} on main`);
    expect(it.repository.status()).toEqual([]);
  });

  it('that is stopped ends its hook and takes everything back', async () => {
    const it = scene();
    await run(it, 'echo run >>a.txt');
    const sign = join(it.where.root, 'sign');
    addHook(it.repository, 'pre-commit', `echo $$ >${quote(sign)}; sleep 600 & wait`);
    const head = it.repository.head();
    const landing = await startBaton(['land', '-m', 'x'], { env: it.where.env, cwd: it.repository.dir });
    const hook = Number(await untilFile(sign));
    landing.signal('SIGINT');

    expect(await landing.ended).toMatchObject({
      code: 130,
      signal: null,
      stderr: expect.stringContaining('was stopped'),
    });
    await untilDead(hook);
    expect([it.repository.head(), it.repository.status()]).toEqual([head, [' M a.txt']]);
  });

  it('loses nothing while a git of the user stages and commits all the time', {
    timeout: 120_000,
  }, async () => {
    const it = scene({ 'a.txt': BASE, 'mine.txt': '' });
    await run(it, 'echo run >>a.txt');
    const script = `for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
      echo line $n >>mine.txt
      until git add mine.txt 2>/dev/null && git commit -q -m "mine $n" -- mine.txt 2>/dev/null; do sleep 0.02; done
    done`;
    const { dir } = it.repository;
    const user = spawn('/bin/sh', ['-c', script], {
      cwd: dir,
      env: { ...it.where.env, HOME: it.where.home },
      stdio: 'ignore',
    });
    const over = new Promise((resolve) => {
      user.once('close', resolve);
    });

    const tries: Ended[] = [];
    while (tries.at(-1)?.code !== 0 && tries.length < 60) tries.push(await it.baton('land', '-m', 'landed'));
    await over;

    // Each try landed, or was refused because of the other.
    for (const { code, stderr } of tries.slice(0, -1))
      expect([code, stderr]).toEqual([1, expect.stringMatching(/HEAD|index/)]);
    expect(tries.at(-1)?.code).toBe(0);
    const subjects = it.repository.git('log', '--format=%s').split('\n');
    expect(subjects.filter((one) => one.startsWith('mine'))).toHaveLength(12);
    expect(subjects.filter((one) => one === 'landed')).toHaveLength(1);
    expect(it.repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}run`);
    expect(it.repository.git('show', 'HEAD:mine.txt').split('\n')).toHaveLength(12);
    expect(it.repository.status()).toEqual([]);
  });

  it('is one at a time, and not during a run', async () => {
    const it = scene();
    const id = await run(it, 'echo run >>a.txt');
    const sign = join(it.where.root, 'sign');
    addHook(it.repository, 'pre-commit', `echo >${quote(sign)}; sleep 1.5`);
    const first = await startBaton(['land', '-m', 'x'], { env: it.where.env, cwd: it.repository.dir });
    await untilFile(sign);

    expect(await it.baton('land', '-m', 'y')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another landing'),
    });
    expect(await it.baton('discard')).toMatchObject({ code: 1 });
    expect(await dispatch(it.where, { cd: it.repository.dir })).toMatchObject({ code: 2, result: null });
    expect(await first.ended).toMatchObject({ code: 0, stdout: expect.stringContaining(id) });
  });
});

describe('what a hook prints', () => {
  it('reaches the terminal without its escape sequences, whether the hook refuses or not', async () => {
    const it = scene();
    await run(it, 'echo run >>a.txt');
    addHook(it.repository, 'pre-commit', `printf '\\033]0;evil\\007no\\n'; exit 1`);
    const refused = await it.baton('land', '-m', 'x');
    addHook(it.repository, 'pre-commit', `printf '\\033]0;evil\\007yes\\n'`);
    const landed = await it.baton('land', '-m', 'x');

    expect(refused.stderr).toMatch(/^baton: the hook pre-commit refused[^\n]*no[^\n]*\n$/);
    expect(landed.stdout).toContain('yes\n');
    expect(refused.stderr + landed.stdout).not.toMatch(/\u001b|\u0007/);
  });
});

describe('baton discard', () => {
  it('takes the run out, keeps the rest, and can be undone', async () => {
    const it = scene();
    it.repository.write({ 'a.txt': `mine\n${BASE}` });
    const id = await run(it, 'echo run >>a.txt; mkdir new; echo new >new/b.txt');
    it.repository.write({ 'later.txt': 'later\n' });

    const discarded = await it.baton('discard');

    expect(discarded).toMatchObject({ code: 0, stdout: `Discarded run ${id}:\n a.txt\n new/b.txt\n` });
    expect(it.repository.read('a.txt')).toBe(`mine\n${BASE}`);
    expect(it.repository.status()).toEqual([' M a.txt', '?? later.txt']);
    expect(existsSync(join(it.repository.dir, 'new'))).toBe(false);
    expect(await it.baton('land', '-m', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('baton undo'),
    });
    expect(await it.baton('undo')).toMatchObject({ code: 0 });
    expect(it.repository.read('a.txt')).toBe(`mine\n${BASE}run\n`);
    expect(it.repository.status()).toEqual([' M a.txt', '?? later.txt', '?? new/b.txt']);
  });

  it('refuses with the paths where later edits are in the same lines', async () => {
    const it = scene();
    await run(it, 'echo run >>a.txt');
    it.repository.write({ 'a.txt': `${BASE}mine now\n` });

    const refused = await it.baton('discard', '--json');

    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { conflicts: [{ path: 'a.txt', kind: 'content' }] },
    });
    expect(it.repository.read('a.txt')).toBe(`${BASE}mine now\n`);
  });
});

it('an undo of a discard that a person undid by hand says so', async () => {
  const it = scene();
  const id = await run(it, 'echo new >new.txt');
  await it.baton('discard');
  it.repository.write({ 'new.txt': 'new\n' });
  expect(await it.baton('undo')).toMatchObject({
    code: 1,
    stderr: `baton: what was discarded of run ${id} is in the working tree already\n`,
  });
});

describe('a run that is landed in parts', () => {
  it('keeps each part through a discard of the rest, and gives them back one by one', async () => {
    const it = scene();
    await run(it, 'for name in a b c; do echo $name >$name.new; done');
    const start = it.repository.head();
    for (const name of ['a', 'b'])
      expect(await it.baton('land', '-m', name, '--only', `${name}.new`)).toMatchObject({ code: 0 });
    const parts = it.repository.head();

    const discarded = await it.baton('discard', '--json');
    expect(JSON.parse(discarded.stdout).record).toMatchObject({
      paths: ['c.new'],
      earlier: [{ only: ['a.new'] }, { only: ['b.new'] }],
    });
    expect(it.repository.status()).toEqual([]);
    expect(await it.baton('undo')).toMatchObject({ code: 0, stdout: expect.stringContaining('Put back') });
    expect(it.repository.status()).toEqual(['?? c.new']);
    // Once more: what stands of it is known all the same.
    expect(await it.baton('discard')).toMatchObject({ code: 0 });
    expect(it.repository.status()).toEqual([]);
    expect(await it.baton('undo')).toMatchObject({ code: 0 });

    expect(await it.baton('undo')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(parts.slice(0, 12)),
    });
    expect(it.repository.status()).toEqual(['?? b.new', '?? c.new']);
    expect(await it.baton('undo')).toMatchObject({ code: 0 });
    expect(it.repository.head()).toBe(start);
    expect(it.repository.status()).toEqual(['?? a.new', '?? b.new', '?? c.new']);
    expect(await it.baton('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('no landing') });

    await it.baton('land', '-m', 'c', '--only', 'c.new');
    expect(await it.baton('land', '-m', 'All')).toMatchObject({ code: 0 });
    expect(await it.baton('undo')).toMatchObject({ code: 0 });
    expect(it.repository.status()).toEqual(['?? a.new', '?? b.new']);
  });
});

describe('baton rework', () => {
  it('goes on with the session, and diff, land and discard see the whole chain', async () => {
    const it = scene({ 'a.txt': BASE, 'b.txt': 'b\n' });
    const first = await run(it, 'echo one >>a.txt');
    const args = join(it.where.root, 'args');
    const again = (does: string): string =>
      `printf '%s\\n' "$@" >${quote(args)}; cat >${quote(`${args}.brief`)}; { ${does}; } >&2
      printf '%s\\n' '{"type":"system","subtype":"init","session_id":"S1","sandbox_enabled":true}'
      printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"S1"}'`;
    fakeShell(it.where, again('sed -i.bak s/one/two/ a.txt; rm a.txt.bak; echo two >b.txt'));
    const delta = join(it.where.root, 'delta.md');
    it.repository.write({ 'mine.txt': 'mine\n' });
    writeFileSync(delta, 'Say two.\n');

    const reworked = await it.baton('rework', '--brief', delta, '--json');

    expect(reworked.code).toBe(0);
    const result = JSON.parse(reworked.stdout);
    expect(result).toMatchObject({ parent: first, resumed: true, agent: { resumedFrom: 'S1' } });
    expect(readFileSync(args, 'utf8')).toContain('--resume\nS1\n');
    expect(readFileSync(`${args}.brief`, 'utf8')).toBe('Say two.\n');

    const diff = JSON.parse((await it.baton('diff', '--json')).stdout);
    expect(diff.runIds).toEqual([first, result.runId]);
    const patch = Buffer.from(diff.patch, 'base64').toString();
    expect(patch).toContain('+two');
    expect(patch).not.toContain('one');

    expect(await it.baton('discard')).toMatchObject({ code: 0 });
    expect(it.repository.status()).toEqual(['?? mine.txt']);
    expect(await it.baton('rework', '--brief', delta)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was discarded'),
    });
    expect(await it.baton('undo')).toMatchObject({ code: 0 });
    const landed = await it.baton('land', '-m', 'Both');
    expect(landed).toMatchObject({ code: 0, stdout: expect.stringContaining('Landed 2 runs') });
    expect(it.repository.git('log', '-1', '--format=%B')).toContain(
      `Baton-Run: ${first}\nBaton-Run: ${result.runId}\n`,
    );
    expect(it.repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}two`);
    expect(it.repository.status()).toEqual(['?? mine.txt']);
  });

  it('takes a bypass over only when it is said again', async () => {
    const it = scene();
    await run({ ...it, where: withoutRoot(it.where) }, 'echo one >>a.txt', [
      '--dangerously-skip-permissions',
    ]);
    const brief = join(it.repository.dir, 'a.txt');

    expect(await it.baton('rework', '--brief', brief)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--dangerously-skip-permissions'),
    });
  });
});

/** Claude refuses a bypass as root, unless its surroundings say that they are a sandbox. */
function withoutRoot(where: Surroundings): Surroundings {
  where.env['IS_SANDBOX'] = '1';
  return where;
}

describe('landing.json', () => {
  it('is an artifact of the run, and keeps to its published schema', async () => {
    const it = scene();
    fakeDoing(it.where, 'echo run >>a.txt');
    const { dir } = await proven(it.where, { cd: it.repository.dir });
    addHook(it.repository, 'post-commit', 'echo posted');
    const read = (): unknown => JSON.parse(readFileSync(join(dir, ARTIFACTS.landing), 'utf8'));

    const states: string[] = [];
    for (const args of [['land', '-m', 'x'], ['undo'], ['discard'], ['undo']]) {
      expect(await it.baton(...args)).toMatchObject({ code: 0 });
      states.push(landingSchema.parse(read()).state);
    }

    expect(states).toEqual(['landed', 'undone', 'discarded', 'undone']);
  });
});
