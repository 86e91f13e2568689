import { describe, expect, it } from 'vitest';
import { acceptFiles } from '../../src/answers/accept-files.ts';
import { parseFileOutput } from '../../src/answers/parse-file-output.ts';
import { getAllowedPaths } from '../../src/targets/sanitize-path.ts';

const allowed = getAllowedPaths(['claude', 'codex']);
const parse = (...lines: string[]) => parseFileOutput(lines.join('\n'), allowed);

/** What came of an answer, in short: the bodies that are written, and the kinds of problems with their lines. */
function outcome(...lines: string[]): { files: { [path: string]: string }; problems: string[] } {
  const { files, problems } = parse(...lines);
  return {
    files: Object.fromEntries(files.map(({ path, content }) => [path, content])),
    problems: problems.map(({ kind, line }) => (line === null ? kind : `${kind} ${line}`)),
  };
}

const A = '<file path="CLAUDE.md">';
const B = '<file path="AGENTS.md">';
const END = '</file>';

describe('an answer as it ought to be', () => {
  it('gives every byte between the tags', () => {
    const text = `Here you are.\r\n${A}\r\n# A\r\n\r\n${END}\r\nand\r\n${B}\n# B\n${END}\nDone.`;
    expect(parseFileOutput(text, allowed)).toEqual({
      files: [
        { path: 'CLAUDE.md', content: '# A\r\n\r\n' },
        { path: 'AGENTS.md', content: '# B\n' },
      ],
      rejected: [],
      problems: [],
      usedFallback: false,
      commentary: 'Here you are.\r\nand\r\nDone.',
    });
  });

  it('may begin with a byte order mark', () => {
    expect(outcome(`\uFEFF${A}`, 'text', END)).toEqual({ files: { 'CLAUDE.md': 'text\n' }, problems: [] });
  });

  it.each([
    '<file path="CLAUDE.md">',
    "<file path='CLAUDE.md'>",
    '   <file lang="md" path="CLAUDE.md" >',
    '<file path = "CLAUDE.md" x:y=\'>\'> ',
  ])('knows %j as an opener', (opener) => {
    expect(outcome(opener, 'text', END)).toEqual({ files: { 'CLAUDE.md': 'text\n' }, problems: [] });
  });

  it('says nothing about an answer of nothing', () => {
    expect(parse('', ' ')).toMatchObject({ files: [], problems: [] });
  });
});

describe('a file whose end is not certain', () => {
  it('is not written where its closer is missing; the next one is', () => {
    expect(outcome(A, 'cut', B, 'whole', END)).toEqual({
      files: { 'AGENTS.md': 'whole\n' },
      problems: ['unclosed 1'],
    });
    expect(outcome(A, 'whole', END, B, 'cut')).toEqual({
      files: { 'CLAUDE.md': 'whole\n' },
      problems: ['unclosed 4'],
    });
  });

  it('is not written where a second closer comes', () => {
    expect(outcome(A, 'prose with', END, 'in it', END, B, 'b', END)).toEqual({
      files: { 'AGENTS.md': 'b\n' },
      problems: ['ambiguous 1', 'stray-closer 5'],
    });
  });

  it('is not written where another closer comes after tags that it may show', () => {
    const { files } = outcome(A, 'text', END, '```', '<file path="example.md">', END, '```', END);
    expect(files).toEqual({});
  });

  it('does not take a closer within a line for one', () => {
    expect(outcome(A, `write ${END} last`, END).files).toEqual({ 'CLAUDE.md': `write ${END} last\n` });
  });

  it('ends at a closer of any indentation', () => {
    expect(outcome(A, 'a', '\t   </file>  ', B, 'b', END)).toEqual({
      files: { 'CLAUDE.md': 'a\n', 'AGENTS.md': 'b\n' },
      problems: [],
    });
  });

  it('holds no other file', () => {
    expect(outcome(A, 'a', B, 'b', END, 'more of a', END).files).toEqual({});
  });
});

describe('code fences', () => {
  it('hide tags that pair up, and closers', () => {
    const shown = ['````md', '<file path="x">', '```', 'x', '```', END, END, '````'];
    expect(outcome(A, ...shown, END)).toEqual({
      files: { 'CLAUDE.md': `${shown.join('\n')}\n` },
      problems: [],
    });
  });

  it.each(['~~~', '   ```', '- item\n  ~~~~', '```a b c'])('count at any place in the line: %j', (opener) => {
    const fence = /[`~]+/.exec(opener)?.[0] ?? '';
    expect(outcome(A, opener, END, `  ${fence}`, END).problems).toEqual([]);
  });

  it('hide nothing where they do not close', () => {
    expect(outcome(A, '```', 'a', END, B, 'b', END)).toEqual({
      files: { 'AGENTS.md': 'b\n' },
      problems: ['unclosed-fence 1'],
    });
  });

  it('hide nothing where they close in another file', () => {
    expect(outcome(A, '```js', 'a', END, B, '```', 'b', '```', END)).toEqual({
      files: { 'AGENTS.md': '```\nb\n```\n' },
      problems: ['unclosed-fence 1'],
    });
  });

  it('do not make one file of two that each stand in a fence', () => {
    expect(outcome('```', A, 'a', '```', '```md', B, '````md', END, '````', END, '```').files).toEqual({
      'AGENTS.md': '````md\n</file>\n````\n',
    });
  });

  it('are no fences with back-ticks behind them', () => {
    expect(outcome(A, '```code```', END).files).toEqual({ 'CLAUDE.md': '```code```\n' });
  });

  it('tell of the openers that they hide in a file that is not written', () => {
    const { problems } = parse('<file path="../x">', '```', B, END, '```', END);
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: 'hidden-opener', line: 3, path: 'AGENTS.md' }),
    );
  });

  it('around the whole answer are taken off', () => {
    expect(outcome('', '```xml', A, 'a', END, B, '```js', 'b', END, '```', '')).toEqual({
      files: { 'CLAUDE.md': 'a\n' },
      problems: ['unclosed-fence 6'],
    });
  });
});

describe('what is almost an opener', () => {
  it.each([
    '<file path=AGENTS.md>',
    '<file>',
    '<files>',
    '<file path="AGENTS.md"/>',
    '<file path="AGENTS.md"> text',
    '<file path="AGENTS.md" path="CLAUDE.md">',
    '<file name="AGENTS.md">',
    '<FILE path="AGENTS.md">',
    '     <file path="AGENTS.md">',
    '\t<file path="AGENTS.md">',
    '\uFEFF<file path="AGENTS.md">',
    `<file path="${'x'.repeat(10_000)}">`,
  ])('is said, ends the file before, and begins none: %#', (line) => {
    expect(outcome(A, 'a', line, 'b', END, B, 'b', END)).toEqual({
      files: { 'AGENTS.md': 'b\n' },
      problems: ['unclosed 1', 'malformed-opener 3', 'stray-closer 5'],
    });
  });

  it('does not make an opener of what it shows', () => {
    expect(outcome('<file path=CLAUDE.md>', '```', B, 'shown', END, '```')).toEqual({
      files: {},
      problems: ['malformed-opener 1', 'hidden-opener 3', 'no-file'],
    });
  });
});

describe('files that are whole, and not written', () => {
  it('names those with a path that is refused', () => {
    expect(parse('<file path="../x">', 'x', END, A, 'a', END)).toMatchObject({
      files: [{ path: 'CLAUDE.md' }],
      rejected: [{ path: '../x', reason: 'it leaves its folder by ".."' }],
      problems: [],
    });
  });

  it('takes none of two for one path, in any case and any way to write it', () => {
    expect(
      outcome(
        '<file path=".claude/skills/x/SKILL.md">',
        'a',
        END,
        '<file path="./.claude/skills/x/skill.md">',
        'b',
        END,
        B,
        'b',
        END,
      ),
    ).toEqual({
      files: { 'AGENTS.md': 'b\n' },
      problems: ['duplicate-path 1', 'duplicate-path 4'],
    });
    expect(outcome(A, 'cut', A, 'again', END).problems).toEqual([
      'unclosed 1',
      'duplicate-path 3',
      'no-file',
    ]);
  });

  it('leaves out what has no text', () => {
    expect(outcome(A, ' ', '', END, B, END).problems).toEqual(['empty-body 1', 'empty-body 5', 'no-file']);
  });

  it('is a problem where there is text, and no file', () => {
    expect(outcome('I could not do it.').problems).toEqual(['no-file']);
  });
});

describe('the fallback', () => {
  it('reads markers where there is not one opener', () => {
    expect(parse('Here:', '<!-- file: CLAUDE.md -->', 'a', '<!--file:AGENTS.md-->', 'b')).toEqual({
      files: [
        { path: 'CLAUDE.md', content: 'a\n' },
        { path: 'AGENTS.md', content: 'b' },
      ],
      rejected: [],
      problems: [],
      usedFallback: true,
      commentary: 'Here:\n',
    });
  });

  it('leaves markers alone where there is one', () => {
    expect(outcome(A, '<!-- file: AGENTS.md -->', END).files).toEqual({
      'CLAUDE.md': '<!-- file: AGENTS.md -->\n',
    });
  });

  it('takes the fence off that the whole answer stands in', () => {
    expect(outcome('```', '<!-- file: CLAUDE.md -->', 'a', '```').files).toEqual({ 'CLAUDE.md': 'a\n' });
  });

  it('writes no file that ends within a fence, or has a closer', () => {
    expect(outcome('<!-- file: CLAUDE.md -->', '```', '<!-- file: AGENTS.md -->', 'b', '```')).toEqual({
      files: {},
      problems: ['unclosed-fence 1', 'unclosed-fence 3', 'no-file'],
    });
    expect(outcome('<!-- file: CLAUDE.md -->', 'a', END).problems).toEqual([
      'ambiguous 1',
      'stray-closer 3',
      'no-file',
    ]);
  });
});

describe('files that came as data', () => {
  it('follow the same rules', () => {
    const files = [
      { path: 'CLAUDE.md', content: 'a' },
      { path: '/etc/passwd', content: 'a' },
      { path: 'AGENTS.md', content: ' \n' },
      { path: 'x/CLAUDE.md', content: 'a' },
      { path: 'x/./CLAUDE.md', content: 'b' },
    ];
    const output = acceptFiles(files, allowed);
    expect(output.files).toEqual([{ path: 'CLAUDE.md', content: 'a' }]);
    expect(output.rejected).toEqual([{ path: '/etc/passwd', reason: 'it is absolute' }]);
    expect(output.problems.map(({ kind }) => kind)).toEqual([
      'empty-body',
      'duplicate-path',
      'duplicate-path',
    ]);
    expect(acceptFiles([], allowed).problems.map(({ kind }) => kind)).toEqual(['no-file']);
  });
});

describe('an answer of megabytes', () => {
  // Each of these took a plain reader a time that grows with the square of its length.
  it.each([
    ['fences that do not close', '<file path="CLAUDE.md">\n```x\n'.repeat(40_000)],
    ['fences that one line closes', `${'<file path="CLAUDE.md">\n```x\n</file>\n'.repeat(30_000)}\`\`\`\n`],
    ['attributes without an end', `<file ${'a="" '.repeat(200_000)}`],
    ['white space', `${' '.repeat(1_000_000)}<file path="x">`],
    [
      'hidden tags',
      `<file path="../x">\n\`\`\`\n${'<file path="a">\n</file>\n'.repeat(40_000)}\`\`\`\n</file>\n`,
    ],
  ])('is read in one go: %s', { timeout: 60_000 }, (_, text) => {
    expect(parseFileOutput(text, allowed).files).toEqual([]);
  });
});
