import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readProjectFile } from '../../src/trust/project-file.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('reads the bytes as they are, and null where there is nothing', () => {
  const top = temporaryFolder();
  expect(readProjectFile(top, 'a/b.json')).toBe(null);
  mkdirSync(join(top, 'a'));
  writeFileSync(join(top, 'a/b.json'), Buffer.from([0xef, 0xbb, 0xbf, 0x7b]));
  expect(readProjectFile(top, 'a/b.json')).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x7b]));
});

it('refuses links, in the middle of the way too, folders, pipes and what is too large', () => {
  const top = temporaryFolder();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'c.json'), '{}');
  symlinkSync(join(outside, 'c.json'), join(top, 'link.json'));
  symlinkSync(join(outside, 'nothing'), join(top, 'dangling.json'));
  symlinkSync(outside, join(top, 'folder'));
  mkdirSync(join(top, 'dir.json'));
  execFileSync('mkfifo', [join(top, 'pipe.json')]);
  writeFileSync(join(top, 'large.json'), Buffer.alloc(1024 * 1024 + 1));
  const refused: [path: string, why: string][] = [
    ['link.json', 'symbolic link link.json'],
    ['dangling.json', 'symbolic link'],
    ['folder/c.json', 'symbolic link folder'],
    ['dir.json', 'no regular file'],
    ['pipe.json', 'no regular file'],
    ['large.json', 'the limit is'],
  ];
  for (const [path, why] of refused) expect(() => readProjectFile(top, path)).toThrow(why);
});
