import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expand, isPlainName, type Vars } from '../../src/prompts/expand.ts';

function fill(template: string, vars: Vars = {}, partials: Vars = {}): string {
  return expand(template, 'the prompt', vars, (name) =>
    Object.hasOwn(partials, name) ? (partials[name] ?? null) : null,
  );
}

describe('one pass', () => {
  test('puts values and partials where they are named', () => {
    expect(fill('{{a}} and {{b}}, {{a}}', { a: '1', b: '2' })).toBe('1 and 2, 1');
    expect(fill('[{{p}}]', { x: '1' }, { p: 'p{{q}}', q: 'q{{x}}' })).toBe('[pq1]');
  });

  test('prefers the partial', () => {
    expect(fill('{{a}}', { a: 'value' }, { a: 'partial' })).toBe('partial');
  });

  test.each([
    ['\\{{a}}', '{{a}}'],
    ['\\{{', '{{'],
    ['{{{a}}}', '{1}'],
    ['{{ a }} {{}} {a} }} {{', '{{ a }} {{}} {a} }} {{'],
    ['${{ secrets.KEY }}', '${{ secrets.KEY }}'],
    ['{{a}}{{a}}', '11'],
  ])('%j becomes %j', (template, filled) => {
    expect(fill(template, { a: '1' })).toBe(filled);
  });

  test('a brace that is literal in a partial is literal', () => {
    expect(fill('{{p}}', { a: '1' }, { p: '\\{{a}}{{a}}' })).toBe('{{a}}1');
  });

  test('never looks at a value again, whatever is in it', () => {
    const nasty = fc.array(
      fc.constantFrom(
        '$&',
        '$1',
        "$'",
        '$$',
        '{{a}}',
        '{{b}}',
        '{{p}}',
        '\\{{',
        '{{',
        '}}',
        '\\',
        '\n',
        'x',
        '{{../a}}',
      ),
    );
    const value = nasty.map((parts) => parts.join(''));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(fill('<{{a}}|{{b}}|{{p}}>', { a, b }, { p: 'p{{b}}{{a}}' })).toBe(`<${a}|${b}|p${b}${a}>`);
      }),
    );
  });

  test('gives the same whatever the order of the values', () => {
    const vars = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.string()), {
      selector: ([name]) => name,
      minLength: 1,
    });
    fc.assert(
      fc.property(vars, (entries) => {
        const template = entries.map(([name]) => `{{${name}}}`).join('-');
        const there = fill(template, Object.fromEntries(entries));
        expect(there).toBe(entries.map(([, text]) => text).join('-'));
        expect(fill(template, Object.fromEntries(entries.toReversed()))).toBe(there);
      }),
    );
  });

  test('leaves a text without marks as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(fill(text)).toBe(text);
      }),
    );
  });
});

describe('an error names what is wrong', () => {
  test('a variable that is missing, also one that every object has', () => {
    expect(() => fill('{{a}}')).toThrow('the prompt: {{a}} has no value');
    expect(() => fill('{{constructor}}{{toString}}')).toThrow('{{constructor}}');
    expect(() => fill('{{__proto__}}')).toThrow('{{__proto__}}');
    expect(() => fill('{{p}}', {}, { p: '{{a}}' })).toThrow('the prompt, partial p: {{a}} has no value');
  });

  test('an empty value is a value', () => {
    expect(fill('[{{a}}]', { a: '' })).toBe('[]');
  });

  test('partials that include each other', () => {
    expect(() => fill('{{p}}', {}, { p: '{{q}}', q: '{{p}}' })).toThrow('p > q > p');
    expect(() => fill('{{p}}', {}, { p: '{{p}}' })).toThrow('p > p');
    expect(fill('{{p}}{{p}}', {}, { p: '{{q}}', q: 'x' })).toBe('xx');
  });

  test.each(['../a', 'a/b', '..', 'a.b', '#each', 'a..b', '/etc/passwd', '-a'])(
    '{{%s}} is no name',
    (name) => {
      expect(() => fill(`{{${name}}}`, { [name]: 'x' })).toThrow(`{{${name}}} is not a plain name`);
    },
  );
});

test('a plain name leads nowhere', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      fc.pre(isPlainName(name));
      expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
  for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a.md', 'a\n', 'ä', 'a b', 'C:', '-x'])
    expect(isPlainName(name)).toBe(false);
});
