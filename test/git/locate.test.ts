import { chownSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateRepository } from '../../src/git/locate.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', LANG: 'C.UTF-8' };
const locate = (cwd: string, extra = {}) => locateRepository(cwd, { ...env, ...extra }, 20_000);

describe('locateRepository', () => {
  it.each(['plain', 'ends in a space ', 'new\nline', 'ends in a newline\n', '-dash', 'ünï'])(
    'finds the top of a repository named %j from a folder below it',
    async (name) => {
      const dir = join(temporaryFolder(), name);
      makeRepository({ dir });
      mkdirSync(join(dir, 'below'));
      const gitDir = join(dir, '.git');
      expect(await locate(join(dir, 'below'))).toEqual({
        top: dir,
        gitDir,
        commonDir: gitDir,
        objectFormat: 'sha1',
      });
    },
  );

  it('gives a linked worktree its own git directory beside the shared one', async () => {
    const main = makeRepository();
    const linked = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', linked);
    expect(await locate(linked)).toMatchObject({
      top: linked,
      gitDir: join(main.dir, '.git', 'worktrees', 'linked'),
      commonDir: join(main.dir, '.git'),
    });
  });

  it('resolves a folder that was reached through a link', async () => {
    const { dir } = makeRepository();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(dir, link);
    expect(await locate(link)).toMatchObject({ top: realpathSync(dir), commonDir: join(dir, '.git') });
  });

  it('knows the object format', async () => {
    const { dir } = makeRepository({ objectFormat: 'sha256' });
    expect(await locate(dir)).toMatchObject({ objectFormat: 'sha256' });
  });

  it('says that there is none outside git, with the way out', async () => {
    expect(await locate(temporaryFolder())).toMatchObject({
      problem: 'none',
      hint: expect.stringContaining('git init'),
    });
  });

  it('says that a bare repository has no working tree', async () => {
    const repository = makeRepository();
    const bare = join(temporaryFolder(), 'bare.git');
    repository.git('clone', '-q', '--bare', repository.dir, bare);
    expect(await locate(bare)).toMatchObject({ problem: 'bare' });
  });

  it('says so inside a git directory', async () => {
    const { dir } = makeRepository();
    expect(await locate(join(dir, '.git'))).toMatchObject({
      problem: 'failed',
      detail: expect.stringContaining('work tree'),
    });
  });

  it.runIf(process.getuid?.() === 0)('passes on that git refuses a repository of somebody else', async () => {
    const { dir } = makeRepository();
    chownSync(dir, 65_534, 65_534);
    chownSync(join(dir, '.git'), 65_534, 65_534);
    expect(await locate(dir)).toMatchObject({
      problem: 'refused',
      detail: expect.stringContaining('dubious ownership'),
      hint: expect.stringContaining('safe.directory'),
    });
  });

  it('is not led astray by variables that bind git to another repository', async () => {
    const { dir } = makeRepository();
    const other = makeRepository();
    const found = await locate(dir, {
      GIT_DIR: join(other.dir, '.git'),
      GIT_WORK_TREE: other.dir,
      GIT_COMMON_DIR: other.dir,
    });
    expect(found).toMatchObject({ top: dir });
  });

  it('says so where git cannot be started', async () => {
    expect(await locate(temporaryFolder(), { PATH: temporaryFolder() })).toMatchObject({
      problem: 'failed',
      hint: expect.stringContaining('Install git'),
    });
  });
});
