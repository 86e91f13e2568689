import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from '../../src/core/atomic-write.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'baton-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('writeFileAtomic', () => {
  it('writes text and bytes, private, and leaves no other file', () => {
    writeFileAtomic(join(dir, 'a'), 'é\n');
    writeFileAtomic(join(dir, 'a'), new Uint8Array([1, 2]));
    expect(readFileSync(join(dir, 'a'))).toEqual(Buffer.from([1, 2]));
    expect(statSync(join(dir, 'a')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['a']);
  });

  it('replaces a link instead of following it', () => {
    writeFileSync(join(dir, 'victim'), 'mine');
    symlinkSync(join(dir, 'victim'), join(dir, 'link'));
    writeFileAtomic(join(dir, 'link'), 'new');
    expect(readFileSync(join(dir, 'victim'), 'utf8')).toBe('mine');
  });

  it('leaves nothing behind when it fails', () => {
    mkdirSync(join(dir, 'folder'));
    expect(() => writeFileAtomic(join(dir, 'folder'), 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(dir)).toEqual(['folder']);
    expect(() => writeFileAtomic(join(dir, 'gone', 'x'), 'x')).toThrow(/ENOENT/);
  });
});
