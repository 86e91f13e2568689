import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/core/environment.ts';
import { pathOutside, trustedGit } from '../../src/git/trusted.ts';
import type { Repository } from '../../src/git/repository.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const env: Env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', LANG: 'C.UTF-8' };

function located({ dir }: TestRepository): Repository {
  const gitDir = join(dir, '.git');
  return { top: dir, gitDir, commonDir: gitDir, objectFormat: 'sha1' };
}

function fakeGit(folder: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
}

describe('trustedGit', () => {
  it('returns a failing exit as an answer', async () => {
    const answer = await trustedGit(located(makeRepository()), ['rev-parse', '--verify', 'nothing'], {
      env,
      timeoutMs: 20_000,
    });
    expect(answer).toMatchObject({ code: 128, stderr: expect.stringContaining('fatal') });
  });

  it('stays with the repository that was located', async () => {
    const repository = makeRepository();
    const other = makeRepository({ files: { 'other.txt': 'other' } });
    const lying: Env = {
      ...env,
      GIT_DIR: join(other.dir, '.git'),
      GIT_INDEX_FILE: join(other.dir, '.git/index'),
      GIT_NAMESPACE: 'x',
    };
    const answer = await trustedGit(located(repository), ['ls-files'], { env: lying, timeoutMs: 20_000 });
    expect(answer.stdout.toString()).toBe('README.md\n');
  });

  it('runs neither hooks nor a file system monitor', async () => {
    const repository = makeRepository();
    const trace = join(temporaryFolder(), 'ran');
    const hook = join(repository.dir, '.git', 'hooks', 'post-index-change');
    mkdirSync(join(repository.dir, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho hook >> ${trace}\n`);
    chmodSync(hook, 0o755);
    repository.git('config', 'core.fsmonitor', `echo monitor >> ${trace}; false`);
    repository.write({ 'README.md': 'changed\n' });
    const options = { env, timeoutMs: 20_000 };
    await trustedGit(located(repository), ['status', '--porcelain'], options);
    await trustedGit(located(repository), ['update-index', 'README.md'], options);
    expect(() => repository.read(trace)).toThrow('ENOENT');
  });

  it('does not find a git that lies in the working tree', async () => {
    const repository = makeRepository();
    const bin = join(repository.dir, 'node_modules', '.bin');
    fakeGit(bin, 'echo planted');
    const answer = await trustedGit(located(repository), ['ls-files'], {
      env: { ...env, PATH: `${bin}${delimiter}${env['PATH']}` },
      timeoutMs: 20_000,
    });
    expect(answer.stdout.toString()).toBe('README.md\n');
  });

  it.each([
    ['git-timeout', 'exec sleep 60', { timeoutMs: 200 }],
    ['git-overflow', 'yes', { maxBytes: 1000 }],
    ['git-killed', 'kill -9 $$', {}],
    ['git-aborted', 'exec sleep 60', { signal: AbortSignal.timeout(200) }],
  ])('throws %s where there is no answer', async (code, script, options) => {
    const bin = temporaryFolder();
    fakeGit(bin, script);
    const asked = trustedGit(located(makeRepository()), ['status'], {
      env: { ...env, PATH: `${bin}:/usr/bin:/bin` },
      timeoutMs: 20_000,
      ...options,
    });
    await expect(asked).rejects.toMatchObject({ code });
  });

  it('throws git-not-started without git', async () => {
    const asked = trustedGit(located(makeRepository()), ['status'], {
      env: { ...env, PATH: temporaryFolder() },
      timeoutMs: 20_000,
    });
    await expect(asked).rejects.toMatchObject({ code: 'git-not-started' });
  });
});

describe('pathOutside', () => {
  it('drops relative entries and those inside the folder', () => {
    const path = ['/usr/bin', '', '.', 'bin', '/repo', '/repo/bin', '/repo-too/bin', '/repo/../x'].join(
      delimiter,
    );
    expect(pathOutside(path, '/repo').split(delimiter)).toEqual(['/usr/bin', '/repo-too/bin', '/repo/../x']);
  });

  it('keeps everything absolute where the folder is the root of the disk', () => {
    expect(pathOutside('/usr/bin:rel', '/')).toBe('/usr/bin');
  });
});
