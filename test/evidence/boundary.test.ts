import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareBoundary } from '../../src/evidence/boundary.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { asOrdinaryUser, CLEAN, lines, lookAt, observe } from './observing.ts';

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
