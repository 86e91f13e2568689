import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigEntry, formatConfig, parseConfigList, settingOf } from '../../src/git/config-entries.ts';
import { filtersInTree } from '../../src/git/filter-programs.ts';
import { parseRawDiff } from '../../src/git/raw-diff.ts';
import { isUtf8Path, pathIn, pathList, rawFrom, rawPath, showPath } from '../../src/git/raw-path.ts';
import { parseStatus } from '../../src/git/status.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('raw paths', () => {
  it('lose no byte, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const path = rawPath(Buffer.from(bytes));
        expect(pathList([path])).toEqual(Buffer.concat([bytes, Buffer.alloc(1)]));
        const file = pathIn('/top', path);
        expect(typeof file === 'string' ? Buffer.from(file) : file).toEqual(
          Buffer.concat([Buffer.from('/top/'), bytes]),
        );
      }),
    );
  });

  it('are shown as they are where they are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const whole = text.toWellFormed();
        expect(showPath(rawFrom(whole))).toBe(whole);
      }),
    );
  });

  it('show each other byte escaped', () => {
    const path = rawPath(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xc3, 0x62]));
    expect(isUtf8Path(path)).toBe(false);
    expect(showPath(path)).toBe('a\\xffé\\xc3b');
  });
});

describe('parseStatus', () => {
  it('reads every kind of record', () => {
    const zero = '0'.repeat(40);
    const status = parseStatus(
      Buffer.from(
        [
          '# branch.oid (initial)',
          `1 .M N... 100644 100644 100644 ${zero} ${zero} a b.txt`,
          `1 A. N... 000000 100644 100644 ${zero} ${zero} staged`,
          `1 .D N... 100644 100644 000000 ${zero} ${zero} gone\nline`,
          `u UU N... 100644 100644 100644 100644 ${zero} ${zero} ${zero} both`,
          '? new',
          '? nested/',
          '! build/',
          '',
        ].join('\0'),
      ),
    );
    expect(status).toEqual({
      dirty: [
        { path: 'a b.txt', gone: false },
        { path: 'gone\nline', gone: true },
        { path: 'both', gone: false },
      ],
      untracked: ['new'],
      nested: ['nested'],
      ignored: ['build/'],
    });
  });

  it.each(['2 R. whatever', '1 .M cut', 'x'])('refuses %j', (record) => {
    expect(() => parseStatus(Buffer.from(`${record}\0`))).toThrow('git status printed');
  });
});

describe('parseRawDiff', () => {
  it('reads differences, then lines', () => {
    const a = 'a'.repeat(40);
    const b = 'b'.repeat(40);
    const output = [
      `:100644 100755 ${a} ${b} M`,
      ':odd',
      `:100644 100644 ${a} ${a} R100`,
      'from',
      'to\n',
      '1\t2\t:odd',
      '-\t-\t',
      'from',
      'to\n',
      '',
    ].join('\0');
    const diff = parseRawDiff(Buffer.from(output));
    expect(diff.differences).toEqual([
      { status: 'M', oldMode: '100644', newMode: '100755', oldOid: a, newOid: b, path: ':odd' },
      { status: 'R', oldMode: '100644', newMode: '100644', oldOid: a, newOid: a, path: 'to\n', from: 'from' },
    ]);
    expect([...diff.lines]).toEqual([
      [':odd', { added: 1, deleted: 2 }],
      ['to\n', { added: null, deleted: null }],
    ]);
  });

  it.each([':100644', ':100644 100644 a b M', 'words\0', '1\t2\t\0from\0'])('refuses %j', (output) => {
    expect(() => parseRawDiff(Buffer.from(`${output}\0`))).toThrow(/git diff-tree/);
  });
});

describe('configuration', () => {
  it('is the same after it was written and read by git', () => {
    const file = join(temporaryFolder(), 'config');
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    const text = fc.string({
      unit: fc.constantFrom(
        ...[...Array(128).keys()]
          .filter((code) => code > 31 || code === 9 || code === 10)
          .map((code) => String.fromCharCode(code)),
      ),
      maxLength: 12,
    });
    const entry: fc.Arbitrary<ConfigEntry> = fc.record({
      section: word,
      subsection: fc.option(text.filter((value) => !value.includes('\n'))),
      name: word,
      value: fc.option(fc.oneof(text, fc.constant('\xff\xc3'))),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), (entries) => {
        writeFileSync(file, formatConfig(entries));
        expect(parseConfigList(execFileSync('git', ['config', '--list', '-z', '-f', file]))).toEqual(entries);
      }),
      { numRuns: 60 },
    );
  });

  it('takes the last value of a setting', () => {
    const entries = parseConfigList(Buffer.from('core.x\n1\0core.s.x\n2\0core.x\n3\0core.bare\0'));
    expect(settingOf(entries, 'core', 'x')).toBe('3');
    expect(settingOf(entries, 'core', 'bare')).toBeNull();
    expect(settingOf(entries, 'core', 'none')).toBeUndefined();
  });
});

describe('filtersInTree', () => {
  const top = temporaryFolder();
  mkdirSync(join(top, 'tools'));
  for (const name of ['tools/clean.sh', 'clean.js', 'clean']) writeFileSync(join(top, name), '');
  const inTree = (value: string, name = 'clean'): boolean =>
    filtersInTree([{ section: 'filter', subsection: 'x', name, value }], top).has('x');

  it.each([
    './tools/clean.sh',
    'sh tools/clean.sh %f',
    "sh -c 'tools/clean.sh | cat'",
    'perl clean.js',
    `${top}/tools/clean.sh`,
    'npx prettier --stdin',
    'make -s filter',
    'python3 -m nbstripout',
    '/usr/bin/python3.11 -m nbstripout',
    'node clean.js',
    'node -e 1',
    'env X=1 node',
  ])('does not trust %j', (command) => {
    expect(inTree(command)).toBe(true);
    expect(inTree(command, 'process')).toBe(true);
  });

  it.each([
    'git-lfs clean -- %f',
    'git-lfs filter-process',
    "sed -e 's/a/b/'",
    "perl -pe 's/x/y/'",
    '/usr/bin/env cat',
    'python3 /opt/strip.py',
    'tools/absent.sh',
    '',
  ])('trusts %j', (command) => expect(inTree(command)).toBe(false));

  it('does not care about what only a checkout runs', () => {
    expect(inTree('./tools/clean.sh', 'smudge')).toBe(false);
  });
});
