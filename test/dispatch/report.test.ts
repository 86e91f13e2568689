import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../src/dispatch/report.ts';

const REPORT = `I am done. Some words first.

## Changed
The sign of subtract was wrong.

It adds no more.

## Files
- \`math.js\`: subtracts
- math.test.js - a test for it
- docs/a b.md

## Gates
- \`npm test\`: passed
- \`npm run lint\`: failed, 2 problems
- \`npm run e2e\`: not run, it needs the network
- \`make\`

## Deviations
- I left \`old.js\` alone:
  another module reads it

## Questions
none
`;

describe('the report of an implementer', () => {
  it('is read part by part', () => {
    expect(readReport(REPORT)).toEqual({
      changed: 'The sign of subtract was wrong.\n\nIt adds no more.',
      files: [
        { path: 'math.js', note: 'subtracts' },
        { path: 'math.test.js', note: 'a test for it' },
        { path: 'docs/a', note: 'b.md' },
      ],
      gates: [
        { command: 'npm test', outcome: 'passed', note: 'passed' },
        { command: 'npm run lint', outcome: 'failed', note: 'failed, 2 problems' },
        { command: 'npm run e2e', outcome: 'not-run', note: 'not run, it needs the network' },
        { command: 'make', outcome: 'unclear', note: '' },
      ],
      deviations: ['I left `old.js` alone: another module reads it'],
      questions: [],
    });
  });

  it('is the same with CRLF, other levels, bold headings, numbers and other names', () => {
    const other = REPORT.replace('## Changed', '# **What changed and why**')
      .replace('## Files', '**Files changed:**')
      .replace('## Gates', '### Gate results:')
      .replace('## Questions', '## Open questions ##')
      .replaceAll('\n- ', '\n1. ')
      .replaceAll('\n', '\r\n');
    expect(readReport(other)).toEqual(readReport(REPORT));
  });

  it('is read from labels in bold with their text behind them', () => {
    const text = [
      '**What changed and why:** The sign was wrong.',
      'It adds no more.',
      '**Note:** this is no part.',
      '**Files**: `a.js`, `b.js`',
      '__Gates:__',
      '- **Questions:** inside an item, no label',
      '**Deviations and questions:** Is it right?',
      '',
      '**Questions** were none here.',
    ].join('\n');
    expect(readReport(text)).toMatchObject({
      changed: 'The sign was wrong.\nIt adds no more.\n**Note:** this is no part.',
      files: [{ path: 'a.js' }, { path: 'b.js' }],
      gates: [{ command: 'Questions' }],
      deviations: ['**Questions** were none here.'],
      questions: ['Is it right?'],
    });
    expect(readReport('**Deviations:** none\n**Questions:** None.')).toMatchObject({
      deviations: [],
      questions: [],
    });
  });

  it('knows what is not there from what is empty', () => {
    expect(readReport('## Files\n\n## Gates\nNone.\n')).toEqual({
      changed: null,
      files: [],
      gates: [],
      deviations: null,
      questions: null,
    });
  });

  it('tells deviations and questions under one heading apart', () => {
    const text = '## Files\n- a\n## Deviations and questions\n- I renamed `b`.\n- Is `c` still used?\n';
    expect(readReport(text)).toMatchObject({
      deviations: ['I renamed `b`.'],
      questions: ['Is `c` still used?'],
    });
  });

  it('takes the last of two, and no heading out of a fence', () => {
    const text = `${REPORT}\n## Files\n- last.js\n\n\`\`\`\n## Questions\n- quoted?\n\`\`\`\n`;
    expect(readReport(text)).toMatchObject({ questions: [] });
    expect(readReport(text)?.files?.[0]).toEqual({ path: 'last.js', note: '' });
  });

  it.each([
    '',
    'Done.',
    '## Summary\nI fixed it.\n',
    '```\n## Files\n- a\n## Gates\n- b\n```',
    '# Files are\n# Gates of',
  ])('is not there in %j', (text) => {
    expect(readReport(text)).toBeNull();
  });

  it.each([
    ['passed', 'passed'],
    ['PASS (12 tests)', 'passed'],
    ['✅', 'passed'],
    ['exit 0', 'passed'],
    ['12 passed, 0 failed', 'passed'],
    ['no errors, clean', 'passed'],
    ['did not pass', 'failed'],
    ['not passing', 'failed'],
    ['1 failed, 11 passed', 'failed'],
    ['exited with code 1', 'failed'],
    ['❌', 'failed'],
    ['skipped', 'not-run'],
    ['could not be run: no network', 'not-run'],
    ['was not run', 'not-run'],
    ['see above', 'unclear'],
  ])('says of a gate with %j: %s', (note, outcome) => {
    expect(readReport(`## Files\n- a\n## Gates\n- \`t\`: ${note}\n`)?.gates).toEqual([
      { command: 't', outcome, note },
    ]);
  });

  it.each([
    ['- src/a.ts, `src/b.ts`: both', ['src/a.ts', 'src/b.ts']],
    ['- Added `src/x.ts`', ['src/x.ts']],
    ['- [src/c.ts](src/c.ts:12): y', ['src/c.ts']],
    ['- Makefile: a target', ['Makefile']],
    ['| file | what |\n|---|:--|\n| `a.ts` | x |\n| b.ts |', ['a.ts', 'b.ts']],
    ['| no | table |\n- a.ts', ['a.ts']],
  ])('names files as people write them: %j', (lines, paths) => {
    expect(readReport(`## Gates\n- t: x\n## Files\n${lines}\n`)?.files?.map(({ path }) => path)).toEqual(
      paths,
    );
  });

  it.each([
    ['I ran `npm test`: 12 passed, 0 failed.', 'npm test', 'passed'],
    ['- npm run lint -> clean', 'npm run lint', 'passed'],
    ['| gate | outcome |\n|---|---|\n| `npm test` | ✅ passed |', 'npm test', 'passed'],
  ])('names gates as people write them: %j', (lines, command, outcome) => {
    expect(readReport(`## Files\n- a\n## Gates\n${lines}\n`)?.gates).toEqual([
      expect.objectContaining({ command, outcome }),
    ]);
  });

  it.each([
    ['None. The brief was followed.', []],
    ['None. But I left b.ts out.', ['None. But I left b.ts out.']],
    ['None. Is that right?', ['None. Is that right?']],
  ])('has no deviations where it says so: %j', (line, deviations) => {
    expect(readReport(`## Files\n- a\n## Deviations\n- ${line}\n`)?.deviations).toEqual(deviations);
  });

  // Each of these took a pattern from seconds to many minutes, at the end of a run.
  it.each([
    ['a heading of spaces', `# a${' '.repeat(65_000)}x`],
    ['a heading of signs', `# a${' #'.repeat(32_000)}x`],
    ['a gate of spaces', `## Gates\n- a${' '.repeat(65_000)}b`],
    ['a gate of backquotes', `## Gates\n- ${'`'.repeat(65_000)}`],
    ['a file of commas', `## Files\n- ${'a, '.repeat(20_000)}`],
  ])('is read in no time from a hostile text: %s', (_, text) => {
    expect(readReport(text)).toBeNull();
  });

  it('is read from any text without an error, and only from its end', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '## Files',
        '**Gates**',
        '- `a`: passed',
        '- ',
        '```',
        '~~~',
        '',
        '1. x',
        '  more',
        '## Deviations and questions',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const report = readReport(lines.join('\n'));
        const text = lines.join(' ').replace(/\s+/g, ' ');
        for (const { path } of report?.files ?? []) expect(text).toContain(path);
      }),
    );
    expect(readReport(`## Files\n- a\n## Gates\n- b\n${'x\n'.repeat(40_000)}`)).toBeNull();
  });
});
