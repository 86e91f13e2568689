import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passEntries, scanIndex, showEntries } from '../../src/git/index-scan.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const indexOf = ({ dir }: TestRepository): Buffer => readFileSync(join(dir, '.git', 'index'));
const FILES = {
  'a.txt': 'a',
  'dir/b.txt': 'b',
  'dir/deep/c.txt': 'c',
  'dir-2/d': 'd',
  'z z': 'z',
  'é/ü.txt': 'u',
  [`long/${'x'.repeat(200)}/${'y'.repeat(200)}/${'z'.repeat(3900 % 200)}`]: 'l',
};

describe('scanIndex', () => {
  const kinds = [2, 3, 4].flatMap((version) =>
    (['sha1', 'sha256'] as const).map((format) => [version, format] as const),
  );

  it.each(kinds)(
    'reads version %i in %s: folders, submodules, hidden entries, the tree',
    (version, objectFormat) => {
      const repository = makeRepository({ objectFormat, files: FILES });
      const commit = repository.head();
      repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},dir/module`);
      repository.git('update-index', '--assume-unchanged', 'a.txt');
      repository.git('update-index', '--skip-worktree', 'dir/deep/c.txt');
      repository.git('update-index', '--index-version', String(version));
      const scan = scanIndex(indexOf(repository), objectFormat);
      expect(scan.hidden.map(({ path }) => path)).toEqual(['a.txt', 'dir/deep/c.txt']);
      expect(scan.gitlinks).toEqual(['dir/module']);
      const folders = Object.keys(FILES).map((path) =>
        Buffer.from(path.slice(0, Math.max(0, path.lastIndexOf('/')))).toString('latin1'),
      );
      expect([...scan.folders].sort()).toEqual([...new Set(folders)].sort());
      expect(scan.tree).toBeNull();
      repository.git('write-tree');
      expect(scanIndex(indexOf(repository), objectFormat).tree).toBe(repository.git('write-tree'));
    },
  );

  it.each(kinds)(
    'shows hidden entries of version %i in %s so that git sees them again',
    (version, objectFormat) => {
      const repository = makeRepository({ objectFormat, files: FILES });
      repository.git('update-index', '--index-version', String(version));
      repository.git('update-index', '--assume-unchanged', 'a.txt');
      repository.git('update-index', '--skip-worktree', 'dir/b.txt');
      repository.write({ 'a.txt': 'changed', 'dir/b.txt': 'changed' });
      expect(repository.status()).toEqual([]);
      const bytes = indexOf(repository);
      showEntries(bytes, scanIndex(bytes, objectFormat).hidden, objectFormat);
      writeFileSync(join(repository.dir, '.git', 'index'), bytes);
      expect(repository.status()).toEqual([' M a.txt', ' M dir/b.txt']);
      expect(repository.git('fsck')).toBe('');
    },
  );

  it('notices a split index', () => {
    const repository = makeRepository({ files: FILES });
    repository.git('update-index', '--split-index');
    expect(scanIndex(indexOf(repository), 'sha1').split).toBe(true);
  });

  it('has nothing to say of an index that is not there', () => {
    expect(scanIndex(Buffer.alloc(0), 'sha1')).toEqual({
      hidden: [],
      gitlinks: [],
      folders: new Set(),
      tree: null,
      newest: 0,
      split: false,
    });
  });

  it('refuses bytes that are no index, and never hangs on a damaged one', () => {
    const good = indexOf(makeRepository({ files: FILES }));
    let refused = 0;
    expect(() => scanIndex(Buffer.from('something else altogether'), 'sha1')).toThrow('not an index');
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.integer({ min: 0, max: 255 }),
        fc.nat(good.length),
        (at, byte, length) => {
          const bad = Buffer.from(good.subarray(0, length));
          if (at < bad.length) bad[at] = byte;
          try {
            scanIndex(bad, 'sha1');
          } catch {
            refused += 1;
          }
        },
      ),
    );
    expect(refused).toBeGreaterThan(0);
  });

  it('lists what git lists, for any names', () => {
    const name = fc
      .stringMatching(/^[a-z é-]{1,12}$/)
      .filter((text) => text.trim() !== '' && !/^[.-]/.test(text));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))),
        fc.constantFrom(2, 4),
        (paths, version) => {
          const repository = makeRepository({ files: null });
          const blob = repository.git('hash-object', '-w', '--stdin');
          const unique = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
          const input = unique.map((path) => `100644 ${blob}\t${path}\n`).join('');
          execFileSync('git', ['update-index', '--add', '--index-info'], { cwd: repository.dir, input });
          repository.git('update-index', '--index-version', String(version));
          const found: string[] = [];
          const bytes = unique.length > 0 ? indexOf(repository) : Buffer.alloc(0);
          passEntries(bytes, 'sha1', (entry) => found.push(Buffer.from(entry.path(), 'latin1').toString()));
          expect(found).toEqual(repository.git('ls-files', '-z').split('\0').filter(Boolean));
        },
      ),
      { numRuns: 10 },
    );
  });
});
