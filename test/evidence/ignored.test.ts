import { join } from 'node:path';
import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareIgnored, type IgnoredOptions, scanIgnored } from '../../src/evidence/ignored.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIMITS = { files: 100, pathBytes: 100_000, ms: 60_000 };

function scan(repository: TestRepository, limits: Partial<IgnoredOptions['limits']> = {}) {
  const { dir } = repository;
  const env = { PATH: process.env['PATH'] ?? '', HOME: temporaryFolder() };
  const place = {
    top: dir,
    gitDir: join(dir, '.git'),
    commonDir: join(dir, '.git'),
    objectFormat: 'sha1' as const,
  };
  return scanIgnored(place, { env, gitTimeoutMs: 60_000, limits: { ...LIMITS, ...limits } });
}

function withIgnored(): TestRepository {
  const repository = makeRepository({ files: { '.gitignore': 'build/\n*.log\n' } });
  repository.write({
    'build/kept.js': 'k',
    'build/edited.js': 'a',
    'build/same size.js': 'aa',
    'ä.log': 'l',
    'plain.txt': 'p',
  });
  return repository;
}

describe('ignored files', () => {
  it('that nobody touched have not changed', async () => {
    const repository = withIgnored();
    const before = await scan(repository);
    repository.write({ 'plain.txt': 'other', 'new.txt': 'n' });
    expect(compareIgnored(before, await scan(repository))).toEqual({ ignored: 'scanned', changes: [] });
  });

  it('are told when added, edited, deleted', async () => {
    const repository = withIgnored();
    const before = await scan(repository);
    repository.write({ 'build/edited.js': 'longer', 'build/new.js': 'n', 'ä.log': null });
    utimesSync(join(repository.dir, 'build/same size.js'), 1, 1);
    expect(compareIgnored(before, await scan(repository))).toEqual({
      ignored: 'scanned',
      changes: [
        { path: 'build/edited.js', kind: 'modified' },
        { path: 'build/same size.js', kind: 'modified' },
        { path: 'ä.log', kind: 'deleted' },
        { path: 'build/new.js', kind: 'added' },
      ],
    });
  });

  it.each([
    ['files', { files: 3 }, '4 ignored files, more than 3'],
    ['bytes', { pathBytes: 10 }, 'git ls-files printed more than 10 bytes'],
    ['time', { ms: 0 }, expect.stringMatching(/did not answer within 0 ms|took more than 0 ms/)],
  ])('beyond the limit of %s are not scanned, on either side', async (_, limits, reason) => {
    const repository = withIgnored();
    const whole = await scan(repository);
    const cut = await scan(repository, limits);
    expect(cut).toEqual({ scanned: false, reason });
    expect(compareIgnored(whole, cut)).toEqual({ ignored: 'not-scanned', reason });
    expect(compareIgnored(cut, whole)).toEqual({ ignored: 'not-scanned', reason });
  });
});
