import { describe, expect, it } from 'vitest';
import { matchSkills } from '../../src/skills/match.ts';
import { pathsIn } from '../../src/skills/prompt-paths.ts';
import type { SkillRules } from '../../src/skills/skill-rules.ts';
import { rulesOf } from './rules-support.ts';

describe('a keyword', () => {
  it.each([
    ['invoice', 'Mend the invoice.', true],
    ['Invoice', 'MEND THE INVOICE', true],
    ['invoice', 'two invoices', false],
    ['invoice', 'my_invoice', false],
    ['voice', 'invoice', false],
    ['invoice', 'invoice2', false],
    ['c++', 'port it to C++.', true],
    ['c++', 'port it to C++, then', true],
    ['c++', 'abc++', false],
    ['.env', 'look into .env and go', true],
    ['.env', 'process.env', false],
    ['node.js', 'a Node.js server', true],
    ['node.js', 'a nodexjs server', false],
    ['code review', 'a code\n  review', true],
    ['straße', 'die STRASSE', false],
    ['übung', 'Die ÜBUNG endet', true],
    ['übung', 'Einu\u0308bung', false],
    ['cafe\u0301', 'the CAFÉ', true],
    ['支付', '请修复支付模块', true],
    ['billing', '修复billing模块', true],
    ['naïve', 'naïveté', false],
    ['a', '😀a😀', true],
    ['(', 'f(x)', false],
    [' ', 'a b', false],
  ])('%j in %j: %s', (keyword, prompt, expected) => {
    expect(namesOf({ it: { keywords: [keyword] } }, prompt)).toEqual(expected ? ['it'] : []);
  });

  it('takes the second place where the first is inside of a word', () => {
    expect(namesOf({ it: { keywords: ['pay'] } }, 'repay, then pay')).toEqual(['it']);
  });
});

describe('an intent pattern', () => {
  it('that is wrong is reported, and costs the others nothing', () => {
    const { matches, problems } = matchSkills(
      rulesOf({ bad: { intentPatterns: ['(', 'retry'] }, well: { intentPatterns: ['raise .* limit'] } }),
      'raise the retry limit',
      [],
    );
    expect(matches.map(({ name }) => name)).toEqual(['bad', 'well']);
    expect(problems).toEqual([{ skill: 'bad', detail: expect.stringContaining('the intent pattern "("') }]);
  });
});

describe('files', () => {
  const rules = { billing: { filePatterns: ['src/billing/**'] }, tests: { filePatterns: ['**/*.test.ts'] } };

  it.each([
    ['look at src/billing/a.ts', ['billing']],
    ['look at ./src/billing/a.ts:12:3, please', ['billing']],
    ['`src/billing/a b.ts` fails', ['billing']],
    ['(see src/billing/a.ts)', ['billing']],
    ['[it](src/billing/a.ts)', ['billing']],
    ['@src/billing/a.test.ts?', ['billing', 'tests']],
    ['run a.test.ts.', ['tests']],
    ['https://example.org/src/billing/a.ts', []],
    ['../src/billing/a.ts', []],
    ['billing', []],
  ])('of the prompt %j call for %j', (prompt, expected) => {
    expect(namesOf(rules, prompt)).toEqual(expected);
  });

  it('of the session count like those of the prompt', () => {
    const { matches } = matchSkills(rulesOf(rules), 'go on', ['src/billing/a.ts']);
    expect(matches).toEqual([
      {
        name: 'billing',
        priority: 'high',
        why: [{ kind: 'file', path: 'src/billing/a.ts', glob: 'src/billing/**' }],
      },
    ]);
  });

  it('keeps a path with brackets whole', () => {
    expect(pathsIn('edit app/(shop)/[id]/page.tsx now')).toContain('app/(shop)/[id]/page.tsx');
  });
});

describe('all together', () => {
  it('gives every kind of reason, critical skills first', () => {
    const { matches } = matchSkills(
      rulesOf({
        b: { keywords: ['retry'], intentPatterns: ['raise'], filePatterns: ['a.ts'] },
        a: { keywords: ['retry'] },
        z: { priority: 'critical', alwaysActivate: true },
        none: { keywords: ['other'] },
      }),
      'raise the retry limit in a.ts',
      [],
    );
    expect(matches.map(({ name, why }) => [name, why.map(({ kind }) => kind)])).toEqual([
      ['z', ['always']],
      ['a', ['keyword']],
      ['b', ['keyword', 'intent', 'file']],
    ]);
  });

  it('leaves out a rule that is none, and says so', () => {
    const rules: SkillRules = JSON.parse(
      '{"version":"2.0","skills":{"none":null,"half":{"promptTriggers":{"keywords":[7,"x"]}},"odd":{"filePatterns":"x"},"well":{"alwaysActivate":true}}}',
    );
    const { matches, problems } = matchSkills(rules, 'x', []);
    expect(matches.map(({ name }) => name)).toEqual(['half', 'well']);
    expect(problems.map(({ skill }) => skill)).toEqual(['none', 'half', 'odd']);
  });

  it('knows names that objects have by birth', () => {
    expect(namesOf({ constructor: { keywords: ['x'] }, valueof: { keywords: ['y'] } }, 'x')).toEqual([
      'constructor',
    ]);
  });
});

function namesOf(skills: Parameters<typeof rulesOf>[0], prompt: string): string[] {
  return matchSkills(rulesOf(skills), prompt, []).matches.map(({ name }) => name);
}
