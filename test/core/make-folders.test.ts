import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolders } from '../../src/core/make-folders.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('makes what is missing, with its mode, and leaves what is there', () => {
  const folder = join(temporaryFolder(), 'a', 'b', 'c');
  makeFolders(folder, 0o700);
  makeFolders(folder, 0o755);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('takes a link to a folder for one', () => {
  const top = temporaryFolder();
  symlinkSync('.', join(top, 'link'));
  makeFolders(join(top, 'link', 'a'), 0o700);
  expect(statSync(join(top, 'a')).isDirectory()).toBe(true);
});

it('throws what the system says of a file, or of a link to nowhere, in the way', () => {
  const top = temporaryFolder();
  writeFileSync(join(top, 'file'), '');
  symlinkSync('nowhere', join(top, 'link'));
  expect(() => makeFolders(join(top, 'file'), 0o700)).toThrow('EEXIST');
  expect(() => makeFolders(join(top, 'file', 'a'), 0o700)).toThrow('ENOTDIR');
  expect(() => makeFolders(join(top, 'link', 'a'), 0o700)).toThrow('EEXIST');
});

it.runIf(existsSync('/proc/self'))('gives up where a folder takes no new name', () => {
  expect(() => makeFolders('/proc/baton/a', 0o700)).toThrow('ENOENT');
});
