import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LandableRun } from '../../src/landing/plan-landing.ts';
import { readLandingRecord } from '../../src/landing/record.ts';
import { recover } from '../../src/landing/recover.ts';
import { plainEnv } from '../evidence/watching.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { readTree } from './edits.ts';
import { addHook } from './hooks.ts';
import { interrupt } from './interrupt.ts';
import { landRuns, located, runOf, workshopAt } from './landing.ts';

const BASE = Array.from({ length: 12 }, (_, at) => `${at}\n`).join('');

/** A dirty tree with a run in it, and hooks that do nothing. */
async function scene(): Promise<{ repository: TestRepository; run: LandableRun; folder: string }> {
  const repository = makeRepository({ files: { 'a.txt': BASE, 'b.txt': BASE, 'c.txt': 'c\n' } });
  repository.write({ 'a.txt': `mine\n${BASE}`, 'staged.txt': 's\n', 'untracked.txt': 'u\n' });
  repository.git('add', 'staged.txt');
  const run = await runOf(repository, () =>
    repository.write({
      'a.txt': `mine\n${BASE}run\n`,
      'b.txt': 'run\n',
      'c.txt': null,
      'new/d.txt': 'run\n',
    }),
  );
  for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'])
    addHook(repository, name, 'exit 0');
  return { repository, run, folder: temporaryFolder() };
}

async function recovered(repository: TestRepository, folder: string) {
  return recover(await located(repository), { folder, env: plainEnv() });
}

describe('a landing that was killed', () => {
  it.each(['journal', 'objects', 'pre-commit', 'prepare-commit-msg', 'commit-msg', 'commit', 'index-locked'])(
    'at %s is taken back, and can be landed then',
    async (dieAt) => {
      const { repository, run, folder } = await scene();
      const before = { head: repository.head(), status: repository.status(), tree: readTree(repository.dir) };

      expect(await interrupt({ verb: 'land', dir: repository.dir, folder, run, dieAt, time: 1 })).toBe(
        'SIGKILL',
      );
      const outcome = await recoveredWhenQuiet(repository, folder);

      expect(outcome).toMatchObject({ kind: 'land', outcome: 'taken-back', restored: [], left: [] });
      expect({
        head: repository.head(),
        status: repository.status(),
        tree: readTree(repository.dir),
      }).toEqual(before);
      expect(existsSync(join(repository.dir, '.git', 'index.lock'))).toBe(false);
      expect(await recovered(repository, folder)).toBeNull();
      await landRuns(await workshopAt(repository, [run], { folder }), [run]);
      expect(repository.status()).toEqual([' M a.txt', 'A  staged.txt', '?? untracked.txt']);
    },
  );

  it.each(['moved', 'index-written'])('at %s is completed', async (dieAt) => {
    const { repository, run, folder } = await scene();
    const before = repository.head();

    expect(await interrupt({ verb: 'land', dir: repository.dir, folder, run, dieAt, time: 1 })).toBe(
      'SIGKILL',
    );
    const outcome = await recovered(repository, folder);

    expect(outcome).toMatchObject({ kind: 'land', outcome: 'completed', runIds: [run.id] });
    expect(repository.git('rev-parse', 'HEAD^')).toBe(before);
    expect(repository.status()).toEqual([' M a.txt', 'A  staged.txt', '?? untracked.txt']);
    expect(readLandingRecord(run.directory)).toMatchObject({ state: 'landed', commit: repository.head() });
    expect(await recovered(repository, folder)).toBeNull();
  });

  it('is completed though somebody removed the lock of the index to use git again', async () => {
    const { repository, run, folder } = await scene();
    const attempt = { verb: 'land', dir: repository.dir, folder, run, dieAt: 'moved', time: 1 } as const;
    expect(await interrupt(attempt)).toBe('SIGKILL');
    rmSync(join(repository.dir, '.git', 'index.lock'));

    expect(await recovered(repository, folder)).toMatchObject({ outcome: 'completed' });

    expect(repository.status()).toEqual([' M a.txt', 'A  staged.txt', '?? untracked.txt']);
    expect(repository.git('fsck', '--no-dangling')).toBe('');
  });

  it('is completed though the directory of the run was removed', async () => {
    const { repository, run, folder } = await scene();
    const attempt = { verb: 'land', dir: repository.dir, folder, run, dieAt: 'moved', time: 1 } as const;
    expect(await interrupt(attempt)).toBe('SIGKILL');
    rmSync(run.directory, { recursive: true });

    expect(await recovered(repository, folder)).toMatchObject({ outcome: 'completed' });
    expect(repository.status()).toEqual([' M a.txt', 'A  staged.txt', '?? untracked.txt']);
  });

  it('is left alone while its hook is at work', async () => {
    const { repository, run, folder } = await scene();
    const done = join(temporaryFolder(), 'done');
    const kill = 'kill -9 "$(ps -o ppid= -p $PPID | tr -d " ")"';
    addHook(repository, 'pre-commit', `${kill}; while [ ! -e '${done}' ]; do sleep 0.05; done`);

    expect(await interrupt({ verb: 'land', dir: repository.dir, folder, run, dieAt: 'never', time: 1 })).toBe(
      'SIGKILL',
    );

    await expect(recovered(repository, folder)).rejects.toMatchObject({ code: 'hook-at-work' });
    writeFileSync(done, '');
    expect(await recoveredWhenQuiet(repository, folder)).toMatchObject({ outcome: 'taken-back' });
  });

  it('before it had written down that a hook runs never begins that hook', async () => {
    const { repository, run, folder } = await scene();
    const begun = join(temporaryFolder(), 'begun');
    addHook(repository, 'pre-commit', `echo >'${begun}'`);

    expect(
      await interrupt({ verb: 'land', dir: repository.dir, folder, run, dieAt: 'pre-commit', time: 1 }),
    ).toBe('SIGKILL');

    expect(await recoveredWhenQuiet(repository, folder)).toMatchObject({ outcome: 'taken-back' });
    expect(existsSync(begun)).toBe(false);
  });

  it('in a hook that had put the edits of others aside gives them back', async () => {
    const { repository, run, folder } = await scene();
    const tree = readTree(repository.dir);
    // As lint-staged does: what is not staged is hidden while it works. Then baton is killed, and the hook as well.
    const kill = 'kill -9 "$(ps -o ppid= -p $PPID | tr -d " ")"';
    addHook(
      repository,
      'pre-commit',
      `git checkout-index -q -f -- a.txt && rm untracked.txt && ${kill} && exit 1`,
    );

    expect(await interrupt({ verb: 'land', dir: repository.dir, folder, run, dieAt: 'never', time: 1 })).toBe(
      'SIGKILL',
    );
    const outcome = await recoveredWhenQuiet(repository, folder);

    expect(outcome).toMatchObject({ outcome: 'taken-back', restored: ['a.txt', 'untracked.txt'], left: [] });
    expect(readTree(repository.dir)).toEqual(tree);
  });

  it('never writes over what was edited since', async () => {
    const { repository, run, folder } = await scene();
    await interrupt({ verb: 'land', dir: repository.dir, folder, run, dieAt: 'commit', time: 1 });
    repository.write({ 'a.txt': 'edited since\n' });

    const outcome = await recoveredWhenQuiet(repository, folder);

    expect(outcome).toMatchObject({ outcome: 'taken-back', restored: [], left: ['a.txt'] });
    expect(repository.read('a.txt')).toBe('edited since\n');
    expect(existsSync(outcome?.copies ?? '')).toBe(true);
  });
});

describe('a landing that is killed at any moment', () => {
  it.each(Array.from({ length: 14 }, (_, at) => 120 + 30 * at))('such as after %i ms', async (ms) => {
    const { repository, run, folder } = await scene();
    const [head, status, tree] = [repository.head(), repository.status(), readTree(repository.dir)];
    const attempt = { verb: 'land', dir: repository.dir, folder, run, dieAt: 'never', time: 1 } as const;
    await interrupt(attempt, plainEnv(), ms);

    await recoveredWhenQuiet(repository, folder);

    const landed = repository.head() !== head;
    const after = [' M a.txt', 'A  staged.txt', '?? untracked.txt'];
    expect([repository.status(), readTree(repository.dir)]).toEqual([landed ? after : status, tree]);
    expect(readLandingRecord(run.directory)?.state).toBe(landed ? 'landed' : undefined);
    const litter = readdirSync(join(repository.dir, '.git')).filter((name) => /baton|lock/.test(name));
    expect(litter).toEqual([]);
    expect(repository.git('fsck', '--no-dangling')).toBe('');
  });
});

describe('a discard that was killed', () => {
  it.each([
    ['journal', 1],
    ['file', 1],
    ['file', 2],
    ['file', 3],
    ['written', 1],
  ])('at %s %i is completed', async (dieAt, time) => {
    const { repository, run, folder } = await scene();

    expect(await interrupt({ verb: 'discard', dir: repository.dir, folder, run, dieAt, time })).toBe(
      'SIGKILL',
    );
    const outcome = await recovered(repository, folder);

    expect(outcome).toMatchObject({ kind: 'discard', outcome: 'completed', left: [] });
    expect(repository.status()).toEqual([' M a.txt', 'A  staged.txt', '?? untracked.txt']);
    expect(repository.read('a.txt')).toBe(`mine\n${BASE}`);
    expect(readLandingRecord(run.directory)).toMatchObject({ state: 'discarded' });
  });
});

describe('what cannot be recovered', () => {
  it('is said, with the way out, and nothing is written over', async () => {
    const { repository, run, folder } = await scene();
    const attempt = { verb: 'discard', dir: repository.dir, folder, run, dieAt: 'journal', time: 1 } as const;
    expect(await interrupt(attempt)).toBe('SIGKILL');
    const tree = readTree(repository.dir);
    rmSync(join(run.directory, 'objects'), { recursive: true });
    rmSync(join(folder, 'objects'), { recursive: true });

    await expect(recovered(repository, folder)).rejects.toMatchObject({
      code: 'not-recovered',
      hint: expect.stringContaining(join(folder, 'journal.json')),
    });
    expect(readTree(repository.dir)).toEqual(tree);
  });
});

describe('an undo that was killed', () => {
  it.each(['journal', 'index-locked', 'moving'])('at %s is taken back', async (dieAt) => {
    const { repository, run, folder } = await scene();
    const landed = await landRuns(await workshopAt(repository, [run], { folder }), [run]);

    expect(await interrupt({ verb: 'undo', dir: repository.dir, folder, run, landed, dieAt, time: 1 })).toBe(
      'SIGKILL',
    );

    expect(await recovered(repository, folder)).toMatchObject({ kind: 'undo', outcome: 'taken-back' });
    expect(repository.head()).toBe(landed.commit);
  });

  it.each(['moved', 'index-written'])('at %s is completed', async (dieAt) => {
    const { repository, run, folder } = await scene();
    const status = repository.status();
    const landed = await landRuns(await workshopAt(repository, [run], { folder }), [run]);

    expect(await interrupt({ verb: 'undo', dir: repository.dir, folder, run, landed, dieAt, time: 1 })).toBe(
      'SIGKILL',
    );

    expect(await recovered(repository, folder)).toMatchObject({ kind: 'undo', outcome: 'completed' });
    expect(repository.head()).toBe(landed.parent);
    expect(repository.status()).toEqual(status);
    expect(readLandingRecord(run.directory)).toMatchObject({ state: 'undone' });
  });
});

/** The process of a hook that did its work may end a moment after the landing was killed. */
async function recoveredWhenQuiet(repository: TestRepository, folder: string) {
  for (;;) {
    try {
      return await recovered(repository, folder);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'hook-at-work') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
