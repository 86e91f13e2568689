import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/core/environment.ts';
import { type BoundaryDifference, compareBoundary, readBoundary } from '../../src/evidence/boundary.ts';
import { makeRepository, openRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const CLEAN: BoundaryDifference = { violations: [], notices: [], gaps: [], configChanged: false };

/** What baton sees of what `act` does. */
async function observe(
  repository: TestRepository,
  act: () => unknown,
  options: { cwd?: string; home?: string; runDir?: string } = {},
): Promise<BoundaryDifference> {
  const look = lookAt(repository, options);
  const before = await look();
  await act();
  return compareBoundary(before, await look());
}

function lookAt(repository: TestRepository, options: { cwd?: string; home?: string; runDir?: string } = {}) {
  const { dir } = repository;
  const [gitDir = '', commonDir = ''] = repository
    .git('rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir')
    .split('\n');
  const objectFormat = repository.git('rev-parse', '--show-object-format') === 'sha256' ? 'sha256' : 'sha1';
  const env: Env = {
    PATH: process.env['PATH'] ?? '',
    HOME: options.home ?? temporaryFolder(),
    LANG: 'C.UTF-8',
  };
  return () =>
    readBoundary(
      { top: dir, gitDir, commonDir, objectFormat },
      {
        env,
        cwd: options.cwd ?? dir,
        gitTimeoutMs: 30_000,
        ...(options.runDir && { runDir: options.runDir }),
      },
    );
}

/** Kinds and details, one line each. */
function lines({ violations }: BoundaryDifference): string[] {
  return violations.map(({ kind, detail }) => `${kind}: ${detail}`);
}

describe('a boundary that nobody crossed', () => {
  it('has no difference at all, whatever the tree does', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.write({ 'new.txt': 'new\n', 'README.md': 'edited\n', 'src/deep/file.ts': 'x' });
    });
    expect(seen).toEqual(CLEAN);
  });

  it('does not mind a refreshed index, packed refs or a collected repository', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    repository.git('branch', 'other');
    repository.git('tag', '-a', 'v1', '-m', 'one');
    const index = readFileSync(join(repository.dir, '.git/index'));
    const seen = await observe(repository, () => {
      utimesSync(join(repository.dir, 'a.txt'), 1_700_000_000, 1_700_000_000);
      repository.git('update-index', '--refresh');
      repository.git('pack-refs', '--all');
      repository.git('repack', '-adq');
    });
    expect(readFileSync(join(repository.dir, '.git/index')).equals(index)).toBe(false);
    expect(existsSync(join(repository.dir, '.git/refs/heads/main'))).toBe(false);
    expect(seen).toEqual(CLEAN);
  });

  it('does not mind the empty files and folders that a sandbox leaves in the git directory', async () => {
    const repository = makeRepository();
    const git = join(repository.dir, '.git');
    const seen = await observe(repository, () => {
      for (const folder of [
        'NOTES_MERGE_WORKTREE',
        'glab-cli',
        'info/.claude-sandbox-noreplace',
        'objects/info/commit-graphs',
        'remotes',
        'worktrees',
      ]) {
        mkdirSync(join(git, folder), { recursive: true });
      }
      writeFileSync(join(git, 'config.worktree'), '');
      writeFileSync(join(git, 'objects/info/alternates'), '');
    });
    expect(seen).toEqual(CLEAN);
  });
});

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
      expect.stringMatching(/^(ref|commit): refs\/tags\/v2 is new, at [0-9a-f]{7}/),
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

describe('the index', () => {
  it('shows what was staged', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    repository.write({ 'a.txt': 'changed\n' });
    const seen = await observe(repository, () => repository.git('add', 'a.txt'));
    expect(lines(seen)).toEqual([
      expect.stringMatching(/^index: the index changed: a\.txt was staged \([0-9a-f]{7} to [0-9a-f]{7}\)$/),
    ]);
  });

  it.each([
    ['an intent to add', ['add', '-N', 'new.txt'], 'new.txt was marked as intent-to-add'],
    ['a removal', ['rm', '-q', '--cached', 'a.txt'], 'a.txt was removed'],
    ['a mode', ['update-index', '--chmod=+x', 'a.txt'], 'a.txt changed its mode (100644 to 100755)'],
    ['skip-worktree', ['update-index', '--skip-worktree', 'a.txt'], 'a.txt was marked as skip-worktree'],
    [
      'assume-unchanged',
      ['update-index', '--assume-unchanged', 'a.txt'],
      'a.txt was marked as assume-unchanged',
    ],
  ])('shows %s', async (_, args, phrase) => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    repository.write({ 'new.txt': 'n' });
    const seen = await observe(repository, () => repository.git(...args));
    expect(lines(seen)).toEqual([`index: the index changed: ${phrase}`]);
  });

  it.each([
    ['a split index', ['update-index', '--split-index']],
    ['a sparse index', ['sparse-checkout', 'set', '--cone', '--sparse-index', 'src']],
    ['index version 4', ['update-index', '--index-version', '4']],
  ])('is compared by its entries in %s', async (_, args) => {
    const repository = makeRepository({
      files: { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'far/away/c.txt': 'c\n' },
    });
    repository.git(...args);
    expect(
      await observe(repository, () => repository.git('update-index', '--refresh', '--force-write-index')),
    ).toEqual(CLEAN);
    repository.write({ 'src/b.txt': 'changed\n' });
    const seen = await observe(repository, () => repository.git('add', 'src/b.txt'));
    expect(lines(seen)).toEqual([expect.stringMatching(/^index: the index changed: src\/b\.txt was staged/)]);
  });

  it('that became a split one holds the same entries', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    expect(await observe(repository, () => repository.git('update-index', '--split-index'))).toEqual(CLEAN);
  });

  it('that is no index any more is a gap', async () => {
    const repository = makeRepository();
    const look = lookAt(repository);
    const before = await look();
    writeFileSync(join(repository.dir, '.git/index'), 'garbage');
    const seen = compareBoundary(before, await look());
    expect(seen).toEqual({
      ...CLEAN,
      gaps: ['the index was written and could not be compared: not an index file'],
    });
  });
});

describe('git settings', () => {
  it('show each setting that differs', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('config', 'core.hooksPath', '/tmp/evil');
      repository.git('config', 'user.name', 'Somebody Else');
    });
    expect(seen.configChanged).toBe(true);
    expect(lines(seen)).toEqual([
      'git-config: .git/config: user.name is now "Somebody Else" (was "Test Person"); core.hookspath is now "/tmp/evil" (was unset)',
    ]);
  });

  it('never show a credential', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('config', 'http.extraHeader', 'Authorization: Basic c2VjcmV0');
      repository.git('config', 'remote.origin.url', 'https://me:hunter2@example.invalid/r.git');
    });
    expect(lines(seen)).toHaveLength(1);
    expect(lines(seen).join()).toContain('http.extraheader is now a value that is not shown');
    expect(lines(seen).join()).not.toMatch(/c2VjcmV0|hunter2/);
  });

  it.each([
    'info/exclude',
    'info/attributes',
    'objects/info/alternates',
    'info/grafts',
    'info/sparse-checkout',
    'config.worktree',
  ])('show an edit of %s', async (path) => {
    const repository = makeRepository();
    const seen = await observe(repository, () =>
      appendFileSync(join(repository.dir, '.git', path), 'x.y = z\n'),
    );
    expect(seen.configChanged).toBe(true);
    expect(lines(seen)).toEqual([expect.stringContaining(`git-config: .git/${path}`)]);
  });

  it('show an edit of an included file, in the tree and in the home', async () => {
    const repository = makeRepository({ files: { 'team.config': '[alias]\n\tx = status\n' } });
    const home = temporaryFolder();
    writeFileSync(join(home, '.gitconfig'), '[include]\n\tpath = more.config\n');
    repository.git('config', 'include.path', '../team.config');
    const seen = await observe(
      repository,
      () => {
        repository.write({ 'team.config': '[alias]\n\tx = !sh evil\n' });
        writeFileSync(join(home, 'more.config'), '[core]\n\teditor = evil\n');
      },
      { home },
    );
    expect(lines(seen)).toEqual([
      'git-config: team.config: alias.x is now "!sh evil" (was "status")',
      `git-config: ${home}/more.config: core.editor is now "evil" (was unset)`,
    ]);
  });

  it('show new ignore rules of the user, but for the one that claude adds by itself', async () => {
    const repository = makeRepository();
    const home = temporaryFolder();
    const ignore = join(home, '.config/git/ignore');
    mkdirSync(dirname(ignore), { recursive: true });
    const own = await observe(repository, () => writeFileSync(ignore, '**/.claude/.cc-writes/\n'), { home });
    expect(own).toEqual(CLEAN);
    const added = await observe(repository, () => appendFileSync(ignore, '*.secret\n'), { home });
    expect(lines(added)).toEqual([`git-config: ${ignore} was added`]);
    const again = await observe(
      repository,
      () => writeFileSync(ignore, '*.secret\n\n**/.claude/.cc-writes/\n'),
      { home },
    );
    expect(again).toEqual(CLEAN);
  });

  it('show a worktree that was added or removed', async () => {
    const repository = makeRepository();
    const dir = join(temporaryFolder(), 'wt');
    const added = await observe(repository, () => repository.git('worktree', 'add', '-q', '--detach', dir));
    expect(lines(added)).toEqual([`git-config: the worktree wt was added at ${dir}/.git`]);
    const removed = await observe(repository, () => repository.git('worktree', 'remove', dir));
    expect(lines(removed)).toEqual([`git-config: the worktree wt at ${dir}/.git was removed`]);
  });

  it('show a git directory that is gone, in one sentence', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => rmSync(join(repository.dir, '.git'), { recursive: true }));
    expect(lines(seen)).toEqual(['git-config: .git is gone']);
    expect(seen.configChanged).toBe(true);
  });

  it('show a git directory that was replaced', async () => {
    const repository = makeRepository();
    const seen = await observe(repository, () => {
      repository.git('clone', '-q', '--bare', '.', '../other.git');
      rmSync(join(repository.dir, '.git'), { recursive: true });
      repository.git('clone', '-q', '--no-checkout', '../other.git', 'tmp');
      symlinkSync('tmp/.git', join(repository.dir, '.git'));
    });
    expect(lines(seen)).toContain('git-config: .git was replaced by another directory');
    rmSync(join(repository.dir, '../other.git'), { recursive: true });
  });
});

describe('hooks', () => {
  it('show what was planted, edited and made executable, and never the samples', async () => {
    const repository = makeRepository();
    const hooks = join(repository.dir, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, 'post-commit'), '#!/bin/sh\n');
    writeFileSync(join(hooks, 'pre-push'), '#!/bin/sh\n', { mode: 0o644 });
    const seen = await observe(repository, () => {
      writeFileSync(join(hooks, 'pre-commit'), '#!/bin/sh\n');
      writeFileSync(join(hooks, 'post-commit'), '#!/bin/sh\nevil\n');
      chmodSync(join(hooks, 'pre-push'), 0o755);
      writeFileSync(join(hooks, 'pre-commit.sample'), 'never run');
    });
    expect(lines(seen)).toEqual([
      'hooks: .git/hooks/post-commit was edited (10 bytes before, 15 now)',
      'hooks: .git/hooks/pre-push was made executable',
      'hooks: .git/hooks/pre-commit was added',
    ]);
    expect(seen.configChanged).toBe(false);
  });

  it('are looked at where core.hooksPath points, and behind links', async () => {
    const repository = makeRepository({
      config: { 'core.hooksPath': '.husky/_' },
      files: { '.husky/_/pre-commit': 'x\n' },
    });
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'real'), 'one\n');
    symlinkSync(join(outside, 'real'), join(repository.dir, '.husky/_/post-merge'));
    const seen = await observe(repository, () => {
      repository.write({ '.husky/_/pre-commit': 'y\n' });
      writeFileSync(join(outside, 'real'), 'other\n');
    });
    expect(lines(seen)).toEqual([
      'hooks: .husky/_/post-merge was edited (4 bytes before, 6 now)',
      'hooks: .husky/_/pre-commit was edited (2 bytes before, 2 now)',
    ]);
  });

  it('show a folder that became a link', async () => {
    const repository = makeRepository();
    const hooks = join(repository.dir, '.git/hooks');
    const outside = temporaryFolder();
    const seen = await observe(repository, () => {
      rmSync(hooks, { recursive: true, force: true });
      symlinkSync(outside, hooks);
    });
    expect(lines(seen)).toEqual([`hooks: .git/hooks was added, a link to ${outside}`]);
  });
});

describe('agent settings', () => {
  it.each([
    '.claude/settings.json',
    '.claude/settings.team.json',
    '.claude/hooks/deep/run.sh',
    '.claude/skills/x/SKILL.md',
    '.claude/agents/a.md',
    '.claude/commands/c.md',
    '.agents/skills/s/SKILL.md',
    '.mcp.json',
    '.codex/config.toml',
    '.delegate/lanes.json',
    'baton.config.json',
  ])('show a change of %s', async (path) => {
    const repository = makeRepository();
    const added = await observe(repository, () => repository.write({ [path]: '{}\n' }));
    expect(lines(added)).toEqual([`agent-settings: ${path} was added`]);
    const edited = await observe(repository, () => repository.write({ [path]: '{ }\n' }));
    expect(lines(edited)).toEqual([`agent-settings: ${path} was edited (3 bytes before, 4 now)`]);
    const removed = await observe(repository, () => repository.write({ [path]: null }));
    expect(lines(removed)).toEqual([`agent-settings: ${path} was removed`]);
  });

  it('are looked at from the working directory up to the top', async () => {
    const repository = makeRepository({
      files: { 'packages/app/a.ts': 'a', 'packages/.mcp.json': '{}', 'other/.mcp.json': '{}' },
    });
    const seen = await observe(
      repository,
      () =>
        repository.write({
          'packages/app/.claude/settings.json': '{}',
          'packages/.mcp.json': '[]',
          '.mcp.json': '{}',
          'other/.mcp.json': '[]',
        }),
      { cwd: join(repository.dir, 'packages/app') },
    );
    expect(lines(seen).sort()).toEqual([
      'agent-settings: .mcp.json was added',
      'agent-settings: packages/.mcp.json was edited (2 bytes before, 2 now)',
      'agent-settings: packages/app/.claude/settings.json was added',
    ]);
  });

  it('lead to the scripts that hooks run, wherever these lie', async () => {
    const outside = temporaryFolder();
    const repository = makeRepository({
      files: {
        '.claude/settings.json': JSON.stringify({
          hooks: {
            PreToolUse: [
              hook('node "$CLAUDE_PROJECT_DIR"/tools/check.mjs --fast'),
              hook('node', ['scripts/args.js']),
            ],
            Stop: [hook('sh ./late.sh && echo done'), hook(`${outside}/far.sh`)],
          },
          statusLine: { type: 'command', command: 'sh ${CLAUDE_PROJECT_DIR}/tools/line.sh' },
        }),
        '.codex/config.toml':
          '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "python3 tools/codex.py"\n',
        'tools/check.mjs': 'a',
        'tools/line.sh': 'a',
        'tools/codex.py': 'a',
        'tools/free.mjs': 'a',
        'scripts/args.js': 'a',
      },
    });
    writeFileSync(join(outside, 'far.sh'), 'a');
    const seen = await observe(repository, () => {
      repository.write({
        'tools/check.mjs': 'evil',
        'tools/line.sh': 'evil',
        'tools/codex.py': 'evil',
        'tools/free.mjs': 'evil',
        'scripts/args.js': 'evil',
        'late.sh': 'evil',
      });
      writeFileSync(join(outside, 'far.sh'), 'evil');
    });
    const paths = lines(seen).map(
      (line) => /^agent-settings: (.*), which an agent's settings run, was (added|edited)/.exec(line)?.[1],
    );
    expect(new Set(paths)).toEqual(
      new Set([
        `${outside}/far.sh`,
        'late.sh',
        'scripts/args.js',
        'tools/check.mjs',
        'tools/codex.py',
        'tools/line.sh',
      ]),
    );
  });

  it('do not count the placeholders of a sandbox, but whatever is more than one', async () => {
    const repository = makeRepository();
    const place = (path: string, content: string, mode: number): void => {
      repository.write({ [path]: content });
      chmodSync(join(repository.dir, path), mode);
    };
    const seen = await observe(repository, () => {
      for (const path of [
        '.mcp.json',
        '.claude/settings.json',
        '.claude/hooks',
        '.claude/skills',
        '.claude/agents',
      ])
        place(path, '', 0o444);
    });
    expect(seen).toEqual(CLEAN);
    const more = await observe(repository, () => {
      place('.claude/settings.local.json', '', 0o644);
      place('.claude/commands', 'x', 0o444);
      place('.codex', '', 0o444);
    });
    expect(lines(more).sort()).toEqual([
      'agent-settings: .claude/commands was added',
      'agent-settings: .claude/settings.local.json was added',
      'agent-settings: .codex was added',
    ]);
  });

  it('are followed through links, and a link that is turned elsewhere shows', async () => {
    const repository = makeRepository({ files: { 'shared/s/SKILL.md': 'one' } });
    mkdirSync(join(repository.dir, '.claude'));
    symlinkSync('../shared', join(repository.dir, '.claude/skills'));
    const seen = await observe(repository, () => repository.write({ 'shared/s/SKILL.md': 'two' }));
    expect(lines(seen)).toEqual([
      'agent-settings: .claude/skills/s/SKILL.md was edited (3 bytes before, 3 now)',
    ]);
    const turned = await observe(repository, () => {
      rmSync(join(repository.dir, '.claude/skills'));
      symlinkSync('../README.md', join(repository.dir, '.claude/skills'));
    });
    expect(lines(turned)).toContain(
      'agent-settings: .claude/skills was a link to ../shared and is now one to ../README.md',
    );
  });

  it('do not count the run directory', async () => {
    const repository = makeRepository();
    const runDir = join(repository.dir, '.delegate', 'run');
    const seen = await observe(repository, () => repository.write({ '.delegate/run/result.json': '{}' }), {
      runDir,
    });
    expect(seen).toEqual(CLEAN);
  });
});

describe('what cannot be read', () => {
  it('is a gap, neither clean nor a violation', async () => {
    const repository = makeRepository();
    const loop = join(repository.dir, '.git/info/attributes');
    mkdirSync(join(repository.dir, '.git/info'), { recursive: true });
    const seen = await observe(repository, () => symlinkSync('attributes', loop));
    expect(seen).toEqual({ ...CLEAN, gaps: [`cannot read ${loop}: ELOOP`] });
  });

  it.each([
    [
      'files',
      [
        '.git/config',
        '.git/HEAD',
        '.git/index',
        '.git/packed-refs',
        '.git/logs/HEAD',
        '.git/MERGE_HEAD',
        '.git/hooks/pre-push',
        '.mcp.json',
      ],
    ],
    [
      'folders',
      ['.git/refs/heads', '.git/hooks', '.git/worktrees', '.git/info', '.claude', '.agents/skills'],
    ],
  ])('is a gap where permission is missing for %s', async (_, paths) => {
    const repository = makeRepository({
      files: {
        '.mcp.json': '{}',
        '.claude/settings.team.json': '{}',
        '.claude/hooks/a.sh': 'a',
        '.agents/skills/s/SKILL.md': 's',
      },
    });
    repository.git('worktree', 'add', '-q', '--detach', join(temporaryFolder(), 'wt'));
    repository.git('pack-refs', '--all');
    repository.git('branch', 'loose');
    repository.write({
      '.git/hooks/pre-push': '#!/bin/sh\n',
      '.git/MERGE_HEAD': 'x',
      '.git/info/attributes': '* text\n',
    });
    const look = lookAt(repository);
    const before = await asOrdinaryUser(repository, look);
    for (const path of paths) chmodSync(join(repository.dir, path), 0o000);
    const after = await asOrdinaryUser(repository, look);
    for (const path of paths) chmodSync(join(repository.dir, path), 0o755);
    const seen = compareBoundary(before, after);
    expect(seen.violations).toEqual([]);
    for (const path of paths)
      expect(seen.gaps.join('\n')).toMatch(new RegExp(`${path.replace(/^\.git\/(logs\/)?/, '')}.*: EACCES`));
  });

  it('does not hang on a FIFO', async () => {
    const repository = makeRepository();
    const { execFileSync } = await import('node:child_process');
    const seen = await observe(repository, () => {
      rmSync(join(repository.dir, '.git/info/exclude'), { force: true });
      mkdirSync(join(repository.dir, '.git/info'), { recursive: true });
      execFileSync('mkfifo', [
        join(repository.dir, '.git/info/exclude'),
        join(repository.dir, '.mcp.json'),
        join(repository.dir, '.git/refs/heads/pipe'),
      ]);
    });
    expect(lines(seen)).toEqual([
      'ref: refs/heads/pipe is new, at not a file',
      expect.stringMatching(/^git-config: \.git\/info\/exclude was /),
      'agent-settings: .mcp.json was added',
    ]);
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

/** A group of a hook event, as claude's settings have it. */
function hook(command: string, args?: string[]) {
  return { hooks: [{ type: 'command', command, ...(args && { args }) }] };
}

/** Runs as a user whom file modes bind: nobody, where the tests run as root. */
async function asOrdinaryUser<T>(repository: TestRepository, action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  // The folders of a test are private to its user.
  for (let folder = repository.dir; folder.startsWith(realpathSync(tmpdir())); folder = dirname(folder))
    chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}
