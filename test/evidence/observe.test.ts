import { appendFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../support/repository.ts';
import { lines, patchOf, watch } from './watching.ts';

describe('a run in a clean repository', () => {
  it('that changes nothing leaves nothing to say', async () => {
    const repository = makeRepository();
    const before = repository.fingerprint();
    const report = await watch(repository.dir, () => {});
    expect(report.evidence).toMatchObject({
      tree: 'unchanged',
      changes: [],
      violations: [],
      coverage: { complete: true, gaps: [] },
    });
    expect(report.evidence.beforeTree).toBe(repository.git('rev-parse', 'HEAD^{tree}'));
    expect(report.evidence.afterTree).toBe(report.evidence.beforeTree);
    expect(report.evidence.baseCommit).toBe(repository.head());
    expect(report.touchedFiles).toEqual([]);
    expect(report.readOnlyViolation).toBeUndefined();
    expect(patchOf(report)).toBe('');
    expect(repository.fingerprint()).toEqual(before);
  });

  it('is attributed path by path, with its lines', async () => {
    const repository = makeRepository({
      files: {
        'a.txt': '1\n2\n3\n',
        'gone.txt': 'x\n',
        'old.txt': 'same\nlines\nhere\n',
        'run.sh': 'echo\n',
      },
    });
    const before = repository.fingerprint();
    const report = await watch(repository.dir, () => {
      appendFileSync(join(repository.dir, 'a.txt'), '4\n');
      rmSync(join(repository.dir, 'gone.txt'));
      renameSync(join(repository.dir, 'old.txt'), join(repository.dir, 'new.txt'));
      repository.setExecutable('run.sh', true);
      repository.write({ 'deep/er/new.bin': Buffer.from([0, 1, 2]) });
    });
    expect(lines(report)).toEqual([
      'modified a.txt +1 -0',
      'added deep/er/new.bin binary',
      'deleted gone.txt +0 -1',
      'renamed old.txt => new.txt +0 -0',
      'mode run.sh +0 -0',
    ]);
    expect(report.evidence).toMatchObject({
      tree: 'changed',
      violations: [],
      coverage: { complete: true, ignored: 'not-scanned' },
    });
    expect(report.touchedFiles).toEqual([
      ' M a.txt',
      ' D gone.txt',
      ' D old.txt',
      ' M run.sh',
      '?? deep/',
      '?? new.txt',
    ]);
    expect(repository.fingerprint()).toEqual(before);
  });

  it('has a patch that git can apply also where a link moved into a folder of its own name', async () => {
    const repository = makeRepository({ files: null });
    symlinkSync('target', join(repository.dir, 'n'));
    repository.commit();
    const report = await watch(repository.dir, () => {
      rmSync(join(repository.dir, 'n'));
      repository.write({ n: null, 'n/x': 'x' });
      symlinkSync('target', join(repository.dir, 'n', 'a'));
    });
    expect(lines(report)[0]).toBe('renamed n => n/a +0 -0');
    repository.git('checkout', '-q', '--', '.');
    rmSync(join(repository.dir, 'n'), { recursive: true });
    repository.git('checkout', '-q', '--', '.');
    repository.git('apply', report.patchPath ?? '');
    expect(repository.read('n/x')).toBe('x');
  });
});
