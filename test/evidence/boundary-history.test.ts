import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareBoundary } from '../../src/evidence/boundary.ts';
import { makeRepository, openRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { CLEAN, lines, lookAt, observe } from './observing.ts';

describe('a commit', () => {
  it('is told by its ref and its subject', async () => {
    const repository = makeRepository();
    const before = repository.head();
    const seen = await observe(repository, () => repository.commit({ 'a.txt': 'a\n' }, 'sneaky "one"'));
    const after = repository.head();
    expect(lines(seen)).toEqual([
      `commit: refs/heads/main moved from ${before.slice(0, 7)} to ${after.slice(0, 7)}: 1 commit "sneaky \\"one\\""`,
      expect.stringMatching(/^index: the index changed: a\.txt was added \([0-9a-f]{7}\)$/),
    ]);
    expect(seen.gaps).toEqual([]);
  });

  it('is counted where there are several', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.commit({}, 'one');
      repository.commit({}, 'two');
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/main moved .*: 2 commits, the last "two"$/),
    ]);
  });

  it('is seen on an unborn branch', async () => {
    const repository = makeRepository({ files: null });
    const seen = await observe(repository, () => repository.commit({}, 'root'));
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/main is new, at [0-9a-f]{7}: "commit \(initial\): root"$/),
    ]);
  });

  it('is seen after a soft reset, which leaves only the reflog', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('commit', '-q', '--allow-empty', '-m', 'undone');
      repository.git('reset', '-q', '--soft', 'HEAD~1');
    });
    expect(lines(seen)).toEqual([
      'commit: the reflog of HEAD grew: "commit: undone"; "reset: moving to HEAD~1"',
    ]);
  });

  it('is seen where it amends', async () => {
    const repository = makeRepository();
    repository.commit({ 'a.txt': 'a\n' }, 'second');
    const seen = await observe(repository, () => repository.git('commit', '-q', '--amend', '-m', 'better'));
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/main moved from .*: "commit \(amend\): better"$/),
    ]);
  });

  it('is seen where plumbing made it, with reflogs off', async () => {
    const repository = makeRepository({ config: { 'core.logAllRefUpdates': 'false' } });
    rmSync(join(repository.dir, '.git/logs'), { recursive: true, force: true });
    const seen = await observe(repository, () => {
      const made = repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'plumbed');
      repository.git('update-ref', 'refs/heads/main', made);
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/main moved .*: 1 commit "plumbed"$/),
    ]);
  });

  it('is seen on another branch that was left again', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('checkout', '-q', '-b', 'side');
      repository.commit({}, 'aside');
      repository.git('checkout', '-q', 'main');
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/side is new, at .*: 1 commit "aside"$/),
    ]);
  });

  it('is seen on a branch that was deleted again', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('checkout', '-q', '--detach');
      repository.commit({}, 'lost');
      repository.git('checkout', '-q', 'main');
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: the reflog of HEAD grew: .*"commit: lost"/),
    ]);
  });

  it('is seen in a linked worktree, and the main one is not mixed up with it', async () => {
    const main = makeRepository();
    const dir = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', '-b', 'feature', dir);
    const linked = openRepository(dir);
    expect(await observe(linked, () => linked.write({ 'x.txt': 'x' }))).toEqual(CLEAN);
    const seen = await observe(linked, () => linked.commit({ 'y.txt': 'y' }, 'from afar'));
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/feature moved .*: 1 commit "from afar"$/),
      expect.stringMatching(/^index: /),
    ]);
    const elsewhere = await observe(linked, () => main.git('checkout', '-q', '--detach'));
    expect(elsewhere.violations).toEqual([]);
    expect(elsewhere.notices).toEqual([
      expect.stringMatching(/^HEAD of the main working tree moved from refs\/heads\/main to /),
    ]);
  });

  it('is seen in a repository with SHA-256 objects', async () => {
    const repository = makeRepository({ objectFormat: 'sha256' });
    const seen = await observe(repository, () => repository.commit({ 'a.txt': 'a' }, 'long ids'));
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: .*: 1 commit "long ids"$/),
      expect.stringMatching(/^index: the index changed: a\.txt was added/),
    ]);
  });
});

describe('other refs', () => {
  it('that are made, moved or deleted are told apart from commits', async () => {
    const repository = makeRepository();
    repository.commit({}, 'second');
    repository.git('branch', 'doomed');
    repository.git('branch', 'moved');
    const seen = await observe(repository, () => {
      repository.git('branch', 'fresh');
      repository.git('tag', 'v1');
      repository.git('tag', '-a', 'v2', '-m', 'annotated', 'HEAD');
      repository.git('branch', '-D', '-q', 'doomed');
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^ref: refs\/heads\/doomed was deleted \(it was at [0-9a-f]{7}\)$/),
      expect.stringMatching(/^ref: refs\/heads\/fresh is new, at [0-9a-f]{7}$/),
      expect.stringMatching(/^ref: refs\/tags\/v1 is new, at [0-9a-f]{7}$/),
      expect.stringMatching(/^ref: refs\/tags\/v2 is new, at [0-9a-f]{7}$/),
    ]);
  });

  it('are seen among packed ones', async () => {
    const repository = makeRepository();
    repository.git('branch', 'packed');
    repository.git('pack-refs', '--all');
    const seen = await observe(repository, () => repository.git('branch', '-D', '-q', 'packed'));
    expect(lines(seen)).toEqual([expect.stringMatching(/^ref: refs\/heads\/packed was deleted/)]);
  });

  it('tell of a hard reset to an older commit', async () => {
    const repository = makeRepository();
    repository.commit({}, 'second');
    repository.git('branch', 'old', 'HEAD~1');
    const seen = await observe(repository, () => repository.git('reset', '-q', '--hard', 'HEAD~1'));
    expect(lines(seen)).toEqual([expect.stringMatching(/^ref: refs\/heads\/main moved from/)]);
  });

  it('tell of a checkout, and of one that was undone', async () => {
    const repository = makeRepository();
    repository.git('branch', 'other');
    const gone = await observe(repository, () => repository.git('checkout', '-q', 'other'));
    expect(lines(gone)).toEqual(['ref: HEAD moved from refs/heads/main to refs/heads/other']);
    const back = await observe(repository, () => {
      repository.git('checkout', '-q', 'main');
      repository.git('checkout', '-q', 'other');
    });
    expect(lines(back)).toEqual([
      'ref: the reflog of HEAD grew: "checkout: moving from other to main"; "checkout: moving from main to other"',
    ]);
  });

  it('that track a remote are a notice: editors fetch', async () => {
    const repository = makeRepository();
    const head = repository.head();
    repository.git('update-ref', 'refs/remotes/origin/main', head);
    const next = repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'theirs');
    const seen = await observe(repository, () =>
      repository.git('update-ref', 'refs/remotes/origin/main', next),
    );
    expect(seen).toEqual({
      ...CLEAN,
      notices: [
        `remote-tracking refs moved: refs/remotes/origin/main moved from ${head.slice(0, 7)} to ${next.slice(0, 7)}`,
      ],
    });
  });

  it('tell of a merge that was begun', async () => {
    const repository = makeRepository();
    repository.git('branch', 'other');
    const seen = await observe(repository, () =>
      writeFileSync(join(repository.dir, '.git/MERGE_HEAD'), `${repository.head()}\n`),
    );
    expect(lines(seen)).toEqual([expect.stringMatching(/^ref: MERGE_HEAD of the git directory appeared/)]);
  });

  it('tell of a reflog whose newest entry was taken out', async () => {
    const repository = makeRepository();
    repository.commit({}, 'second');
    const seen = await observe(repository, () => repository.git('reflog', 'delete', 'HEAD@{0}'));
    expect(lines(seen)).toEqual(['ref: the reflog of HEAD lost "commit: second"']);
  });

  it('make a reflog that was written to no effect a gap', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('commit', '-q', '--allow-empty', '-m', 'undone');
      repository.git('reset', '-q', '--soft', 'HEAD~1');
      repository.git('reflog', 'delete', 'HEAD@{0}');
      repository.git('reflog', 'delete', 'HEAD@{0}');
    });
    expect(seen.gaps).toEqual(['the reflog of HEAD was rewritten: entries may have come and gone']);
    // git itself noted where HEAD was.
    expect(lines(seen)).toEqual([expect.stringMatching(/^ref: ORIG_HEAD moved from/)]);
  });

  it('cannot steer a terminal by their names', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      writeFileSync(join(repository.dir, '.git/refs/heads/a\u001b[31mred\nline'), `${repository.head()}\n`);
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^ref: refs\/heads\/ared line is new, at [0-9a-f]{7}$/),
    ]);
  });

  it('name the current branch first', async () => {
    const repository = makeRepository({ config: { 'core.logAllRefUpdates': 'false' } });
    const seen = await observe(repository, () => {
      for (let at = 0; at < 30; at += 1) repository.git('branch', `a${at}`);
      const made = repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'drowned');
      repository.git('update-ref', 'refs/heads/main', made);
    });
    expect(lines(seen)[0]).toMatch(/^commit: refs\/heads\/main moved .*"drowned"$/);
  });

  it('are told in short where very many differ', async () => {
    const repository = makeRepository();
    const head = repository.head();
    const seen = await observe(repository, () => {
      appendFileSync(
        join(repository.dir, '.git/packed-refs'),
        Array.from({ length: 500 }, (_, at) => `${head} refs/tags/t${at}\n`).join(''),
      );
    });
    expect(seen.violations).toHaveLength(21);
    expect(seen.violations.at(-1)).toEqual({ kind: 'ref', detail: '480 more refs differ' });
  });
});

describe('the stash', () => {
  it('shows a push', async () => {
    const repository = makeRepository();
    repository.write({ 'README.md': 'dirty\n' });
    const seen = await observe(repository, () => repository.git('stash', 'push', '-q', '-m', 'hidden'));
    expect(lines(seen)).toContainEqual(
      expect.stringMatching(
        /^stash: the stash changed: refs\/stash is new, at [0-9a-f]{7}; stashed "On main: hidden"$/,
      ),
    );
  });

  it("shows a push and a pop, which leave HEAD's reflog", async () => {
    const repository = makeRepository();
    repository.write({ 'README.md': 'dirty\n' });
    const seen = await observe(repository, () => {
      repository.git('stash', 'push', '-q');
      repository.git('stash', 'pop', '-q');
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^ref: the reflog of HEAD grew: "reset: moving to HEAD"/),
    ]);
  });

  it.each([
    ['newest', 'stash@{0}', 'On main: three'],
    ['middle', 'stash@{1}', 'On main: two'],
    ['oldest', 'stash@{2}', 'On main: one'],
  ])('shows that the %s entry was dropped', async (_, ref, message) => {
    const repository = makeRepository();
    for (const name of ['one', 'two', 'three']) {
      repository.write({ 'README.md': `${name}\n` });
      repository.git('stash', 'push', '-q', '-m', name);
    }
    const seen = await observe(repository, () => repository.git('stash', 'drop', '-q', ref));
    expect(lines(seen)).toEqual([expect.stringMatching(new RegExp(`^stash: .*dropped "${message}"$`))]);
  });
});

describe('refs in tables', () => {
  it('are read through git', async () => {
    const repository = marked();
    expect(await observe(repository, () => repository.write({ 'x.txt': 'x' }))).toEqual(CLEAN);
    const seen = await observe(repository, () => {
      repository.git('commit', '-q', '--allow-empty', '-m', 'tabled');
      repository.git('tag', 'v1', 'HEAD~1');
    });
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^commit: refs\/heads\/main moved .*: 1 commit "tabled"$/),
      expect.stringMatching(/^ref: refs\/tags\/v1 is new/),
    ]);
  });

  it('have reflogs, read without running a configured program', async () => {
    const repository = marked();
    repository.git('config', 'log.showSignature', 'true');
    repository.git('config', 'gpg.program', join(repository.dir, 'evil'));
    repository.write({ evil: '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n' });
    repository.setExecutable('evil', true);
    const seen = await observe(repository, () => {
      repository.git('commit', '-q', '--allow-empty', '-m', 'undone');
      repository.git('reset', '-q', '--soft', 'HEAD~1');
    });
    expect(lines(seen)).toEqual([
      'commit: the reflog of HEAD grew: "commit: undone"; "reset: moving to HEAD~1"',
    ]);
    expect(existsSync(join(repository.dir, 'ran'))).toBe(false);
  });

  it('are a gap where git gives no answer', async () => {
    const repository = marked();
    const look = lookAt(repository);
    const before = await look();
    writeFileSync(join(repository.dir, '.git/HEAD'), 'nonsense\n');
    const seen = compareBoundary(before, await look());
    expect(seen.gaps).toEqual([expect.stringMatching(/^git could not list the refs or the index: /)]);
  });
});

/** The mark of such a repository in one with ordinary refs: baton asks git, and git answers from its files. */
function marked(): TestRepository {
  const repository = makeRepository();
  mkdirSync(join(repository.dir, '.git/reftable'));
  writeFileSync(join(repository.dir, '.git/reftable/tables.list'), '');
  return repository;
}
