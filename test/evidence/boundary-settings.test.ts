import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { CLEAN, lines, observe } from './observing.ts';

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
    'delegate-skills/gates-config.sha256',
    'delegate-skills/project-config.sha256',
  ])('show an edit of %s', async (path) => {
    const repository = makeRepository();
    mkdirSync(dirname(join(repository.dir, '.git', path)), { recursive: true });
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
