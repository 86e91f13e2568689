import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareReflogs, parseReflog, readReflog, type ReflogState } from '../../src/evidence/reflogs.ts';
import { temporaryFolder } from '../support/temporary.ts';

const id = (at: number): string => at.toString(16).padStart(40, '0');
const line = (at: number, message = `commit: number ${at}`): string =>
  `${id(at)} ${id(at + 1)} A B <a@b> 1700000000 +0000\t${message}\n`;
const log = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => line(from + at)).join('');

function makeLog(content: string): { path: string; read: () => ReflogState } {
  const path = join(temporaryFolder(), 'HEAD');
  writeFileSync(path, content);
  const read = (): ReflogState => {
    const state = readReflog(path, 'HEAD', (gap) => expect.unreachable(gap));
    if (!state) throw new Error('not read');
    return state;
  };
  return { path, read };
}

describe('a reflog', () => {
  it.each([10, 10_000])('of %i entries that grew names what came', (count) => {
    const { path, read } = makeLog(log(0, count));
    const before = read();
    expect(before.tail.length).toBeLessThanOrEqual(65_536);
    appendFileSync(path, line(count, 'commit: sneaky') + line(count + 1, 'reset: moving to HEAD~1'));
    const { added, lost, rewritten } = compareReflogs(before, read(), true);
    expect(added.map(({ message }) => message)).toEqual(['commit: sneaky', 'reset: moving to HEAD~1']);
    expect([lost, rewritten]).toEqual([[], false]);
  });

  it('that grew beyond what is read names the newest entries', () => {
    const { path, read } = makeLog(log(0, 10));
    const before = read();
    appendFileSync(path, log(10, 5000));
    const { added, lost } = compareReflogs(before, read(), true);
    expect(added.at(-1)?.message).toBe('commit: number 4999');
    expect(lost).toEqual([]);
  });

  it.each([10, 10_000])('of %i entries that lost its oldest expired, unless it never expires', (count) => {
    const { path, read } = makeLog(log(0, count));
    const before = read();
    writeFileSync(path, log(3, count));
    expect(compareReflogs(before, read(), true)).toEqual({ added: [], lost: [], rewritten: true });
    const kept = compareReflogs(before, read(), false);
    expect(kept.lost.length > 0 || kept.rewritten).toBe(true);
  });

  it('that lost its newest entry says which', () => {
    const { path, read } = makeLog(log(0, 10_000));
    const before = read();
    writeFileSync(path, log(0, 9999));
    expect(compareReflogs(before, read(), true).lost.map(({ message }) => message)).toEqual([
      'commit: number 9999',
    ]);
  });

  it('that was written with the same content is no clean one', () => {
    const { path, read } = makeLog(log(0, 10));
    const before = read();
    const content = readFileSync(path);
    appendFileSync(path, line(10));
    writeFileSync(path, content);
    const after = { ...read(), stamp: 'another' };
    expect(compareReflogs(before, after, true)).toEqual({ added: [], lost: [], rewritten: true });
  });

  it('tells two equal entries apart from one', () => {
    const same = line(1, 'reset: moving to HEAD');
    const { path, read } = makeLog(same + same);
    const before = read();
    writeFileSync(path, same);
    expect(compareReflogs(before, read(), true).lost).toHaveLength(1);
    writeFileSync(path, same + same + same);
    expect(compareReflogs(before, read(), true).added).toHaveLength(1);
  });

  it('may have entries without a message, and rubbish', () => {
    const bytes = Buffer.from(`${id(1)} ${id(2)} A <a> 1 +0000\nrubbish\n\n${line(2)}`);
    expect(parseReflog(bytes)).toEqual([
      { from: id(1), to: id(2), message: '' },
      { from: id(2), to: id(3), message: 'commit: number 2' },
    ]);
  });

  it('that cannot be read is a gap', () => {
    const gaps: string[] = [];
    expect(readReflog(temporaryFolder(), 'HEAD', (gap) => gaps.push(gap))).toBeNull();
    expect(gaps).toEqual(['cannot read the reflog of HEAD: not a file']);
  });
});
