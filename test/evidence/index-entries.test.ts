import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeIndexChanges, parseIndex, parseIndexListing } from '../../src/evidence/index-entries.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

function read(repository: TestRepository, format: 'sha1' | 'sha256' = 'sha1') {
  return parseIndex(readFileSync(join(repository.dir, '.git/index')), format);
}

function listing(repository: TestRepository): Buffer {
  return execFileSync('git', ['ls-files', '--stage', '--debug', '-z'], { cwd: repository.dir });
}

const name = fc.stringMatching(/^[a-z0-9é -]{1,12}$/).filter((text) => text.trim() === text);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.txt`);

describe('the index', () => {
  it.each(['2', '3', '4'])('of version %s is read as git lists it', (version) => {
    const repository = makeRepository({ files: null });
    repository.git('config', 'index.version', version);
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 20 }), (paths) => {
        repository.git('rm', '-r', '-q', '--cached', '--ignore-unmatch', '.');
        for (const each of paths)
          repository.git('update-index', '--add', '--cacheinfo', `100644,${'1'.repeat(40)},${each}`);
        expect(read(repository)).toEqual(parseIndexListing(listing(repository)));
        expect(read(repository).size).toBe(paths.length);
      }),
      { numRuns: 4 },
    );
  });

  it('has flags, modes and conflict stages', () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' } });
    repository.write({ 'new.txt': 'n' });
    const before = read(repository);
    repository.git('update-index', '--skip-worktree', 'a.txt');
    repository.git('update-index', '--assume-unchanged', 'b.txt');
    repository.git('update-index', '--chmod=+x', 'c.txt');
    repository.git('add', '-N', 'new.txt');
    expect(read(repository)).toEqual(parseIndexListing(listing(repository)));
    expect(describeIndexChanges(before, read(repository))).toEqual([
      'a.txt was marked as skip-worktree',
      'b.txt was marked as assume-unchanged',
      'c.txt changed its mode (100644 to 100755)',
      'new.txt was marked as intent-to-add',
    ]);
    expect(describeIndexChanges(read(repository), before)).toContain(
      'a.txt is no longer marked as skip-worktree',
    );
    const marked = read(repository);
    repository.git('add', 'new.txt');
    expect(describeIndexChanges(marked, read(repository))).toEqual([
      expect.stringMatching(/^new\.txt was staged/),
    ]);
  });

  it('shows an unmerged path', () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n' } });
    repository.git('checkout', '-q', '-b', 'other');
    repository.commit({ 'a.txt': 'theirs\n' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'a.txt': 'ours\n' });
    const before = read(repository);
    expect(() => repository.git('merge', '-q', 'other')).toThrow('git merge');
    expect(
      describeIndexChanges(before, read(repository)).map((phrase) => phrase.replace(/ \([0-9a-f]{7}\)/, '')),
    ).toEqual([
      'a.txt was removed',
      'a.txt (conflict stage 1) was added',
      'a.txt (conflict stage 2) was added',
      'a.txt (conflict stage 3) was added',
    ]);
  });

  it('is read with SHA-256 ids and with very long paths', () => {
    const repository = makeRepository({ objectFormat: 'sha256', files: { 'a.txt': 'a' } });
    const long = `${'deep/'.repeat(900)}end`;
    repository.git('update-index', '--add', '--cacheinfo', `100644,${'1'.repeat(64)},${long}`);
    expect([...read(repository, 'sha256').keys()]).toEqual(['0 a.txt', `0 ${long}`]);
  });

  it('says why it cannot be read, whatever the bytes', () => {
    const repository = makeRepository({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
    const bytes = readFileSync(join(repository.dir, '.git/index'));
    expect(() => parseIndex(bytes.subarray(0, 90), 'sha1')).toThrow('the index file is cut off');
    expect(() => parseIndex(Buffer.from('DIRC\0\0\0\u0009\0\0\0\0'), 'sha1')).toThrow(
      'unknown index version 9',
    );
    const refuses = fc.property(
      fc.integer({ min: 0, max: bytes.length }),
      fc.uint8Array({ maxLength: 40 }),
      (at, noise) => {
        const broken = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + noise.length)]);
        try {
          return parseIndex(broken, 'sha1').size >= 0;
        } catch (error) {
          return error instanceof Error;
        }
      },
    );
    expect(fc.check(refuses)).toMatchObject({ failed: false });
  });
});
