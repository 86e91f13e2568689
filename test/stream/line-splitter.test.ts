import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../src/stream/line-splitter.ts';

function split(chunks: readonly Uint8Array[], maxLineBytes = 1 << 20): { lines: Buffer[]; oversize: number } {
  const lines: Buffer[] = [];
  const splitter = new LineSplitter(maxLineBytes, (bytes, start, end) =>
    lines.push(Buffer.from(bytes.subarray(start, end))),
  );
  const reused = Buffer.alloc(Math.max(1, ...chunks.map((chunk) => chunk.length)));
  for (const chunk of chunks) {
    reused.fill(0x21);
    reused.set(chunk);
    splitter.push(reused.subarray(0, chunk.length));
  }
  splitter.end();
  return { lines, oversize: splitter.oversize };
}

/** The obvious way, on the whole of the bytes. */
function naive(bytes: Buffer, maxLineBytes: number): { lines: Buffer[]; oversize: number } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let index = 0; index <= bytes.length; index += 1) {
    if (index < bytes.length && bytes[index] !== 0x0a) continue;
    if (index < bytes.length || index > start) lines.push(bytes.subarray(start, index));
    start = index + 1;
  }
  const kept = lines.filter((line) => line.length <= maxLineBytes);
  return { lines: kept, oversize: lines.length - kept.length };
}

const newlineOften = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0x0a) },
  { weight: 4, arbitrary: fc.nat(255) },
);
const chunking = fc.array(
  fc.array(newlineOften, { maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
  { maxLength: 30 },
);

test('any bytes in any chunks give the lines of a naive split', () => {
  fc.assert(
    fc.property(chunking, fc.constantFrom(3, 10, 1 << 20), (chunks, maxLineBytes) => {
      expect(split(chunks, maxLineBytes)).toEqual(naive(Buffer.concat(chunks), maxLineBytes));
    }),
    { numRuns: 500 },
  );
});

test('a line of 50 MB in chunks of 1 KiB arrives whole', () => {
  let length = 0;
  const splitter = new LineSplitter(64 << 20, (_, start, end) => {
    length = end - start;
  });
  const chunk = Buffer.alloc(1024, 0x61);
  for (let count = 0; count < 50_000; count += 1) splitter.push(chunk);
  splitter.push(Buffer.from('\n'));
  expect(length).toBe(50_000 * 1024);
});

test('a line above the cap is dropped and counted once, and the next one is read', () => {
  const chunks = ['a'.repeat(8), 'a'.repeat(8), 'a\nnext\n', 'b'.repeat(30), '\nlast'].map((text) =>
    Buffer.from(text),
  );
  const { lines, oversize } = split(chunks, 10);
  expect(lines.map(String)).toEqual(['next', 'last']);
  expect(oversize).toBe(2);
});

test('drop forgets the begun line', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter(100, (bytes, start, end) =>
    lines.push(bytes.toString('utf8', start, end)),
  );
  splitter.push(Buffer.from('half a li'));
  splitter.drop();
  splitter.push(Buffer.from('whole\n'));
  expect(lines).toEqual(['whole']);
});
