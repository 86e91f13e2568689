import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until, untilFile } from './baton.ts';
import { ensureBuilt } from './build.ts';
import { surroundings } from './environment.ts';
import { FAKE_VERSION, fakeNode, fakeSaying, fakeScripted, fakeShell } from './fake.ts';
import { endProcesses, processesOfRun, processesUnder, waitUntilGone } from './processes.ts';
import { makeRepository, openRepository } from './repository.ts';
import { temporaryFolder } from './temporary.ts';

describe('surroundings', () => {
  it('pass on nothing of the environment of the tests', () => {
    const { env } = surroundings({ EXTRA: '1' });
    // A shell would add PWD and its like by itself; this prints what it was given.
    const printed = execFileSync('/usr/bin/env', { env, encoding: 'utf8' });
    const names = printed
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['BATON_HOME', 'EXTRA', 'HOME', 'LANG', 'PATH', 'TMPDIR']));
  });

  it('have git and this very Node on their path', () => {
    const { env } = surroundings();
    expect(execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim()).toBe(process.version);
    expect(execFileSync('git', ['--version'], { env, encoding: 'utf8' })).toContain('git version');
  });
});

const removed: string[] = [];

describe('a temporary folder', () => {
  it('is there during its test', () => {
    removed.push(temporaryFolder());
    expect(removed.every((folder) => existsSync(folder))).toBe(true);
  });

  it('is gone afterwards', () => {
    expect(removed).toHaveLength(1);
    expect(removed.filter((folder) => existsSync(folder))).toEqual([]);
  });
});

describe('a fake', () => {
  it.each([
    ['shell', fakeShell, `echo "got $(cat)"`],
    ['node', fakeNode, `console.log('got ' + require('fs').readFileSync(0, 'utf8'))`],
  ] as const)('written for %s is found as claude, says its version and reads stdin', (_, make, code) => {
    const where = surroundings();
    make(where, code);
    expect(execFileSync('claude', ['--version'], { env: where.env, encoding: 'utf8' })).toBe(
      `${FAKE_VERSION}\n`,
    );
    expect(execFileSync('claude', ['-p'], { env: where.env, encoding: 'utf8', input: 'a brief' })).toBe(
      'got a brief\n',
    );
  });

  it('says lines exactly, quotes and backslashes too, and exits as told', () => {
    const where = surroundings();
    const lines = [`{"a":"it's \\n %s $HOME"}`, '\u2028'];
    fakeSaying(where, lines, { exit: 3 });
    expect(() => execFileSync('claude', { env: where.env, input: '' })).toThrow(
      expect.objectContaining({ status: 3, stdout: Buffer.from(`${lines.join('\n')}\n`) }),
    );
  });
});

describe('the scripted implementer as a fake', () => {
  it('plays its script under the name of the agent', async () => {
    await ensureBuilt();
    const where = surroundings();
    fakeScripted(where, '- say: hello\n');
    const out = execFileSync('claude', ['-p', '--output-format', 'stream-json', '--verbose'], {
      env: where.env,
      encoding: 'utf8',
      input: 'a brief',
    });
    expect(out).toContain('"text":"hello"');
  });
});

describe('a fingerprint of a repository', () => {
  it('stays the same while only the working tree changes', () => {
    const repository = makeRepository();
    const before = repository.fingerprint();
    repository.write({ 'README.md': 'other\n', 'new/file.txt': 'new\n' });
    expect(repository.fingerprint()).toEqual(before);
    expect(repository.status()).toEqual([' M README.md', '?? new/file.txt']);
  });

  it.each([
    ['add', 'a.txt'],
    ['stash', '-u'],
    ['branch', 'other'],
    ['config', 'x.y', 'z'],
    ['update-index', '--assume-unchanged', 'README.md'],
  ])('tells of git %s %s', (...args) => {
    const repository = makeRepository();
    repository.write({ 'a.txt': 'a\n' });
    const before = repository.fingerprint();
    repository.git(...args);
    expect(repository.fingerprint()).not.toEqual(before);
  });

  it('covers the shared folder of a linked worktree', () => {
    const main = makeRepository();
    main.git('worktree', 'add', '-q', join(main.dir, 'linked'));
    const linked = openRepository(join(main.dir, 'linked'));
    const before = linked.fingerprint();
    main.git('config', 'x.y', 'z');
    expect(linked.fingerprint()).not.toEqual(before);
  });
});

describe('looking for processes', () => {
  it('finds by marker and by folder what left its session and parent', async () => {
    const folder = temporaryFolder();
    const work = join(folder, 'work');
    mkdirSync(work);
    const id = 'harness-test-run';
    const script = `setsid sh -c 'echo $$ >"$0/pid"; exec sleep 300' "$1" &`;
    spawn('sh', ['-c', script, 'sh', folder], {
      cwd: work,
      env: { PATH: '/usr/bin:/bin', BATON_RUN_ID: id },
      stdio: 'ignore',
    });
    const pid = Number(await untilFile(join(folder, 'pid')));
    await until('exec', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));
    try {
      expect(processesOfRun(id).map((found) => found.pid)).toEqual([pid]);
      expect(processesOfRun('harness-test')).toEqual([]);
      expect(processesUnder(folder)).toMatchObject([{ pid, command: 'sleep 300' }]);
    } finally {
      endProcesses([{ pid }]);
    }
    expect(await waitUntilGone(() => processesOfRun(id))).toEqual([]);
  });

  it('does not find a program that only lies elsewhere', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(processesUnder(folder)).toEqual([]);
  });
});
