import { describe, expect, it } from 'vitest';
import { outOfScope } from '../../src/evidence/scope.ts';

describe('scope', () => {
  it.each([
    ['nothing declared', [], ['a.ts', 'b/c.ts'], []],
    ['one file', ['a.ts'], ['a.ts', 'b/a.ts'], ['b/a.ts']],
    ['a folder', ['src'], ['src', 'src/a.ts', 'src/x/.env', 'srcs/a.ts'], ['srcs/a.ts']],
    ['a folder with a slash', ['src/'], ['src/x/y.ts', 'README.md'], ['README.md']],
    ['a path as a shell completes it', ['./src/*.ts'], ['src/a.ts', 'src/x/a.ts'], ['src/x/a.ts']],
    ['dotfiles', ['**/*.yml'], ['.github/workflows/ci.yml', '.x.yml'], []],
    ['everything', ['.'], ['.env', 'a/b'], []],
    [
      'several globs',
      ['src/**', 'docs/*.md'],
      ['src/a', 'docs/a.md', 'docs/x/a.md', 'package.json'],
      ['docs/x/a.md', 'package.json'],
    ],
    ['braces', ['{src,test}/**'], ['src/a', 'test/b', 'bench/c'], ['bench/c']],
    ['names with blanks and brackets', ['a b/**'], ['a b/[id].ts', 'a/b.ts'], ['a/b.ts']],
  ])('with %s', async (_, touch, paths, expected) => {
    expect(await outOfScope(paths, touch)).toEqual(expected);
  });
});
