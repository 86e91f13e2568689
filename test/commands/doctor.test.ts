import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Mending } from '../../src/commands/doctor.ts';
import type { Check } from '../../src/implementers/inspection.ts';
import { acquireTreeLock } from '../../src/rundir/tree-lock.ts';
import { addHook } from '../landing/hooks.ts';
import { dispatch, PROGRAMS, runBaton } from '../support/baton.ts';
import { alone, fakeClaude, fakeCodex, fakeSandbox } from '../support/clis.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, fakeSaying } from '../support/fake.ts';
import { init, success } from '../support/records.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

interface World extends Surroundings {
  repository: TestRepository;
}

/** A machine on which a dispatch to claude would start, and nothing else is installed. */
function world(): World {
  const where = alone(surroundings());
  fakeSandbox(where);
  fakeClaude(where);
  chmodSync(where.state, 0o700);
  return { ...where, repository: makeRepository() };
}

function run(where: World, args: readonly string[] = [], cwd = where.repository.dir) {
  return runBaton(['doctor', ...args], { env: where.env, cwd });
}

interface Report {
  ok: boolean;
  implementer: string;
  others: string[];
  checks: Check[];
  mendings: Mending[];
}

async function report(where: World, args: readonly string[] = [], cwd?: string): Promise<Report> {
  const { code, stdout, stderr } = await run(where, ['--json', ...args], cwd);
  expect(stderr).toBe('');
  const found: Report = JSON.parse(stdout);
  expect(code).toBe(found.ok ? 0 : 1);
  expect(found.ok).toBe(found.checks.every(({ state }) => state !== 'problem'));
  expect(found.checks.filter(({ state, remedy }) => state !== 'ok' && !remedy)).toEqual([]);
  return found;
}

/** `doctor --fix --yes` on a terminal, where somebody presses this key. */
function answering(where: World, key: string): string {
  return execFileSync(
    'script',
    ['-qec', `${process.execPath} ${PROGRAMS.baton} doctor --fix --yes`, '/dev/null'],
    {
      cwd: where.repository.dir,
      env: { ...where.env, PATH: `${where.env['PATH'] ?? ''}:/usr/bin:/bin`, TERM: 'xterm' },
      input: key,
    },
  ).toString();
}

function of({ checks }: Report, id: string): Check[] {
  return checks.filter((check) => check.id === id);
}

describe('a machine that is ready', () => {
  test('has no problem, and is left as it is', async () => {
    const where = world();
    const before = where.repository.fingerprint();
    const found = await report(where);
    expect(found).toMatchObject({ ok: true, implementer: 'claude', others: [], mendings: [] });
    expect(found.checks.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(found.checks.map(({ id }) => id)).toEqual([
      'node',
      'git',
      'state-folder',
      'disk',
      'claude.executable',
      'claude.signed-in',
      'claude.bubblewrap',
      'claude.socat',
      'codex.executable',
      'repository',
      'lanes',
      'gates',
    ]);
    expect(where.repository.fingerprint()).toEqual(before);
    expect([where.state, where.tmp, where.home].map((folder) => readdirSync(folder))).toEqual([[], [], []]);
  });

  test('starts a dispatch', async () => {
    const where = world();
    fakeSaying(where, [init(), success('done')], { name: 'claude' });
    // What cannot say whether it is signed in does not keep a dispatch from starting.
    expect(of(await report(where), 'claude.signed-in')).toMatchObject([{ state: 'warning' }]);
    const { result } = await dispatch(where, { cd: where.repository.dir });
    expect(result?.status).toBe('completed');
  });

  test('is told to a person', async () => {
    const { code, stdout } = await run(world());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {7}Node /);
    expect(stdout).toContain('ok       claude: 2.1.332 (Claude Code), /');
    expect(stdout).toMatch(/a dispatch to claude would start\n$/);
  });
});

describe('a CLI that is not ready', () => {
  test('is not signed in', async () => {
    const where = world();
    fakeClaude(where, { signedIn: false });
    fakeCodex(where);
    const { code, stdout } = await run(where);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'PROBLEM  claude is not signed in, and no API key is set\n         claude auth login\n',
    );
    expect(stdout).toContain('a dispatch to claude would not start (1 problem)\n');
    expect(stdout).toMatch(/`baton doctor --implementer codex`\n$/);
  });

  test('is missing, which only matters where it is to do the work', async () => {
    const where = world();
    const asClaude = await report(where);
    expect(of(asClaude, 'codex.executable')).toMatchObject([
      { state: 'ok', text: expect.stringContaining('not needed') },
    ]);
    const asCodex = await report(where, ['--implementer', 'codex']);
    expect(of(asCodex, 'codex.executable')).toEqual([
      {
        id: 'codex.executable',
        state: 'problem',
        text: 'codex is not installed: no folder of PATH has it',
        remedy: 'npm install -g @openai/codex',
      },
    ]);
    expect(asCodex.others).toEqual(['claude']);
  });

  test('is broken: a problem for the one, a warning for the other', async () => {
    const where = world();
    symlinkSync('/nowhere/codex', join(where.bin, 'codex'));
    const found = await report(where);
    expect(found.ok).toBe(true);
    expect(of(found, 'codex.executable')).toMatchObject([
      { state: 'warning', text: expect.stringContaining('broken link') },
    ]);
    expect((await report(where, ['--implementer', 'codex'])).ok).toBe(false);
  });

  test('has nothing to make its sandbox of', async () => {
    const where = world();
    for (const name of ['bwrap', 'socat']) rmSync(join(where.bin, name));
    fakeShell(where, '', { name: 'apt-get' });
    const found = await report(where);
    for (const name of ['bubblewrap', 'socat'])
      expect(of(found, `claude.${name}`)).toMatchObject([
        { state: 'problem', remedy: `sudo apt-get install -y ${name}` },
      ]);
  });

  test('may not make its sandbox', async () => {
    const where = world();
    fakeShell(where, 'echo "bwrap: No permissions to create new namespace" >&2; exit 1', {
      name: 'bwrap',
      version: null,
    });
    expect(of(await report(where), 'claude.bubblewrap')).toMatchObject([
      { state: 'problem', text: expect.stringContaining('No permissions to create new namespace') },
    ]);
  });

  test('has settings that undo the sandbox', async () => {
    const where = world();
    mkdirSync(join(where.home, '.claude'));
    writeFileSync(
      join(where.home, '.claude', 'settings.json'),
      JSON.stringify({ sandbox: { excludedCommands: ['git'] } }),
    );
    fakeCodex(where);
    mkdirSync(join(where.home, '.codex'));
    writeFileSync(
      join(where.home, '.codex', 'config.toml'),
      '[sandbox_workspace_write]\nnetwork_access = true\n',
    );
    const found = await report(where);
    expect(found.ok).toBe(true);
    expect(of(found, 'claude.settings')).toMatchObject([
      { state: 'warning', text: expect.stringContaining('excludedCommands (git)') },
    ]);
    expect(of(found, 'codex.settings')).toMatchObject([{ state: 'warning' }]);
  });

  test('codex works where its sandbox does', async () => {
    const where = world();
    fakeCodex(where);
    expect(await report(where, ['--implementer', 'codex'])).toMatchObject({ ok: true, others: ['claude'] });
    fakeShell(
      where,
      `case "$*" in --version) echo codex-cli 0.171.0;; sandbox*) echo "no sandbox here" >&2; exit 1;; login*) echo Logged in using ChatGPT >&2;; esac`,
      { name: 'codex', version: null },
    );
    const found = await report(where, ['--implementer', 'codex']);
    expect(of(found, 'codex.sandbox')).toMatchObject([
      { state: 'problem', text: expect.stringContaining('no sandbox here') },
    ]);
  });

  test('scripted has its script, or not', async () => {
    const where = world();
    expect(of(await report(where, ['--implementer', 'scripted']), 'scripted.executable')).toMatchObject([
      { state: 'problem', text: expect.stringContaining('BATON_SCRIPT is not set') },
    ]);
    const script = join(where.root, 'script.yaml');
    writeFileSync(script, 'steps:\n  - say: hi\n');
    where.env['BATON_SCRIPT'] = script;
    expect((await report(where, ['--implementer', 'scripted'])).ok).toBe(true);
  });
});

describe('the machine', () => {
  test('has no git, an old one, or one too old for hooks', async () => {
    const where = world();
    const gitSaying = async (version: string): Promise<Check[]> => {
      fakeShell(where, '', { name: 'git', version: `git version ${version}` });
      return of(await report(where), 'git');
    };
    expect(await gitSaying('2.36.0')).toMatchObject([{ state: 'ok', text: 'git 2.36.0' }]);
    expect(await gitSaying('2.35.9 (Apple Git-1)')).toMatchObject([{ state: 'warning' }]);
    expect(await gitSaying('2.9.5')).toMatchObject([{ state: 'problem' }]);
    expect(await gitSaying('unknown')).toMatchObject([{ state: 'warning' }]);
    rmSync(join(where.bin, 'git'));
    where.env['PATH'] = where.bin;
    expect(of(await report(where), 'git')).toMatchObject([{ state: 'problem' }]);
  });

  test('has no room for a state folder', async () => {
    const where = world();
    const file = join(where.root, 'file');
    writeFileSync(file, '');
    where.env['BATON_HOME'] = join(file, 'state');
    expect(of(await report(where), 'state-folder')).toMatchObject([
      { state: 'problem', remedy: expect.stringContaining('BATON_HOME') },
    ]);
    where.env['BATON_HOME'] = join(where.root, 'not', 'yet');
    expect(of(await report(where), 'state-folder')).toMatchObject([
      { state: 'ok', text: expect.stringContaining('will be made') },
    ]);
    expect(existsSync(join(where.root, 'not'))).toBe(false);
  });

  test('has a state folder in which no run can be made', async () => {
    const where = world();
    writeFileSync(join(where.state, 'runs'), '');
    expect(of(await report(where), 'state-folder')).toMatchObject([
      { state: 'problem', text: expect.stringContaining(join(where.state, 'runs')) },
    ]);
    rmSync(join(where.state, 'runs'));
    mkdirSync(join(where.state, 'runs'));
    expect(of(await report(where), 'state-folder')).toMatchObject([{ state: 'ok' }]);
    expect(readdirSync(join(where.state, 'runs'))).toEqual([]);
  });

  test('has a file in the place of the temporary folder', async () => {
    const where = world();
    where.env['TMPDIR'] = join(where.root, 'file');
    writeFileSync(where.env['TMPDIR'], '');
    expect(of(await report(where), 'claude.executable')).toMatchObject([
      { state: 'problem', remedy: expect.stringContaining('TMPDIR') },
    ]);
  });

  test('is inside a run', async () => {
    const where = world();
    where.env['BATON_DEPTH'] = '1';
    expect(of(await report(where), 'inside-a-run')).toMatchObject([{ state: 'problem' }]);
  });

  test('has no temporary folder', async () => {
    const where = world();
    where.env['TMPDIR'] = join(where.root, 'nowhere');
    expect(of(await report(where), 'claude.executable')).toMatchObject([
      { state: 'problem', remedy: expect.stringContaining('TMPDIR') },
    ]);
  });
});

describe('the project', () => {
  test('is no repository: codex refuses that, claude does not', async () => {
    const where = world();
    fakeCodex(where);
    expect(of(await report(where, [], where.home), 'repository')).toMatchObject([
      { state: 'warning', remedy: 'git init' },
    ]);
    expect(of(await report(where, ['--implementer', 'codex'], where.home), 'repository')).toMatchObject([
      { state: 'problem', remedy: 'git init' },
    ]);
  });

  test('has a run at work', async () => {
    const where = world();
    const lock = acquireTreeLock({ stateHome: where.state, treeTop: where.repository.dir, runId: 'r1' });
    try {
      expect(of(await report(where), 'tree-lock')).toMatchObject([
        { state: 'problem', text: expect.stringContaining('run r1 is at work') },
      ]);
    } finally {
      lock.release();
    }
    expect(of(await report(where), 'tree-lock')).toEqual([]);
  });

  test('has lanes that do not count', async () => {
    const where = world();
    const fleet = (lanes: object): string => JSON.stringify({ version: 'delegate-fleet.v1', lanes });
    where.repository.write({ '.delegate/config.json': fleet({ here: { implementer: 'claude' } }) });
    mkdirSync(join(where.home, '.config', 'delegate-skills'), { recursive: true });
    const global = join(where.home, '.config', 'delegate-skills', 'config.json');
    writeFileSync(
      global,
      fleet({
        good: { implementer: 'claude', effort: 'low' },
        far: { implementer: 'codex' },
        foreign: { implementer: 'aider' },
        odd: { implementer: 'claude', sandbox: 'x' },
      }),
    );
    const lanes = of(await report(where), 'lanes');
    expect(lanes.map(({ state, remedy }) => [state, remedy])).toEqual([
      ['warning', 'baton lanes approve'],
      ['warning', 'baton doctor --implementer codex'],
      ['warning', 'baton lanes validate'],
    ]);
    expect(lanes[1]?.text).toContain('far is for codex');
    expect(lanes[2]?.text).toContain('lane odd: ');
    writeFileSync(global, '{');
    expect(of(await report(where), 'lanes')[0]).toMatchObject({
      state: 'warning',
      text: expect.stringContaining(`${global} is not used`),
    });
  });

  test('has gates to approve, to mend, or to find', async () => {
    const where = world();
    where.repository.write({ 'baton.config.json': '{"gates":[{"name":"t","command":"true"}]}' });
    expect(of(await report(where), 'gates')).toMatchObject([
      { state: 'warning', remedy: 'baton gates approve' },
    ]);
    await runBaton(['gates', 'approve'], { env: where.env, cwd: where.repository.dir });
    expect(of(await report(where), 'gates')).toMatchObject([
      { state: 'ok', text: 'gates: t (baton.config.json)' },
    ]);
    where.repository.write({ 'baton.config.json': '{' });
    expect(of(await report(where), 'gates')).toMatchObject([
      { state: 'warning', remedy: 'baton gates list' },
    ]);
    where.repository.write({ 'baton.config.json': null, 'package.json': '{"scripts":{"test":"vitest"}}' });
    expect(of(await report(where), 'gates')).toMatchObject([
      { state: 'warning', remedy: 'baton gates detect --write' },
    ]);
  });
});

describe('--fix', () => {
  test('asks first: where nobody can be asked, nothing is done', async () => {
    const where = world();
    chmodSync(where.state, 0o755);
    const { code, stdout, stderr } = await run(where, ['--fix']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^baton: nobody can be asked .*--yes\n$/);
    expect(statSync(where.state).mode & 0o777).toBe(0o755);
  });

  test('with --yes closes the state folder to others', async () => {
    const where = world();
    chmodSync(where.state, 0o755);
    expect(of(await report(where), 'state-folder')).toMatchObject([
      { state: 'warning', remedy: `chmod 700 ${where.state}` },
    ]);
    const found = await report(where, ['--fix', '--yes']);
    expect(found.mendings).toEqual([
      { check: 'state-folder', done: true, text: `${where.state} has mode 700 now` },
    ]);
    expect(of(found, 'state-folder')).toMatchObject([{ state: 'ok' }]);
    expect(statSync(where.state).mode & 0o777).toBe(0o700);
  });

  test('removes what a killed baton left, and nothing that may be in use', async () => {
    const where = world();
    const old = new Date(Date.now() - 40 * 24 * 3_600_000);
    const temporary = (name: string, time: Date | null): string => {
      const path = join(where.tmp, name);
      mkdirSync(join(path, 'in'), { recursive: true });
      if (time) utimesSync(path, time, time);
      return path;
    };
    const stale = temporary('baton-tmp-abc123', old);
    const kept = [temporary('baton-tmp-abc124', null), temporary('baton-elses', old)];
    symlinkSync(where.home, join(where.tmp, 'baton-tmp-abc125'));
    const runDir = (id: string, supervisor: object): string => {
      const path = join(where.state, 'runs', 'tree-0', id);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, '.reserve'), 'x');
      writeFileSync(join(path, 'run.json'), JSON.stringify({ runId: id, phase: 'running', supervisor }));
      return join(path, '.reserve');
    };
    const lost = runDir('lost', { pid: 2 ** 22 + 7, birth: null });
    const living = runDir('living', { pid: process.pid, birth: null });
    const { mendings } = await report(where, ['--fix', '--yes']);
    expect(mendings).toMatchObject([{ check: 'leftovers', done: true }]);
    expect([stale, lost].filter((path) => existsSync(path))).toEqual([]);
    expect([...kept, living, join(where.tmp, 'baton-tmp-abc125')].every((path) => existsSync(path))).toBe(
      true,
    );
    expect(of(await report(where), 'leftovers')).toEqual([]);
  });

  test('ends a landing that was interrupted', async () => {
    const where = world();
    where.env['PATH'] += ':/usr/bin:/bin';
    fakeShell(where, `cat >/dev/null; echo new >made.txt; echo '${init()}'; echo '${success('done')}'`);
    await dispatch(where, { cd: where.repository.dir, outDir: join(where.root, 'run') });
    addHook(where.repository, 'commit-msg', 'kill -9 "$(ps -o ppid= -p $PPID | tr -d " ")"');
    const landing = await runBaton(['land', '-m', 'x'], { env: where.env, cwd: where.repository.dir });
    expect(landing.signal).toBe('SIGKILL');
    fakeClaude(where);
    expect(of(await report(where), 'interrupted-landing')).toMatchObject([
      { state: 'warning', remedy: 'baton doctor --fix' },
    ]);
    expect(answering(where, 'y')).toContain('the land was taken back');
    expect(of(await report(where), 'interrupted-landing')).toEqual([]);
  });

  test('writes into the repository only after a yes of its own', async () => {
    const where = world();
    where.repository.write({ 'package.json': '{"scripts":{"test":"vitest"}}' });
    const file = join(where.repository.dir, 'baton.config.json');
    const found = await report(where, ['--fix', '--yes']);
    expect(found.mendings).toMatchObject([
      { check: 'gates', done: false, text: expect.stringContaining('nobody can be asked') },
    ]);
    expect(existsSync(file)).toBe(false);
    expect(answering(where, 'n')).toContain('left as it is: Write these gates (test)');
    expect(existsSync(file)).toBe(false);
    expect(answering(where, 'y')).toContain(`wrote ${file}`);
    expect(existsSync(file)).toBe(true);
    // Written is not approved.
    expect(of(await report(where), 'gates')).toMatchObject([{ remedy: 'baton gates approve' }]);
  });
});

describe('a bad use', () => {
  test.each([
    [['--yes'], /--fix/],
    [['--implementer', 'gpt'], /is not known: choose claude or codex/],
    [['--cd', '/nowhere/at/all'], /does not exist/],
  ])('%j exits 2', async (args, says) => {
    const { code, stdout, stderr } = await run(world(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
