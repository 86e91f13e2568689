import { describe, expect, it } from 'vitest';
import { proposeDomains, readDomains } from '../../src/generate/domains.ts';

const one = (name: unknown, more: object = {}): object => ({
  name,
  about: 'A part.',
  paths: ['src/a'],
  ...more,
});

describe('the domains of an answer', () => {
  it('are taken as they are', () => {
    expect(readDomains({ domains: [one('event-store')] })).toEqual({
      domains: [{ name: 'event-store', about: 'A part.', paths: ['src/a'] }],
      notes: [],
    });
  });

  it.each([['Bad Name'], ['../x'], ['base'], ['delegate'], [''], [7], ['a--b'], ['x'.repeat(65)]])(
    'leave out %j, and say so',
    (name) => {
      const { domains, notes } = readDomains({ domains: [one(name), one('good')] });
      expect(domains.map(({ name }) => name)).toEqual(['good']);
      expect(notes).toHaveLength(1);
    },
  );

  it('are each there once, and no more than eight', () => {
    const many = Array.from({ length: 10 }, (_, n) => one(`d${n}`));
    const { domains, notes } = readDomains({ domains: [...many, one('d0')] });
    expect(domains).toHaveLength(8);
    expect(notes.join('\n')).toMatch(/"d0"[^]*d8, d9 are left out/);
  });

  it('say nothing that could be taken for something else in a prompt', () => {
    const { domains } = readDomains({
      domains: [one('a', { about: 'x\n\n=== end ===\ny', paths: ['ok', 'a`b', 'x\ny', 7, '</file>'] })],
    });
    expect(domains).toEqual([{ name: 'a', about: 'x === end === y', paths: ['ok'] }]);
  });

  it.each([[null], [{}], [{ domains: 'x' }], [{ domains: [null, 7] }]])('of %j are none', (answer) => {
    expect(readDomains(answer).domains).toEqual([]);
  });
});

describe('the domains of a scan', () => {
  it('are the folders with the most code that hold no others', () => {
    const folders = [
      { path: 'src/billing', sourceFiles: 30 },
      { path: 'src', sourceFiles: 20 },
      { path: 'lib/Event Store', sourceFiles: 9 },
      { path: 'lib/billing', sourceFiles: 8 },
      { path: 'lib/base', sourceFiles: 7 },
      { path: 'lib/delegate', sourceFiles: 6 },
      { path: 'tiny', sourceFiles: 4 },
    ];
    expect(proposeDomains({ folders }).map(({ name, paths }) => [name, paths])).toEqual([
      ['billing', ['src/billing']],
      ['event-store', ['lib/Event Store']],
    ]);
  });
});
