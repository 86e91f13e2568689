import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { which } from '../../src/process/which.ts';
import { temporaryFolder } from '../support/temporary.ts';

function executable(path: string): string {
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
}

test('the first executable file on PATH; folders and plain files do not count', () => {
  const root = temporaryFolder();
  const [one, two, three] = ['one', 'two', 'three'].map((name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  });
  mkdirSync(join(`${one}`, 'claude'));
  writeFileSync(join(`${two}`, 'claude'), 'not executable');
  const found = executable(join(`${three}`, 'claude'));
  expect(which('claude', { PATH: `${one}:${two}:${three}` })).toBe(found);
  expect(which('claude', { PATH: `${one}:${two}` })).toBe(null);
});

test('never a file of the current folder, however PATH may say so', () => {
  const root = temporaryFolder();
  executable(join(root, 'claude'));
  for (const PATH of ['', ':', '.', `::`, './', '../x'])
    expect(which('claude', { PATH }, { cwd: root })).toBe(null);
  expect(which('claude', {}, { cwd: root })).toBe(null);
});

test('a name with a slash is a path', () => {
  const root = temporaryFolder();
  const file = executable(join(root, 'claude'));
  expect(which(file, { PATH: '' })).toBe(file);
  expect(which('./claude', { PATH: '' }, { cwd: root })).toBe(file);
});

test('it is looked up anew each time: an update may have moved it', () => {
  const root = temporaryFolder();
  const version1 = executable(join(root, 'v1'));
  symlinkSync(version1, join(root, 'claude'));
  expect(which('claude', { PATH: root })).toBe(join(root, 'claude'));
  rmSync(version1);
  expect(which('claude', { PATH: root })).toBe(null);
  executable(version1);
  expect(which('claude', { PATH: root })).toBe(join(root, 'claude'));
});

function there(...files: string[]): (path: string) => boolean {
  return (path) => files.includes(path);
}

describe('on Windows', () => {
  test('the extensions of PATHEXT in their order, and variables in any case', () => {
    const env = { Path: '"C:\\Program Files\\x";C:\\npm', PathExt: '.EXE;.CMD' };
    const look = (...files: string[]): string | null =>
      which('claude', env, { platform: 'win32', isExecutable: there(...files) });
    expect(look('C:\\npm\\claude.cmd')).toBe('C:\\npm\\claude.cmd');
    expect(look('C:\\npm\\claude.cmd', 'C:\\npm\\claude.exe')).toBe('C:\\npm\\claude.exe');
    expect(look('C:\\Program Files\\x\\claude.cmd', 'C:\\npm\\claude.exe')).toBe(
      'C:\\Program Files\\x\\claude.cmd',
    );
    expect(look('C:\\npm\\claude')).toBe(null);
  });

  test('a name that has its extension, and a whole path', () => {
    const options = { platform: 'win32', isExecutable: there('C:\\npm\\claude.cmd') } as const;
    expect(which('claude.cmd', { PATH: 'C:\\npm' }, options)).toBe('C:\\npm\\claude.cmd');
    expect(which('C:\\npm\\claude', {}, options)).toBe('C:\\npm\\claude.cmd');
  });
});
