import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importSpecifiers } from '../../../src/generate/scan/import-specifiers.ts';

const runs = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) };

describe('the modules that a text names', () => {
  it.each([
    [`import a from './a.ts';`, ['./a.ts']],
    [`import type { A } from "./a.ts";`, ['./a.ts']],
    [`import {\n  a,\n  b,\n} from './a';`, ['./a']],
    [`import './effect.js'`, ['./effect.js']],
    [`import a from'./tight'`, ['./tight']],
    [`export * from './a.ts';`, ['./a.ts']],
    [`const a = await import('./a.ts');`, ['./a.ts']],
    [`let a: import('./a.ts').A;`, ['./a.ts']],
    [`const a = require( "./a" );`, ['./a']],
    [`import a from './a'; // from './b'\nimport c from './c'`, ['./a', './c']],
    [`/* import a from './a' */ import b from './b'`, ['./b']],
    ["const t = `import a from './a'`; import b from './b'", ['./b']],
    [`const t = "from './a'"; const u = 'it\\'s from "./x"'; import b from './b'`, ['./b']],
    [`const t = "never closed\nimport b from './b'`, ['./b']],
    [`Array.from('./a'); from('./b')`, ['./b']],
    [`importing('./a'); my_import './b'`, []],
    [`import(name); require(name)`, []],
  ])('%j', (text, modules) => {
    expect(importSpecifiers(text)).toEqual(modules);
  });

  it('are all found, whatever stands between', () => {
    const noise = fc.constantFrom(
      '// from "x"\n',
      '/* import "x" */',
      '`from "x"`',
      '"\\" from"',
      'a.from("x");',
      '\n',
      'x = 1;',
    );
    const one = fc.record({
      before: noise,
      name: fc.stringMatching(/^\.\/[a-z]{1,8}$/),
      double: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one), (parts) => {
        const quoted = (name: string, double: boolean): string => (double ? `"${name}"` : `'${name}'`);
        const text = parts
          .map(({ before, name, double }) => `${before}\nimport ${quoted(name, double)};\n`)
          .join('');
        expect(importSpecifiers(text)).toEqual(parts.map(({ name }) => name));
      }),
      runs,
    );
  });

  it('take time in proportion to the text, also where nothing closes', () => {
    // At quadratic cost each of these would take minutes.
    for (const text of ['/*', '"', '`', "'\n", 'from ', 'import(', 'require ("', '//', 'import "\\']) {
      expect(
        importSpecifiers(text.repeat(Math.floor(1_000_000 / text.length))).length,
      ).toBeGreaterThanOrEqual(0);
    }
  });

  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('"', "'", '`', '/', '*', '\\', '\n', 'import', 'from', '(', ' ', 'x'),
        }),
        (text) => {
          expect(importSpecifiers(text).every((name) => text.includes(name))).toBe(true);
        },
      ),
      runs,
    );
  });
});
