import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { FileFollower } from '../../src/stream/file-follower.ts';
import { temporaryFolder } from '../support/temporary.ts';

function follow(path: string): { follower: FileFollower; seen: () => string; cuts: () => number } {
  const chunks: Buffer[] = [];
  let cutBacks = 0;
  const follower = new FileFollower(path, {
    onBytes: (bytes) => chunks.push(Buffer.from(bytes)),
    onCutBack: () => {
      cutBacks += 1;
    },
  });
  follower.start();
  return { follower, seen: () => Buffer.concat(chunks).toString(), cuts: () => cutBacks };
}

const soon = { timeout: 10_000, interval: 10 };

test('what is appended is seen while it is written, and the rest at the end', async () => {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, 'one ');
  const { follower, seen } = follow(path);
  await vi.waitFor(() => expect(seen()).toBe('one '), soon);
  appendFileSync(path, 'two ');
  await vi.waitFor(() => expect(seen()).toBe('one two '), soon);
  appendFileSync(path, 'three');
  await follower.finish();
  expect(seen()).toBe('one two three');
  expect(follower.bytes).toBe(13);
});

test('a large file is read whole, byte for byte', async () => {
  const path = join(temporaryFolder(), 'log');
  const content = Array.from({ length: 400_000 }, (_, index) => `line ${index}\n`).join('');
  writeFileSync(path, content);
  const { follower, seen } = follow(path);
  await follower.finish();
  expect(seen() === content).toBe(true);
});

test('a log that shrinks is reported, and reading goes on at its new end', async () => {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, 'abcdef');
  const { follower, seen, cuts } = follow(path);
  await vi.waitFor(() => expect(seen()).toBe('abcdef'), soon);
  truncateSync(path, 2);
  await vi.waitFor(() => expect(cuts()).toBe(1), soon);
  appendFileSync(path, 'XY');
  await follower.finish();
  expect(seen()).toBe('abcdefXY');
  expect(cuts()).toBe(1);
});

test('a file that was renamed and removed is still read to its end', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'log');
  writeFileSync(path, 'kept');
  const { follower, seen } = follow(path);
  renameSync(path, join(folder, 'other'));
  rmSync(join(folder, 'other'));
  await follower.finish();
  expect(seen()).toBe('kept');
});

test('a file that is not there is the caller’s error', () => {
  expect(() => follow(join(temporaryFolder(), 'none'))).toThrow(/ENOENT/);
});
