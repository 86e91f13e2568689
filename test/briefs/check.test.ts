import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GOOD, PLACE, rulesOf } from './place.ts';

describe('a brief', () => {
  it('that has all it needs lacks nothing', () => {
    expect(rulesOf(GOOD)).toEqual([]);
    expect(rulesOf(GOOD.replaceAll('\n', '\r\n'))).toEqual([]);
  });

  it('in plain sentences is as good', () => {
    expect(
      rulesOf('Fix src/math.js, and leave all other files alone.\nRun `npm test`. Never commit.\n'),
    ).toEqual([]);
  });

  it.each(['', ' \n\t\n'])('that is blank is an error: %j', (text) => {
    expect(rulesOf(text)).toEqual(['error - blank']);
  });

  it('that is too large is an error', () => {
    expect(rulesOf(GOOD, { bytes: 10_000_001 })).toEqual(['error - too-large']);
    expect(rulesOf(GOOD, { bytes: 10_000_000 })).toEqual([]);
  });

  it.each(['[fill in: the paths]', '[fill in', 'TODO: which?', 'TBD'])(
    'with a gap is an error: %s',
    (gap) => {
      expect(rulesOf(GOOD.replace('Make it', `${gap} Make it`))).toEqual(['error 2 not-filled-in']);
    },
  );

  it('that speaks of TODO in the code has no gap', () => {
    expect(rulesOf(GOOD.replace('Make it', 'Replace each `TODO: x`. Make it'))).toEqual([]);
    expect(rulesOf(GOOD.replace('Make it', 'Leave no TODO. Make it'))).toEqual([]);
  });
});

describe('gates', () => {
  it.each(['Run the tests.', 'Run `the tests`.', ''])('are missing in %j', (line) => {
    expect(rulesOf(GOOD.replace('- `npm test`', line))).toEqual(['error 7 no-gates']);
  });

  it.each([
    '- `pytest -q`',
    '```sh\nnpm run lint\n```',
    'run `./run.sh all`',
    '```\n$ node --test\n```',
    '`make`',
  ])('are named by %j', (line) => {
    expect(rulesOf(GOOD.replace('- `npm test`', line))).toEqual([]);
  });

  it.each(['`node-version: [20]`', '```\nnode:internal/timers.js:12\n```', '`make:`'])(
    'are not what only begins like one: %s',
    (text) => {
      expect(rulesOf(GOOD.replace('- `npm test`', text))).toEqual(['error 7 no-gates']);
    },
  );

  it('are not asked for where nothing may be written', () => {
    const question = 'Where does src/math.js add? Answer with file and line.';
    expect(rulesOf(question)).toEqual(['error - no-gates', 'error - no-scope', 'error - no-commit-policy']);
    expect(rulesOf(question, { readOnly: true })).toEqual([]);
  });

  it.each(['npm run nope', 'yarn run nope', 'npm stop', 'make nope', './nope.sh', 'cargo test', 'npx'])(
    'that cannot be run here are an error: %s',
    (command) => {
      expect(rulesOf(GOOD.replace('npm test', command))).toEqual(['error 8 missing-command']);
    },
  );

  it.each([
    'npm ci',
    'npm run lint -- --fix',
    'npm t',
    'yarn eslint .',
    'make all',
    'make -j4',
    'npm -w pkg run x',
  ])('that can be run, or of which it cannot be told, are none: %s', (command) => {
    expect(
      rulesOf(GOOD.replace('`npm test`', `\`npm test\` and \`${command}\``), {
        place: { ...PLACE, hasProgram: () => true },
      }),
    ).toEqual([]);
  });
});

describe('bounds', () => {
  it('that are missing are errors, with the block where they belong', () => {
    expect(rulesOf(GOOD.replace('Only `src/math.js` may change.', 'Keep to the style.'))).toEqual([
      'error 4 no-scope',
    ]);
    expect(rulesOf(GOOD.replace('Do not commit, stage, stash or push.', 'Be careful.'))).toEqual([
      'error 10 no-commit-policy',
    ]);
  });

  it('may be declared by a flag', () => {
    expect(rulesOf(GOOD.replace('Only `src/math.js` may change.', ''), { touch: ['src/**'] })).toEqual([]);
  });

  it.each([
    'No commits.',
    "Don't stage or commit.",
    'Leave the work uncommitted.',
    'Commits are made by me.',
  ])('say who commits: %s', (line) => {
    expect(rulesOf(GOOD.replace('Do not commit, stage, stash or push.', line))).toEqual([]);
  });

  it('are not met by what a fence quotes', () => {
    expect(rulesOf(GOOD.replace('Do not commit, stage, stash or push.', '```\nDo not commit.\n```'))).toEqual(
      ['error 10 no-commit-policy'],
    );
  });
});

describe('tasks', () => {
  it.each([
    'Additionally, mend add.',
    'While you are at it, rename it.',
    '\n## Task 1\n## Task 2',
    '\n1. Task 1: a\n2. **Task 2**: b',
  ])('are several: %s', (line) => {
    expect(rulesOf(GOOD.replace('Make it subtract.', line))).toEqual([
      expect.stringMatching(/^warning \d several-tasks$/),
    ]);
  });

  it('are two where there are two blocks', () => {
    expect(rulesOf(`${GOOD}<task>\nMore.\n</task>\n`)).toEqual(['warning 13 several-tasks']);
  });

  it.each(['Add to it in addition to the old one.', 'Leave unrelated code alone.', 'Test both separately.'])(
    'are one: %s',
    (line) => {
      expect(rulesOf(GOOD.replace('Make it subtract.', line))).toEqual([]);
    },
  );

  it('are one though a rule of the repository says "additionally"', () => {
    expect(rulesOf(GOOD.replace('may change.', 'may change. Additionally, keep the style.'))).toEqual([]);
  });
});

describe('paths', () => {
  it('that are mere names may be examples', () => {
    expect(rulesOf(GOOD.replace('Make it', 'Look at `gone.ts` first. Make it'))).toEqual([
      'warning 2 missing-path',
    ]);
  });

  it.each([
    'A component is in `src/toggle.tsx` (new).',
    'See `src/gone.js` if present, or src/gone2.js if it exists.',
    'Tests go to `src/math.test.js`.',
    'Put the handler in src/health.js.',
    'Replace it by a helper in src/duration.js.',
    'The file src/math.js becomes src/sum.js.',
    'Do not edit `src/generated/`.',
    'Create these files:\n\n- `src/a.js`\n- src/b.js',
    '## New files\n\n- `src/a.js`: one',
    'It runs on `Node.js` and `Vue.js`.',
    'Names are `foo.test.ts`-style.',
  ])('that need not be there are none: %s', (text) => {
    expect(rulesOf(`${GOOD}${text}\n`)).toEqual([]);
  });

  it('below a list that ended are looked for', () => {
    expect(rulesOf(`${GOOD}Create these:\n- \`src/a.js\`\nThen see src/b.js.\n`)).toEqual([
      'error 15 missing-path',
    ]);
  });

  // A line of these took minutes.
  it.each([
    ['dots', `a${'!'.repeat(500_000)}b`],
    ['paths', Array.from({ length: 20_000 }, (_, at) => `src/${at}.js`).join(' ')],
  ])('are found in no time: %s', (_, text) => {
    expect(rulesOf(`${GOOD}Only these:\n${text}\n`, { place: { ...PLACE, hasPath: () => true } })).toEqual(
      [],
    );
  });

  it.each([
    'src/gone.js',
    '`src/gone`',
    '`gone.ts:12`',
    'see lib/gone.ts:12.',
    '(./docs/gone.md)',
    '`other/**/x.ts`',
  ])('that are not there are errors: %s', (text) => {
    expect(rulesOf(GOOD.replace('Make it', `Look at ${text} first. Make it`))).toEqual([
      'error 2 missing-path',
    ]);
  });

  it.each([
    '`src/`',
    'src/math.js:3',
    '`only.ts`',
    '`src/**/*.ts`',
    'https://example.invalid/a/b.js',
    'and/or',
    '`origin/main`',
    '`text/plain`',
    '`@scope/pkg`',
    '`math.max`',
    'Node.js',
    'v1.2.md3',
    '\n```\nat src/gone.js:3\n```',
  ])('that are there, or no paths at all, are none: %s', (text) => {
    expect(rulesOf(GOOD.replace('Make it', `Look at ${text}\nMake it`))).toEqual([]);
  });

  it.each([
    'Write the new file src/gone.js.',
    'Add `src/gone.ts`, with its tests.',
    'Rename it to src/gone.js',
  ])('that are to be made need not be there: %s', (text) => {
    expect(rulesOf(GOOD.replace('Make it subtract.', text))).toEqual([]);
  });

  it('are told once', () => {
    expect(
      rulesOf(GOOD.replace('Make it', 'src/gone.js and src/gone.js\nsrc/gone.js\nMake it')),
    ).toHaveLength(1);
  });
});

describe('rules of the repository', () => {
  const rules = [{ text: 'Never edit files in generated/ by hand.', file: 'AGENTS.md', line: 4 }];

  it('that are left out are a warning', () => {
    expect(rulesOf(GOOD, { rules })).toEqual(['warning - constraint-left-out']);
  });

  it('are repeated in other words', () => {
    const text = GOOD.replace('may change.', 'may change. Files in generated/ are not to be edited by hand.');
    expect(rulesOf(text, { rules })).toEqual([]);
  });
});

describe('any text', () => {
  it('is checked without an error, and every line that is named is there', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<task>',
        '</task>',
        '```',
        '~~~',
        '`npm test`',
        '[fill in',
        'src/',
        '`a/b.js`',
        'TODO:',
        'make x',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(' ', '\n'), (pieces, between) => {
        const text = pieces.join(between);
        const lines = rulesOf(text).map((finding) => Number(finding.split(' ')[1]?.replace('-', '1')));
        expect(Math.max(1, ...lines)).toBeLessThanOrEqual(text.split(/\r?\n/).length);
      }),
    );
  });
});
