import { chmodSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discard } from '../../src/landing/change-tree.ts';
import type { LandableRun } from '../../src/landing/plan-landing.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { landRuns, runOf, workshopAt } from './landing.ts';

const BASE = Array.from({ length: 12 }, (_, at) => `${at}\n`).join('');

async function land(repository: TestRepository, run: LandableRun, options = {}) {
  return landRuns(await workshopAt(repository, [run]), [run], options);
}

async function takeOut(repository: TestRepository, run: LandableRun) {
  return discard(await workshopAt(repository, [run]), [run], []);
}

describe('kinds of files', () => {
  it('lands and discards links, modes, binary files and names that are no UTF-8', async () => {
    const repository = makeRepository({
      files: { 'a.sh': 'a\n', 'b.bin': Buffer.from([0, 1, 2]), target: 't\n' },
    });
    symlinkSync('target', join(repository.dir, 'link'));
    repository.commit();
    const odd = Buffer.concat([Buffer.from(`${repository.dir}/`), Buffer.from([0x6f, 0xff])]);
    const run = await runOf(repository, () => {
      repository.setExecutable('a.sh', true);
      repository.write({ 'b.bin': Buffer.from([0, 9, 9, 0]) });
      rmSync(join(repository.dir, 'link'));
      symlinkSync('a.sh', join(repository.dir, 'link'));
      writeFileSync(odd, 'odd\n');
    });

    await takeOut(repository, run);
    expect(repository.status()).toEqual([]);
    expect(readlinkSync(join(repository.dir, 'link'))).toBe('target');
    expect(readFileSync(join(repository.dir, 'b.bin'))).toEqual(Buffer.from([0, 1, 2]));

    repository.setExecutable('a.sh', true);
    writeFileSync(odd, 'odd\n');
    const record = await land(repository, run);
    expect(record.changes.map(({ status, path }) => `${status} ${path}`)).toEqual([
      'M a.sh',
      'M b.bin',
      'M link',
      'A o\\xff',
    ]);
    expect(repository.git('ls-tree', 'HEAD', 'a.sh')).toMatch(/^100755 /);
  });

  it('keeps line ends as git converts them', async () => {
    const repository = makeRepository({
      files: { 'a.txt': BASE, '.gitattributes': '*.txt text eol=crlf\n' },
      config: { 'core.autocrlf': 'true' },
    });
    rmSync(join(repository.dir, 'a.txt'));
    repository.git('checkout', '--', 'a.txt');
    const crlf = BASE.replaceAll('\n', '\r\n');
    expect(repository.read('a.txt')).toBe(crlf);
    repository.write({ 'a.txt': `mine\r\n${crlf}` });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `mine\r\n${crlf}run\r\n` }));

    await takeOut(repository, run);
    expect(repository.read('a.txt')).toBe(`mine\r\n${crlf}`);
    repository.write({ 'a.txt': `mine\r\n${crlf}run\r\n` });
    await land(repository, run);

    expect(repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}run`);
    expect(repository.status()).toEqual([' M a.txt']);
  });

  it('runs no filter whose program the run may have written, neither to land nor to discard', async () => {
    const repository = makeRepository({
      files: { 'a.dat': 'a\n', 'b.txt': 'b\n', '.gitattributes': '*.dat filter=x\n' },
    });
    const spy = join(repository.dir, '..', `spy-${process.pid}`);
    repository.write({ 'x.sh': '#!/bin/sh\ncat\n' });
    chmodSync(join(repository.dir, 'x.sh'), 0o755);
    repository.commit();
    repository.git('config', 'filter.x.clean', './x.sh');
    repository.git('config', 'filter.x.smudge', './x.sh');
    const run = await runOf(repository, () =>
      repository.write({ 'a.dat': 'run\n', 'b.txt': 'run\n', 'x.sh': `#!/bin/sh\ntouch ${spy}\ncat\n` }),
    );
    const before = repository.head();

    await expect(land(repository, run)).rejects.toMatchObject({
      code: 'filter',
      message: expect.stringContaining('a.dat'),
    });
    await expect(takeOut(repository, run)).rejects.toMatchObject({ code: 'filter' });
    expect(repository.head()).toBe(before);
    await land(repository, run, { only: ['b.txt'] });

    expect(() => readFileSync(spy)).toThrow('ENOENT');
    expect(repository.git('show', 'HEAD:b.txt')).toBe('run');
  });

  it('never lands what was ignored before the run, whatever .gitignore says now', async () => {
    const repository = makeRepository({ files: { '.gitignore': 'secret\n', 'a.txt': 'a\n' } });
    repository.write({ secret: 'key\n' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const run = await runOf(repository, () => repository.write({ '.gitignore': '# nothing\n' }));

    const record = await land(repository, run, { includeMyEdits: true });

    expect(record.changes).toEqual([{ status: 'M', path: '.gitignore' }]);
    expect(repository.status()).toEqual(['?? secret']);
  });

  it('does not remove ignored files that lie in a folder which is to give way', async () => {
    const repository = makeRepository({ files: { '.gitignore': 'cache\n', f: 'file\n' } });
    const run = await runOf(repository, () => {
      rmSync(join(repository.dir, 'f'));
      repository.write({ 'f/new.txt': 'run\n' });
    });
    repository.write({ 'f/cache': 'precious\n' });

    await expect(takeOut(repository, run)).rejects.toMatchObject({
      code: 'conflict',
      conflicts: [{ path: 'f', kind: 'folder' }],
    });
    expect(repository.read('f/cache')).toBe('precious\n');
    expect(repository.read('f/new.txt')).toBe('run\n');
  });
});

describe('repositories inside', () => {
  it('are left alone: a dirty submodule and a nested repository stay as they are', async () => {
    const inner = makeRepository({ files: { 'i.txt': 'i\n' } });
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub');
    repository.commit();
    makeRepository({ dir: join(repository.dir, 'nested') });
    repository.write({ 'sub/i.txt': 'dirty\n', 'a.txt': `mine\n${BASE}` });
    const before = repository.status();
    const run = await runOf(repository, () =>
      repository.write({ 'a.txt': `mine\n${BASE}run\n`, 'sub/i.txt': 'run\n', 'nested/n.txt': 'run\n' }),
    );

    const record = await land(repository, run);

    expect(record.changes).toEqual([{ status: 'M', path: 'a.txt' }]);
    expect(repository.status()).toEqual(before);
    expect(repository.read('sub/i.txt')).toBe('run\n');
  });
});

describe('links that stand where a folder was', () => {
  it.each([
    ['to a folder elsewhere', (folder: string) => folder],
    ['to itself', () => 'dir'],
  ])('%s are taken out, and nothing is read or written behind them', async (_, target) => {
    const repository = makeRepository({ files: { 'dir/a.txt': 'a\n' } });
    repository.write({ 'dir/mine.txt': 'mine\n' });
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'a.txt'), 'not yours\n');
    const run = await runOf(repository, () => {
      rmSync(join(repository.dir, 'dir'), { recursive: true });
      symlinkSync(target(elsewhere), join(repository.dir, 'dir'));
    });

    await takeOut(repository, run);

    expect(repository.status()).toEqual(['?? dir/mine.txt']);
    expect(repository.read('dir/mine.txt')).toBe('mine\n');
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe('not yours\n');
  });
});

describe('kinds of indexes', () => {
  it.each([
    ['split', (repository: TestRepository) => repository.git('update-index', '--split-index')],
    ['version 4', (repository: TestRepository) => repository.git('update-index', '--index-version', '4')],
    ['untracked cache', (repository: TestRepository) => repository.git('update-index', '--untracked-cache')],
  ])('lands with a %s one', async (_, prepare) => {
    const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': 'b\n' } });
    prepare(repository);
    repository.write({ 'a.txt': `mine\n${BASE}`, 'b.txt': 'staged\n' });
    repository.git('add', 'b.txt');
    const run = await runOf(repository, () => repository.write({ 'a.txt': `mine\n${BASE}run\n` }));

    await land(repository, run);

    expect(repository.status()).toEqual([' M a.txt', 'M  b.txt']);
    expect(repository.git('fsck', '--no-dangling')).toBe('');
  });

  it.each(['skip-worktree', 'assume-unchanged'])('keeps what is marked as %s', async (mark) => {
    const repository = makeRepository({ files: { 'config.txt': BASE } });
    repository.write({ 'config.txt': `local\n${BASE}` });
    repository.git('update-index', `--${mark}`, 'config.txt');
    const marked = repository.git('ls-files', '-v');
    const run = await runOf(repository, () => repository.write({ 'config.txt': `local\n${BASE}run\n` }));

    await land(repository, run);

    expect(repository.git('show', 'HEAD:config.txt')).toBe(`${BASE}run`);
    expect(repository.git('ls-files', '-v')).toBe(marked);
    expect(marked).not.toMatch(/^H/);
    expect(repository.status()).toEqual([]);
  });

  it('lands into a sparse checkout', async () => {
    const repository = makeRepository({ files: { 'in/a.txt': BASE, 'out/b.txt': 'b\n' } });
    repository.git('sparse-checkout', 'set', '--sparse-index', 'in');
    const run = await runOf(repository, () => repository.write({ 'in/a.txt': `${BASE}run\n` }));

    const record = await land(repository, run);

    expect(record.changes.map(({ path }) => path)).toEqual(['in/a.txt']);
    expect(repository.git('ls-files', '-v')).toBe('H in/a.txt\nS out/b.txt');
    expect(repository.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('in/a.txt\nout/b.txt');
    expect(repository.status()).toEqual([]);
  });
});

describe('commits that the implementer made', () => {
  async function committed(): Promise<{ repository: TestRepository; run: LandableRun; base: string }> {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    repository.write({ 'a.txt': `mine\n${BASE}` });
    const base = repository.head();
    const run = await runOf(repository, () => {
      repository.write({ 'a.txt': `mine\n${BASE}run\n`, 'new.txt': 'run\n' });
      repository.git('commit', '-q', '-a', '-m', 'against the rules');
    });
    return { repository, run, base };
  }

  it('are taken in as changes when asked to: one commit takes their place, without the edits of the user', async () => {
    const { repository, run, base } = await committed();
    const theirs = repository.head();

    const record = await land(repository, run, { takeCommits: true });

    expect(record).toMatchObject({ parent: base, takenCommits: [theirs] });
    expect(repository.git('rev-parse', 'HEAD^')).toBe(base);
    expect(repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}run`);
    expect(repository.git('ls-tree', '--name-only', 'HEAD')).toBe('a.txt\nnew.txt');
    expect(repository.git('diff', 'HEAD')).toContain('+mine');
  });

  it('are left alone where one of them was made later, by somebody else', async () => {
    const { repository, run } = await committed();
    run.result.finishedAt = new Date(Date.now() - 10_000).toISOString();
    const head = repository.head();

    await expect(land(repository, run, { takeCommits: true })).rejects.toMatchObject({
      code: 'others-commits',
    });
    expect(repository.head()).toBe(head);
  });
});
