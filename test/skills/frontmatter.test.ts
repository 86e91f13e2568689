import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  quoteFrontmatter,
  removeFrontmatterKey,
  setFrontmatterKey,
} from '../../src/skills/frontmatter-edit.ts';
import { readFrontmatter, splitFrontmatter } from '../../src/skills/frontmatter.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) };

function fieldsOf(content: string) {
  const read = readFrontmatter(content);
  if (!read) throw new Error('no frontmatter');
  expect(read.problems).toEqual([]);
  return read.fields;
}

function problemOf(yaml: string): string {
  const read = readFrontmatter(`---\n${yaml}\n---\nbody\n`);
  expect([...(read?.fields ?? [])]).toEqual([]);
  return read?.problems.join() ?? 'none';
}

describe('splitting', () => {
  test('keeps every byte', () => {
    const line = fc.constantFrom(
      '---',
      '--- ',
      '----',
      ' ---',
      'a: b',
      '',
      '\uFEFF',
      '---\r',
      '\u2028---',
      '...',
      'x',
    );
    const text = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '')), { maxLength: 8 });
    fc.assert(
      fc.property(text, (lines) => {
        const content = lines.flat().join('');
        const parts = splitFrontmatter(content);
        expect(parts !== null).toBe(/^\uFEFF?---[ \t]*\r?(?:\n|$)/.test(content));
        const whole = parts ? parts.bom + parts.open + parts.yaml + parts.close + parts.body : content;
        expect(whole).toBe(content);
      }),
      RUNS,
    );
  });

  test.each([
    ['---\na: 1\n---\nbody\n', 'a: 1\n', 'body\n'],
    ['\uFEFF---\r\na: 1\r\n---\r\nbody\r\n', 'a: 1\r\n', 'body\r\n'],
    ['---\n---\n', '', ''],
    ['---\na: 1\n---', 'a: 1\n', ''],
    ['---  \na: 1\n---\t\n\n---\n', 'a: 1\n', '\n---\n'],
    ['---\na: "x\n ---"\n---\nb', 'a: "x\n ---"\n', 'b'],
  ])('takes %j apart', (content, yaml, body) => {
    expect(splitFrontmatter(content)).toMatchObject({ yaml, body });
  });

  test.each(['', '\n---\na: 1\n---\n', '# Title\n', '----\na: 1\n----\n', ' ---\n---\n'])(
    'finds none in %j',
    (content) => {
      expect(readFrontmatter(content)).toBeNull();
    },
  );

  test('says that it is not closed', () => {
    expect(readFrontmatter('---\na: 1\n')?.problems).toEqual([expect.stringContaining('not closed')]);
  });
});

describe('reading', () => {
  test('gives values by key, maps as Maps', () => {
    const fields = fieldsOf('---\nname: x\nmetadata:\n  a: "1"\n  list: [p, q]\nn: 7\n---\n');
    expect([...fields]).toEqual([
      ['name', 'x'],
      [
        'metadata',
        new Map<string, unknown>([
          ['a', '1'],
          ['list', ['p', 'q']],
        ]),
      ],
      ['n', 7],
    ]);
  });

  test('has nothing of the prototype in its way', () => {
    const fields = fieldsOf('---\n__proto__: {polluted: yes}\nconstructor: c\n<<: {merged: 1}\n---\n');
    expect([...fields.keys()]).toEqual(['__proto__', 'constructor', '<<']);
    expect(fields.get('merged')).toBeUndefined();
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each([
    ['a: &x 1\nb: *x', 'alias *x'],
    ['a: !!binary aGk=', 'tag'],
    ['a: !!set {x}', 'tag'],
    ['a:\n  - !!js/function x', 'not plain YAML'],
    ['a: 1\na: 2', 'twice'],
    ['__proto__: 1\n__proto__: 2', 'twice'],
    ['- a\n- b', 'no list of'],
    ['just words', 'no list of'],
    ['? [a]\n: 1', 'not YAML'],
    ['%YAML 1.1\n--- {a: 1}', 'directives'],
    ['a: 1\n...\nb: 2', 'directives'],
    ['a: "x', 'not YAML'],
    ['a:\n\tb: 1', 'not YAML'],
    ['a: \u0000x', 'control'],
    [`a: ${'x'.repeat(65_536)}`, 'larger than 64 KiB'],
    ['['.repeat(60_000), 'nested'],
    [`a: ${'{b: '.repeat(3000)}`, 'nested'],
    ['- '.repeat(30_000), 'nested'],
    ['? '.repeat(30_000), 'nested'],
    [`a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: [*a, *a, *a]`).join('\n')}`, 'alias'],
  ])('refuses %#', (yaml, why) => {
    expect(problemOf(yaml)).toContain(why);
  });

  test('takes any text, and answers', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&x ',
      '*x',
      '!t ',
      '|',
      '>',
      '#',
      '%',
      '@',
      '\t',
      '?',
      '<<',
      '---',
      '...',
      '\r',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const read = readFrontmatter(`---\n${pieces.join('')}\n---\nbody`);
        expect(read).not.toBeNull();
      }),
      RUNS,
    );
  });
});

describe('values that need quotes', () => {
  test.each([
    ['description: Use when: a, b', 'Use when: a, b'],
    ['description: *bold* and more', '*bold* and more'],
    ['description: @mention first', '@mention first'],
    ['description: [draft] of it', '[draft] of it'],
    ['description: %d of `x`: y', '%d of `x`: y'],
    ['description: C:\\dir "quoted": x\r', 'C:\\dir "quoted": x'],
  ])('%j is read as it is meant, with a warning', (line, value) => {
    const read = readFrontmatter(`---\nname: x\n${line}\n---\nbody\n`);
    expect(read).toMatchObject({ problems: [], warnings: ['needs quotes: description'] });
    expect(read?.fields.get('description')).toBe(value);
    const mended = quoteFrontmatter(`---\nname: x\n${line}\n---\nbody\n`);
    expect(readFrontmatter(mended)).toMatchObject({ warnings: [], fields: read?.fields });
    expect(mended.endsWith('\n---\nbody\n')).toBe(true);
  });

  test('on more than one line, they are refused', () => {
    expect(problemOf('description: Use when: a,\n  b')).toContain('not YAML');
  });

  test('good frontmatter is left as it is', () => {
    const content = "---\nname: 'x'   # yes\n---\nbody\n";
    expect(quoteFrontmatter(content)).toBe(content);
  });
});

describe('writing', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const head = fc.constantFrom(
    '',
    'no frontmatter here\n',
    '---\n---\nbody\n',
    '\uFEFF---\r\nname: x # why\r\n---\r\nbody\r\n',
    '---\nkey: |\n  old\n  text\nname: y\n---\n',
    '---\nkey:\n  - 1\n  - 2\n# about name\nname: y\n---\n',
    '---\nkey:\nname: y\n---\n',
    '---\ndescription: Use when: a, b\nkey: >-\n  folded\n---\n',
    '---\nmetadata:\n  a: "1"\n---\n',
    '---\nmetadata: {a: b}\nkey: {x: 1}\n---\n',
    '---\nmetadata: {}\n---\n',
    '---\nmetadata: # none yet\nname: y\n---\n',
    '---\nmetadata:\n    # indented\n    triggers: |\n      {}\n    z: 1\nlast: 1\n---\n',
    '---\n{name: x, key: 1}\n---\n',
    '---\n"key": old\n---\n',
  );
  const key = fc.constantFrom(['key'], ['metadata', 'triggers'], ['__proto__'], [
    'metadata',
    '__proto__',
  ] as const);

  test('then reading gives the same, and all else stays', () => {
    fc.assert(
      fc.property(head, key, text, (content, [name = '', below], value) => {
        const before = readFrontmatter(content);
        const after = setFrontmatterKey(content, below === undefined ? [name] : [name, below], value);
        const read = readFrontmatter(after);
        expect(read).toMatchObject({ problems: [], warnings: [] });
        const set = read?.fields.get(name);
        expect(below === undefined ? set : set instanceof Map && set.get(below)).toBe(value);
        expect(read?.body).toBe(before ? before.body : content.replace(/^\uFEFF/, ''));
        const others = (fields?: ReadonlyMap<string, unknown>) =>
          [...(fields ?? [])].filter(([other]) => other !== name);
        expect(others(read?.fields)).toEqual(others(before?.fields));
        expect(after.startsWith('\uFEFF')).toBe(content.startsWith('\uFEFF'));
        expect(content.includes('\r\n') && /[^\r]\n/.test(after)).toBe(false);
      }),
      RUNS,
    );
  });

  test('touches one line', () => {
    const content = "---\nname:   'x'   # kept\nkey: old # also kept\n\nlist: [ 1,2 ]\n---\nbody\n";
    expect(setFrontmatterKey(content, ['key'], 'new: "it"')).toBe(content.replace('old', '"new: \\"it\\""'));
    expect(setFrontmatterKey(content, ['metadata', 'a'], 'b')).toBe(
      content.replace('2 ]\n', '2 ]\nmetadata:\n  a: "b"\n'),
    );
  });

  test('takes a key away', () => {
    const content = '---\nname: x\ntriggers:\n  files:\n    - a\n# about z\nz: 1\n---\nbody\n';
    expect(removeFrontmatterKey(content, 'triggers')).toBe('---\nname: x\n# about z\nz: 1\n---\nbody\n');
    expect(removeFrontmatterKey(content, 'z')).toBe(content.replace('z: 1\n', ''));
    expect(removeFrontmatterKey(content, 'none')).toBe(content);
    expect(removeFrontmatterKey('text\n', 'none')).toBe('text\n');
  });

  test.each([
    ['---\nname: x\n', 'not closed'],
    ['---\na: 1\na: 2\n---\n', 'twice'],
    ['---\nmetadata: words\n---\n', 'no mapping'],
    ['---\nmetadata: [1]\n---\n', 'no mapping'],
  ])('refuses %j', (content, why) => {
    expect(() => setFrontmatterKey(content, ['metadata', 'a'], 'b')).toThrow(why);
  });

  test('refuses a key that would need quotes', () => {
    expect(() => setFrontmatterKey('', ['a: b'], 'x')).toThrow('"a: b"');
  });
});
