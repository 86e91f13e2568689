import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeConfigChanges, parseConfig } from '../../src/evidence/git-config-file.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('a git configuration file', () => {
  it.each([
    [
      'sections without case, subsections with it',
      '[CORE]\n HooksPath = x\n[remote "Fork"]\n url = u',
      { 'core.hookspath': ['x'], 'remote.Fork.url': ['u'] },
    ],
    ['old dotted subsections', '[branch.main]\nremote = o', { 'branch.main.remote': ['o'] }],
    ['a bare key', '[core]\n bare\n', { 'core.bare': ['true'] }],
    ['an entry behind its header', '[core] bare = false', { 'core.bare': ['false'] }],
    ['several values', '[a]\nx=1\nx=2', { 'a.x': ['1', '2'] }],
    ['comments', '# c\n[a] ; c\nx = 1 # c\ny = "a;b#c" ; c', { 'a.x': ['1'], 'a.y': ['a;b#c'] }],
    [
      'quotes, escapes and blanks',
      '[a]\nx = " in " and  out \ny = a\\\\b\\"c\\tt\\n',
      { 'a.x': [' in  and  out'], 'a.y': ['a\\b"c\tt\n'] },
    ],
    ['continued lines', '[a]\nx = one \\\n  two\r\ny = 3', { 'a.x': ['one   two'], 'a.y': ['3'] }],
    ['an escaped subsection', '[a "b\\"c"]\nx = 1', { 'a.b"c.x': ['1'] }],
    ['rubbish', '= 3\n[\nfoo\n[a]\n1x = 2\nx = 1\n', { 'a.x': ['1'] }],
  ])('has %s', (_, text, expected) => {
    expect(Object.fromEntries(parseConfig(text))).toEqual(expected);
  });

  it('is read as git reads it', () => {
    const repository = makeRepository({ files: null });
    const file = join(temporaryFolder(), 'config');
    // No tab between words and no blank before a continued line: there git's own versions differ.
    const piece = fc.constantFrom(
      'a',
      ' ',
      '"',
      '\\\\',
      '\\"',
      '\\n',
      '\\t',
      '#',
      ';',
      '=',
      '[',
      ']',
      'ä',
      'b\\\nc',
      '.',
    );
    const value = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const readAlike = fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const text = `[s "U"]\n${values.map((written, at) => `\tk${at} =${written}\n`).join('')}`;
      writeFileSync(file, text);
      const theirs = listed(repository, file);
      // What git refuses to read, it does not obey either.
      return theirs === null || isDeepStrictEqual(Object.fromEntries(parseConfig(text)), theirs);
    });
    expect(fc.check(readAlike, { numRuns: 150 })).toMatchObject({ failed: false, counterexample: null });
  });

  it('never makes the reader throw', () => {
    const reads = fc.property(fc.string({ unit: 'binary' }), (text) => parseConfig(`[a]\n${text}`).size >= 0);
    expect(fc.check(reads)).toMatchObject({ failed: false });
  });

  it('differs in phrases that hide credentials', () => {
    const phrases = describeConfigChanges(
      parseConfig('[a]\nx = 1\ny = 2\nz = 3\n[url "https://u:p@h/"]\ninsteadOf = q\n'),
      parseConfig(
        '[a]\nx = 1\ny = 3\nz = 3\nz = 4\n[credential]\nhelper = !steal\n[http]\nproxy = http://me:pw@h\n',
      ),
    );
    expect(phrases).toEqual([
      'a.y is now "3" (was "2")',
      'a.z is now "3", "4" (was "3")',
      'url.https://***@h/.insteadof is now unset (was "q")',
      'credential.helper is now "!steal" (was unset)',
      'http.proxy is now a value that is not shown (was unset)',
    ]);
  });
});

/** What git itself says; null where it refuses the file. */
function listed(repository: TestRepository, file: string): { [key: string]: string[] } | null {
  try {
    const found: { [key: string]: string[] } = {};
    for (const entry of repository
      .git('config', '--null', '--list', '--file', file)
      .split('\0')
      .filter(Boolean)) {
      const [key = '', ...rest] = entry.split('\n');
      found[key] = [...(found[key] ?? []), rest.length === 0 ? 'true' : rest.join('\n')];
    }
    return found;
  } catch {
    return null;
  }
}
