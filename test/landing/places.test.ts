import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recover } from '../../src/landing/recover.ts';
import { undoLanding } from '../../src/landing/undo.ts';
import type { LandingStep } from '../../src/landing/land.ts';
import { makeRepository, openRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { readTree } from './edits.ts';
import { addHook } from './hooks.ts';
import { landRuns, runOf, workshopAt } from './landing.ts';

const BASE = Array.from({ length: 12 }, (_, at) => `${at}\n`).join('');

function stateOf(repository: TestRepository) {
  return { head: repository.head(), status: repository.status(), tree: readTree(repository.dir) };
}

describe('where nothing is landed', () => {
  it.each([
    ['a merge', 'MERGE_HEAD'],
    ['a cherry-pick', 'CHERRY_PICK_HEAD'],
    ['a revert', 'REVERT_HEAD'],
    ['a bisect', 'BISECT_LOG'],
  ])('%s is under way', async (what, file) => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': 'run\n' }));
    writeFileSync(join(repository.dir, '.git', file), `${repository.head()}\n`);
    const before = stateOf(repository);

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'unfinished',
      message: expect.stringContaining(what),
    });
    expect(stateOf(repository)).toEqual(before);
  });

  it('a rebase is under way', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': 'run\n' }));
    mkdirSync(join(repository.dir, '.git', 'rebase-merge'));

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'unfinished',
    });
  });

  it('a merge that a hook began in the middle is not mistaken for the commit', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': 'run\n' }));
    addHook(repository, 'commit-msg', 'git rev-parse HEAD >.git/MERGE_HEAD');
    const head = repository.head();

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'unfinished',
    });
    expect(repository.head()).toBe(head);
  });

  it('the index has conflicts', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const run = await runOf(repository, () => repository.write({ 'b.txt': 'run\n' }));
    repository.git('checkout', '-q', '-b', 'other');
    repository.commit({ 'a.txt': 'other\n' });
    repository.git('stash', '-q', '--', 'b.txt');
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'a.txt': 'main\n' });
    expect(() => repository.git('merge', '-q', 'other')).toThrow('Command failed');
    renameSync(join(repository.dir, '.git', 'MERGE_HEAD'), join(temporaryFolder(), 'kept'));

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'unmerged',
    });
  });
});

describe('a landing', () => {
  it('on a detached HEAD moves HEAD alone', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const main = repository.head();
    repository.git('checkout', '-q', '--detach');
    const run = await runOf(repository, () => repository.write({ 'a.txt': `${BASE}run\n` }));

    const record = await landRuns(await workshopAt(repository, [run]), [run]);

    expect([record.ref, record.parent, repository.head()]).toEqual([null, main, record.commit]);
    expect(repository.git('rev-parse', 'main')).toBe(main);
  });

  it('on a branch without commits makes the first one', async () => {
    const repository = makeRepository({ files: null });
    repository.write({ 'mine.txt': 'mine\n' });
    const run = await runOf(repository, () => repository.write({ 'a.txt': 'run\n' }));
    const workshop = await workshopAt(repository, [run]);

    const record = await landRuns(workshop, [run]);

    expect([record.ref, record.parent]).toEqual(['refs/heads/main', null]);
    expect(repository.git('ls-tree', '--name-only', 'HEAD')).toBe('a.txt');
    expect(repository.status()).toEqual(['?? mine.txt']);
    await undoLanding(workshop, record, [run.directory]);
    expect(() => repository.git('rev-parse', '-q', '--verify', 'HEAD')).toThrow('Command failed');
    expect(repository.status()).toEqual(['?? a.txt', '?? mine.txt']);
  });

  it('in a linked worktree and in a sha256 repository is no different', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': 'b\n' }, objectFormat: 'sha256' });
    const linked = join(temporaryFolder(), 'linked');
    repository.git('worktree', 'add', '-q', linked, '-b', 'side');
    const side = openRepository(linked);
    side.write({ 'a.txt': `mine\n${BASE}` });
    const run = await runOf(side, () => side.write({ 'a.txt': `mine\n${BASE}run\n`, 'b.txt': null }));
    addHook(repository, 'pre-commit', `git diff --cached --quiet && exit 1; exit 0`);

    const record = await landRuns(await workshopAt(side, [run]), [run]);

    expect(record.ref).toBe('refs/heads/side');
    expect(side.git('show', 'HEAD:a.txt')).toBe(`${BASE}run`);
    expect(side.status()).toEqual([' M a.txt']);
  });

  it('asks no merge driver: with merge=ours the hunk of the run is there', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE, '.gitattributes': 'a.txt merge=ours\n' } });
    repository.git('config', 'merge.ours.driver', 'true');
    repository.write({ 'a.txt': `mine\n${BASE}` });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `mine\n${BASE}run\n` }));

    await landRuns(await workshopAt(repository, [run]), [run]);

    expect(repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}run`);
  });

  it('follows no rename: an edit of a file that the user has renamed is no edit of the old one', async () => {
    const repository = makeRepository({ files: { 'old.txt': BASE } });
    repository.git('mv', 'old.txt', 'new.txt');
    const run = await runOf(repository, () => repository.write({ 'new.txt': `${BASE}run\n` }));
    const before = stateOf(repository);

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      conflicts: [{ path: 'new.txt', kind: 'uncommitted' }],
    });
    expect(stateOf(repository)).toEqual(before);
    await landRuns(await workshopAt(repository, [run]), [run], { takeWhole: ['new.txt'] });
    expect(repository.git('show', 'HEAD:new.txt')).toBe(`${BASE}run`);
    expect(repository.status()).toEqual(['D  old.txt']);
  });

  it('lands the rename of a run as a rename, with the user edits of the old file staying out', async () => {
    const repository = makeRepository({ files: { 'old.txt': BASE } });
    const run = await runOf(repository, () => {
      renameSync(join(repository.dir, 'old.txt'), join(repository.dir, 'new.txt'));
    });

    await landRuns(await workshopAt(repository, [run]), [run]);

    expect(repository.git('show', '--format=', '--name-status', '-M', 'HEAD')).toBe('R100\told.txt\tnew.txt');
  });

  it('in part leaves the rest to be landed', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': 'run\n', 'sub/b.txt': 'run\n' }));

    const first = await landRuns(await workshopAt(repository, [run]), [run], { only: ['sub'] });
    expect(first.changes).toEqual([{ status: 'M', path: 'sub/b.txt' }]);
    expect(repository.status()).toEqual([' M a.txt']);

    const second = await landRuns(await workshopAt(repository, [run]), [run]);
    expect(second.changes).toEqual([{ status: 'M', path: 'a.txt' }]);
    expect(repository.status()).toEqual([]);
    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'nothing-to-land',
    });
  });

  it('shows the edits since the run, and takes them in when asked to', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': 'b\n' } });
    repository.write({ 'b.txt': 'dirt\n' });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `${BASE}run\n` }));
    repository.write({ 'a.txt': `fixed\n${BASE}run\n`, 'new.txt': 'fix\n' });

    await landRuns(await workshopAt(repository, [run]), [run]);
    expect(repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}run`);
    expect(repository.status()).toEqual([' M a.txt', ' M b.txt', '?? new.txt']);

    repository.git('reset', '-q', '--mixed', 'HEAD^');
    const record = await landRuns(await workshopAt(repository, [run]), [run], { includeMyEdits: true });
    expect(record.includedEdits).toEqual(['a.txt', 'new.txt']);
    expect(repository.git('show', 'HEAD:a.txt')).toBe(`fixed\n${BASE}run`);
    expect(repository.status()).toEqual([' M b.txt']);
  });

  it('of a chain lands all of it, and not what was edited between', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': 'b\n' } });
    const first = await runOf(repository, () => repository.write({ 'a.txt': `${BASE}one\n` }));
    repository.write({ 'a.txt': `between\n${BASE}one\n` });
    const second = await runOf(repository, () =>
      repository.write({ 'a.txt': `between\n${BASE}two\n`, 'b.txt': 'two\n' }),
    );
    const runs = [first, second];

    await landRuns(await workshopAt(repository, runs), runs);

    expect(repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}two`);
    expect(repository.status()).toEqual([' M a.txt']);
    expect(repository.git('diff', '--', 'a.txt')).toContain('+between');
  });
});

describe('others at the same time', () => {
  const STEPS: LandingStep[] = ['journal', 'objects', 'commit', 'index-locked'];

  it.each(STEPS)('that move HEAD at %s have the landing refused, and keep their commit', async (at) => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    repository.write({ 'a.txt': `mine\n${BASE}` });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `mine\n${BASE}run\n` }));
    const tree = readTree(repository.dir);
    let theirs = '';

    const landing = landRuns(await workshopAt(repository, [run]), [run], {
      onStep: (step) => {
        if (step !== at) return;
        theirs = repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'theirs');
        repository.git('update-ref', 'HEAD', theirs);
      },
    });

    await expect(landing).rejects.toMatchObject({ code: 'head-moved' });
    expect(repository.head()).toBe(theirs);
    expect(readTree(repository.dir)).toEqual(tree);
    expect(existsSync(join(repository.dir, '.git', 'index.lock'))).toBe(false);
    await landRuns(await workshopAt(repository, [run]), [run]);
    expect(repository.status()).toEqual([' M a.txt']);
  });

  it('that stage meanwhile have it in the index afterwards', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': 'b\n' } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `${BASE}run\n` }));
    repository.write({ 'b.txt': 'mine\n' });

    await landRuns(await workshopAt(repository, [run]), [run], {
      onStep: (step) => {
        if (step === 'commit') repository.git('add', 'b.txt');
      },
    });

    expect(repository.status()).toEqual(['M  b.txt']);
  });

  it('that hold the lock of the index for long have the landing refused', { timeout: 30_000 }, async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `${BASE}run\n` }));
    const head = repository.head();
    writeFileSync(join(repository.dir, '.git', 'index.lock'), '');

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'index-lock',
    });
    expect(repository.head()).toBe(head);
    expect(existsSync(join(repository.dir, '.git', 'index.lock'))).toBe(true);
  });
});

describe('a landing that fails once HEAD has moved', () => {
  it('says so, and is completed by the next command', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': `${BASE}run\n` }));
    const workshop = await workshopAt(repository, [run]);

    const landing = landRuns(workshop, [run], {
      onStep: (step) => {
        if (step === 'moved') throw new Error('the disk is gone');
      },
    });

    await expect(landing).rejects.toMatchObject({
      code: 'incomplete',
      message: expect.stringContaining('the disk is gone'),
    });
    const { folder, env } = workshop;
    expect(await recover(workshop.repository, { folder, env })).toMatchObject({ outcome: 'completed' });
    expect(repository.status()).toEqual([]);
  });
});

describe('undo', () => {
  it('brings HEAD and index back, with what was staged since', async () => {
    const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': 'b\n', 'c.txt': 'c\n' } });
    repository.write({ 'a.txt': `mine\n${BASE}` });
    repository.git('add', 'a.txt');
    const run = await runOf(repository, () =>
      repository.write({ 'a.txt': `mine\n${BASE}run\n`, 'new.txt': 'n\n', 'c.txt': null }),
    );
    const before = repository.status();
    const workshop = await workshopAt(repository, [run]);
    const landed = await landRuns(workshop, [run]);
    repository.write({ 'b.txt': 'later\n' });
    repository.git('add', 'b.txt');

    await undoLanding(workshop, landed, [run.directory]);

    expect(repository.head()).toBe(landed.parent);
    expect(repository.status()).toEqual(
      [...before, 'M  b.txt'].sort((a, b) => (a.slice(3) < b.slice(3) ? -1 : 1)),
    );
  });

  it.each([
    ['not-head', (repository: TestRepository) => repository.commit({ 'x.txt': 'x\n' })],
    ['not-head', (repository: TestRepository) => repository.git('checkout', '-q', '-b', 'other')],
    [
      'pushed',
      (repository: TestRepository) => repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD'),
    ],
  ])('is refused: %s', async (code, then) => {
    const repository = makeRepository({ files: { 'a.txt': BASE } });
    const run = await runOf(repository, () => repository.write({ 'a.txt': 'run\n' }));
    const workshop = await workshopAt(repository, [run]);
    const landed = await landRuns(workshop, [run]);
    then(repository);
    const before = stateOf(repository);

    await expect(undoLanding(workshop, landed, [run.directory])).rejects.toMatchObject({ code });
    expect(stateOf(repository)).toEqual(before);
  });
});
