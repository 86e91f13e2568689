import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locateRepository } from '../../src/git/locate.ts';
import type { Repository } from '../../src/git/repository.ts';
import { approve, isApproved } from '../../src/trust/approval.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const BYTES = Buffer.from('{ "gates": [] }\n');
const HASH = createHash('sha256').update(BYTES).digest('hex');

async function located(dir: string): Promise<Repository> {
  const found = await locateRepository(
    dir,
    { PATH: process.env['PATH'] ?? '', HOME: dir, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    30_000,
  );
  if ('problem' in found) throw new Error(found.detail);
  return found;
}

function worktreeOf(repository: TestRepository): string {
  const dir = join(temporaryFolder(), 'linked');
  repository.git('worktree', 'add', '-q', dir);
  return dir;
}

it('writes the hash of the bytes and a newline into the git directory, for lanes and gates apart', async () => {
  const repository = await located(makeRepository().dir);
  expect(isApproved(repository, 'lanes', BYTES)).toBe(false);

  const files = approve(repository, 'lanes', BYTES);
  expect(files).toEqual([join(repository.gitDir, 'delegate-skills', 'project-config.sha256')]);
  expect(readFileSync(files[0] ?? '', 'utf8')).toBe(`${HASH}\n`);
  expect(isApproved(repository, 'lanes', BYTES)).toBe(true);
  expect(isApproved(repository, 'gates', BYTES)).toBe(false);
});

it('loses the approval with any edit, and has it again with the old bytes', async () => {
  const repository = await located(makeRepository().dir);
  approve(repository, 'gates', BYTES);
  expect(isApproved(repository, 'gates', Buffer.concat([BYTES, Buffer.from(' ')]))).toBe(false);
  expect(isApproved(repository, 'gates', BYTES)).toBe(true);
});

it('is not cloned', async () => {
  const original = makeRepository();
  approve(await located(original.dir), 'gates', BYTES);
  const clone = join(temporaryFolder(), 'clone');
  execFileSync('git', ['clone', '-q', original.dir, clone], { env: { PATH: process.env['PATH'] } });
  expect(isApproved(await located(clone), 'gates', BYTES)).toBe(false);
});

it('counts in every worktree when approved in the main one', async () => {
  const main = makeRepository();
  approve(await located(main.dir), 'gates', BYTES);
  expect(isApproved(await located(worktreeOf(main)), 'gates', BYTES)).toBe(true);
});

it('approved in a worktree, counts everywhere only while nothing else was approved for all', async () => {
  const main = makeRepository();
  const [first, second] = [await located(worktreeOf(main)), await located(main.dir)];
  expect(approve(first, 'gates', BYTES)).toHaveLength(2);
  expect(isApproved(second, 'gates', BYTES)).toBe(true);

  const other = Buffer.from('other');
  expect(approve(first, 'gates', other)).toHaveLength(1);
  expect(isApproved(first, 'gates', other)).toBe(true);
  expect(isApproved(second, 'gates', other)).toBe(false);
  expect(isApproved(second, 'gates', BYTES)).toBe(true);
});

it('takes no approval from a link, a folder or a damaged file', async () => {
  const repository = await located(makeRepository().dir);
  const folder = join(repository.gitDir, 'delegate-skills');
  const outside = join(temporaryFolder(), 'hash');
  writeFileSync(outside, `${HASH}\n`);
  mkdirSync(folder);
  symlinkSync(outside, join(folder, 'gates-config.sha256'));
  expect(isApproved(repository, 'gates', BYTES)).toBe(false);
  mkdirSync(join(folder, 'project-config.sha256'));
  expect(isApproved(repository, 'lanes', BYTES)).toBe(false);

  approve(repository, 'gates', BYTES);
  expect(readFileSync(outside, 'utf8')).toBe(`${HASH}\n`);
  writeFileSync(join(folder, 'gates-config.sha256'), HASH.slice(1));
  expect(isApproved(repository, 'gates', BYTES)).toBe(false);
});

it('says so where the git directory cannot be written', async () => {
  const repository = await located(makeRepository().dir);
  writeFileSync(join(repository.gitDir, 'delegate-skills'), 'in the way');
  expect(() => approve(repository, 'gates', BYTES)).toThrow(/cannot be written/);
  expect(existsSync(join(repository.gitDir, 'delegate-skills', 'gates-config.sha256'))).toBe(false);
});
