import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FilePatch, parsePatch } from '../../src/review/patch.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const FLAGS = ['-p', '--binary', '--full-index', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '-M'];

function treeOf(repository: TestRepository): string {
  repository.git('add', '-A', '-f');
  return repository.git('write-tree');
}

function patchBetween(repository: TestRepository, before: string, after: string): FilePatch[] {
  return parsePatch(Buffer.from(`${repository.git('diff-tree', '-r', ...FLAGS, before, after)}\n`));
}

/** The text after the hunks were applied to it. */
function applied(text: string, { hunks }: FilePatch): string {
  const lines = text.split(/(?<=\n)/);
  let result = '';
  let at = 0;
  for (const hunk of hunks) {
    // Git counts the line before the first one where a side has none.
    const start = hunk.lines.some(({ mark }) => mark !== '+') ? hunk.oldStart - 1 : hunk.oldStart;
    result += lines.slice(at, start).join('');
    at = start;
    for (const { mark, text: line, unended } of hunk.lines) {
      const whole = unended ? line : `${line}\n`;
      if (mark !== '+') {
        if (lines[at] !== whole) throw new Error(`the hunk has ${whole} where the text has ${lines[at]}`);
        at += 1;
      }
      if (mark !== '-') result += whole;
    }
  }
  return result + lines.slice(at).join('');
}

describe('a patch', () => {
  it('holds what git compared: applied to one side it gives the other', () => {
    const repository = makeRepository({ files: null });
    const line = fc.constantFrom(
      '',
      'a',
      'b',
      '+x',
      '-y',
      ' z',
      '@@ -1 +1 @@',
      'diff --git a/f b/f',
      '\\ No newline',
      '--- a/f',
      'ä€😀',
      '\r',
      '\u2028',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
      .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        repository.write({ f: before });
        const from = treeOf(repository);
        repository.write({ f: after });
        const [file, ...more] = patchBetween(repository, from, treeOf(repository));
        expect(more).toEqual([]);
        expect(file && applied(before, file)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'plain.txt',
    'with space.txt',
    ' leading and trailing ',
    'tab\there',
    'new\nline',
    'quote"back\\slash',
    'ünï/cödé 😀.txt',
    'a b/c b/d',
    '"quoted"',
    'b/b/b',
    '-dash',
    '\u001b[31m',
  ])('names the file as it is: %j', (name) => {
    const repository = makeRepository({ files: null });
    const before = treeOf(repository);
    repository.write({ [name]: 'one\n' });
    const there = treeOf(repository);
    repository.write({ [name]: 'one\ntwo\n' });
    const changed = treeOf(repository);
    repository.setExecutable(name, true);
    const executable = treeOf(repository);
    repository.write({ [name]: null, [`moved/${name}`]: 'one\ntwo\n' });
    const moved = treeOf(repository);
    repository.write({ [`moved/${name}`]: Buffer.from([0, 1, 2]) });
    const binary = treeOf(repository);
    const step = (from: string, to: string): Partial<FilePatch>[] =>
      patchBetween(repository, from, to).map(({ path, from: old, status, binary: isBinary, newMode }) => ({
        path,
        from: old,
        status,
        binary: isBinary,
        newMode,
      }));
    const as = { path: name, from: null, status: 'modified', binary: false, newMode: '100644' };
    expect(step(before, there)).toEqual([{ ...as, status: 'added' }]);
    expect(step(there, changed)).toEqual([as]);
    expect(step(changed, executable)).toEqual([{ ...as, newMode: '100755' }]);
    expect(step(changed, moved)).toEqual([{ ...as, path: `moved/${name}`, from: name, newMode: null }]);
    expect(step(moved, binary)).toEqual([{ ...as, path: `moved/${name}`, binary: true }]);
    expect(step(there, before)).toEqual([{ ...as, status: 'deleted', newMode: null }]);
  });

  it('never throws, whatever it is given', () => {
    const piece = fc.constantFrom(
      'diff --git a/x b/x',
      'diff --git "a/x',
      '@@ -1,9 +1 @@',
      '@@ -1 +1,2 @@ f',
      '+',
      '-',
      ' ',
      '\\',
      'index 0..1',
      '--- "a',
      '+++ b/',
      'rename from',
      '@@',
      'GIT binary patch',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (lines) => {
        expect(() => parsePatch(Buffer.from(lines.join('\n')))).not.toThrow();
      }),
    );
  });
});
