import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RootFolder } from '../../src/publishing/root-folder.ts';
import { put, scene, type Scene } from './publishing.ts';

/** Writes a file in `a/b`, whose parent is swapped for a link after it was entered. */
function writeWhileSwapped(at: Scene, platform: NodeJS.Platform): boolean {
  put(at.root, { 'a/b/keep': '' });
  mkdirSync(join(at.outside, 'b'));
  const root = RootFolder.open(at.root, platform);
  root.within('a/b', (open) => {
    renameSync(join(at.root, 'a'), join(at.root, 'aside'));
    symlinkSync(at.outside, join(at.root, 'a'));
    writeFileSync(open.at('written'), '');
    open.sync();
  });
  const isThere = root.isThere('a/b/written');
  root.close();
  return isThere;
}

describe('a parent that is swapped for a link in the very moment of writing', () => {
  it.runIf(process.platform === 'linux')('leads nowhere on Linux', () => {
    const at = scene();
    expect(writeWhileSwapped(at, 'linux')).toBe(false);
    expect(readdirSync(join(at.outside, 'b'))).toEqual([]);
    expect(readdirSync(join(at.root, 'aside/b'))).toEqual(['keep', 'written']);
  });

  it('leads outside elsewhere, and is noticed', () => {
    const at = scene();
    expect(writeWhileSwapped(at, 'darwin')).toBe(false);
    expect(readdirSync(join(at.outside, 'b'))).toEqual(['written']);
  });
});

describe.each(['linux', 'darwin'] as const)('a root on %s', (platform) => {
  it('tells what is missing from what is in the way', () => {
    const at = scene({ 'a/file': '' });
    symlinkSync(at.outside, join(at.root, 'a/link'));
    symlinkSync('nowhere', join(at.root, 'a/broken'));
    const root = RootFolder.open(at.root, platform);
    const enter = (path: string) => root.within(path, () => 'entered');
    expect(enter('')).toEqual({ done: 'entered' });
    expect(enter('a')).toEqual({ done: 'entered' });
    expect(enter('a/none/below')).toEqual({ missing: 'a/none' });
    expect(enter('a/file/below')).toEqual({ reason: 'a/file is no folder' });
    for (const name of ['link', 'broken'])
      expect(enter(`a/${name}`)).toEqual({
        reason: `a/${name} is a symbolic link: nothing is written through one`,
      });
    root.close();
  });

  it('leaves no descriptor open', () => {
    const at = scene({ 'a/b/c/file': '' });
    for (let round = 0; round < 20; round += 1) {
      const root = RootFolder.open(at.root, platform);
      for (const path of ['a/b/c', 'a/b/none', 'a/b/c/file/x', '']) root.within(path, () => null);
      expect(() =>
        root.within('a/b', () => {
          throw new Error('in it');
        }),
      ).toThrow('in it');
      root.close();
    }
    expect(descriptorsUnder(at.root)).toEqual([]);
  });
});

/** What this process has open below a folder; where there is no `/proc`, nothing is found. */
function descriptorsUnder(folder: string): string[] {
  const fds = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
  return fds
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // The one that listed them.
        return '';
      }
    })
    .filter((path) => path.startsWith(folder));
}
