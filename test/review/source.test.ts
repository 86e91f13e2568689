import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeLine, lineAt, lineOf, sourceOf } from '../../src/review/source.ts';
import { testsIn } from '../../src/review/tests.ts';

/** The code of a text, with a dot for each sign that was blanked out. */
function code(path: string, text: string): string {
  const source = sourceOf(path, text);
  return Array.from(text, (sign, at) => (source.code[at] === sign ? sign : '·')).join('');
}

describe('reading a source', () => {
  it.each([
    [`a = 'it\\'s' + "x" // note`, `a = '·····' + "·" ·· ····`],
    ['`a ${b + `c${d}`} e` + f', '`· ·{b + `··{d}`} ·` + f'],
    [`x = /["'/]/g.test(y) / 2`, 'x = ······g.test(y) / 2'.replace('······', '·······')],
    ['return /a[/]b/.exec(c)', 'return ·······.exec(c)'],
    ['a / b / c', 'a / b / c'],
    ['(a) / b; [1] / 2; x++ / 3', '(a) / b; [1] / 2; x++ / 3'],
    ['/* a\n" */ b = 1', '·· ·\n· ·· b = 1'],
    [`<p>Don't</p>\nb = 'c'`, `<p>Don'·····\nb = '·'`],
    ['#!/usr/bin/env node // x\na', '·············· ···· ·· ·\na'],
    ['`${{ a: 1 }}` + b', '`·{{ a: 1 }}` + b'],
  ])('of JavaScript: %j', (text, expected) => {
    expect(code('a.ts', text)).toBe(expected);
  });

  it.each([
    [`a = 'x' # "y"`, `a = '·' · ···`],
    [`"""a # b\n'c' """ + d`, `"··· · ·\n··· ··" + d`],
    [`r'\\' + e`, `r'·· · ·`],
    [`f"{a['b']}" # c`, `f"········" · ·`],
  ])('of Python: %j', (text, expected) => {
    expect(code('a.py', text)).toBe(expected);
  });

  it.each(['a.ts', 'a.py', 'a.go'])('keeps every place of %s, whatever is in it', (path) => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '${',
      '}',
      '{',
      '/',
      '//',
      '/*',
      '*/',
      '#',
      '\\',
      '\n',
      '"""',
      'a',
      ' ',
      '(',
      ')',
      '[',
      ']',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const text = pieces.join('');
        const source = sourceOf(path, text);
        expect(source.code).toHaveLength(text.length);
        expect(source.code.split('\n')).toHaveLength(text.split('\n').length);
        let end = 0;
        for (const span of [...source.comments, ...source.strings].sort((a, b) => a.start - b.start)) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
        expect(text.split('\n')).toEqual(source.starts.map((_, at) => lineOf(source, at + 1)));
        expect(source.starts.map((start) => lineAt(source, start))).toEqual(
          source.starts.map((_, at) => at + 1),
        );
        expect(codeLine(source, source.starts.length + 1)).toBe('');
        testsIn(source);
      }),
    );
  });

  it('takes no time that grows faster than the text', () => {
    for (const piece of ['`${', '/*', "it('a',", '((((', 'expect(', '"""', '@a(', 'assert (']) {
      const text = piece.repeat(20_000);
      for (const path of ['a.test.ts', 'test_a.py'])
        expect(testsIn(sourceOf(path, text)).length).toBeLessThan(20_001);
    }
  }, 60_000);
});

describe('the tests of a file', () => {
  it('are found in JavaScript by name, group, mark and assertion', () => {
    const text = `
describe.each([1, 2])('group %d', () => {
  it.skip("one \\"quoted\\"", async () => {
    await expect(load('a', { b: [1, 2] })).rejects.toThrow(/x, y/);
    // expect(nothing).toBe(1);
  });
  test.each\`a | b\`('two', ({ a }) => assert.deepStrictEqual(a, { c: 'd' }));
});
it<Context>('three', { timeout: 5, skip: onWindows }, (t) => { t.is(1, 1); });
/x/.test('not a test', 1); regex.test('nor this', 2);
`;
    const tests = testsIn(sourceOf('a.test.ts', text));
    expect(tests.map(({ name, modifiers, line }) => [name, modifiers, line])).toEqual([
      ['group %d', ['each'], 2],
      ['group %d > one \\"quoted\\"', ['skip'], 3],
      ['group %d > two', ['each'], 7],
      ['three', ['skip under a condition'], 9],
    ]);
    expect(tests.map(({ assertions }) => assertions)).toEqual([
      [],
      [
        expect.objectContaining({
          line: 4,
          subject: "load('a', {b: [1, 2]})",
          matcher: 'toThrow',
          args: ['/x, y/'],
        }),
      ],
      [expect.objectContaining({ line: 7, subject: 'a', matcher: 'deepStrictEqual', args: ["{c: 'd'}"] })],
      [expect.objectContaining({ line: 9, subject: '1', matcher: 'is', args: ['1'] })],
    ]);
  });

  it('are found in Python by name, class, decorator and assertion', () => {
    const text = `
class TestA(unittest.TestCase):
    @pytest.mark.skipif(
        sys.platform == "win32", reason="x"
    )
    def test_one(self):
        """assert nothing == 1"""
        self.assertEqual(
            f(1, "a"),
            2,
        )
        assert f(a == b) != 3, "why"

async def test_two():
    with pytest.raises(ValueError, match="m"):
        f()
    assert a and b == 1
    assert x not in y

def helper():
    assert False
`;
    const tests = testsIn(sourceOf('test_a.py', text));
    expect(tests.map(({ name, modifiers, line }) => [name, modifiers, line])).toEqual([
      ['TestA', [], 2],
      ['TestA > test_one', ['skipif'], 6],
      ['test_two', [], 14],
    ]);
    expect(
      tests.flatMap(({ assertions }) =>
        assertions.map(({ line, subject, matcher, args }) => [line, subject, matcher, args]),
      ),
    ).toEqual([
      [8, 'f(1, "a")', 'assertEqual', ['2']],
      [12, 'f(a == b)', 'assert !=', ['3, "why"']],
      [15, '', 'raises', ['ValueError', 'match="m"']],
      [17, 'a and b == 1', 'assert', []],
      [18, 'x', 'assert not in', ['y']],
    ]);
  });
});
