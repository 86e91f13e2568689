import { describe, expect, it } from 'vitest';
import { pathAliases, resolveImport } from '../../../src/generate/scan/resolve-import.ts';

const FILES = new Set([
  'src/a.ts',
  'src/b.tsx',
  'src/lib/index.ts',
  'src/lib/c.mjs',
  'index.js',
  'src/view.vue',
  'src/d.mts',
]);

function resolve(specifier: string, from = 'src/main.ts', config: unknown = null): string | null {
  return resolveImport(specifier, from, FILES, pathAliases(config));
}

describe('a relative name', () => {
  it.each([
    ['./a.ts', 'src/a.ts'],
    ['./a', 'src/a.ts'],
    ['./a.js', 'src/a.ts'],
    ['./b', 'src/b.tsx'],
    ['./b.jsx', 'src/b.tsx'],
    ['./d.mjs', 'src/d.mts'],
    ['./lib', 'src/lib/index.ts'],
    ['./lib/', 'src/lib/index.ts'],
    ['./lib/c.mjs', 'src/lib/c.mjs'],
    ['./view.vue?raw', 'src/view.vue'],
    ['..', 'index.js'],
    ['../index.js', 'index.js'],
    ['../../outside', null],
    ['./none', null],
    ['react', null],
    ['/src/a.ts', null],
  ])('%s is %s', (specifier, file) => {
    expect(resolve(specifier)).toBe(file);
  });
});

describe('an alias of tsconfig', () => {
  const config = {
    compilerOptions: {
      baseUrl: '.',
      paths: {
        '@/*': ['missing/*', './src/*'],
        '@/lib/*': ['src/lib/*'],
        '~': ['src/a.ts'],
        bad: 'no list',
        '*': [1],
      },
    },
  };

  it.each([
    ['@/a', 'src/a.ts'],
    ['@/lib/c.mjs', 'src/lib/c.mjs'],
    ['~', 'src/a.ts'],
    ['~x', null],
    ['@/$&', null],
    ['@/../../etc/passwd', null],
  ])('%s is %s', (specifier, file) => {
    expect(resolve(specifier, 'deep/in/main.ts', config)).toBe(file);
  });

  it.each([[null], [[]], ['text'], [{ compilerOptions: [] }], [{ compilerOptions: { paths: 7 } }]])(
    'is not there in %j',
    (config) => {
      expect(pathAliases(config)).toEqual([]);
    },
  );
});
