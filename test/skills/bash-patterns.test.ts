import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateDomainPatterns } from '../../src/skills/bash-patterns.ts';
import type { SkillRules } from '../../src/skills/skill-rules.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { rulesOf } from './rules-support.ts';

const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 20);

const RULES = rulesOf({
  payments: { filePatterns: ['packages/*/src/pay*.ts', 'docs/pay.md'] },
  testing: { filePatterns: ['**/*.test.ts'] },
  base: { alwaysActivate: true },
});

describe('the bash function', () => {
  it('prints every skill that a file belongs to, one a line, and nothing for others', () => {
    expect(run(RULES, 'detect_skill_domain packages/a/src/pay.test.ts')).toBe('payments\ntesting\n');
    expect(run(RULES, 'detect_skill_domain docs/pay.md')).toBe('payments\n');
    expect(run(RULES, 'detect_skill_domain packages/a/b/src/pay.ts')).toBe('');
  });

  it('stands between its markers, and is the same for the same rules in another order', () => {
    const text = generateDomainPatterns(RULES);
    expect(text.split('\n')[0]).toBe('# BEGIN detect_skill_domain');
    expect(text.endsWith('\n# END detect_skill_domain\n')).toBe(true);
    const turned = Object.fromEntries(Object.entries(RULES.skills).reverse());
    expect(generateDomainPatterns({ ...RULES, skills: turned })).toBe(text);
  });

  it('heeds no option of its caller, and leaves them as they were', () => {
    const script = `set -euo pipefail; IFS=/; shopt -s nocasematch extglob; LC_ALL=C.UTF-8
detect_skill_domain docs/PAY.md; detect_skill_domain docs/pay.md
shopt -q nocasematch && echo "$LC_ALL \${re-none}"`;
    expect(run(RULES, script)).toBe('payments\nC.UTF-8 none\n');
  });

  it('is empty and harmless without rules', () => {
    expect(run(rulesOf({}), 'set -e; detect_skill_domain a; echo still here')).toBe('still here\n');
  });

  it('refuses a NUL, which bash cannot hold', () => {
    for (const rules of [
      rulesOf({ a: { filePatterns: ['a\0b'] } }),
      rulesOf({ 'a\0': { filePatterns: ['a'] } }),
    ])
      expect(() => generateDomainPatterns(rules)).toThrow(/NUL/);
  });

  it('never executes a name or a glob: both come back as they are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hostile(), { minLength: 20, maxLength: 20 }), (names) => {
        const rules = rulesOf(
          Object.fromEntries(names.map((name) => [name, { filePatterns: [`x/${name}`, '**'] }])),
        );
        const sorted = Object.keys(rules.skills).sort((one, other) => (one < other ? -1 : 1));
        const folder = temporaryFolder();
        expect(run(rules, 'detect_skill_domain a/b', folder)).toBe(
          sorted.map((name) => `${name}\n`).join(''),
        );
        expect(readdirSync(folder)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 300_000);

  it('compares a hostile glob as text', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hostile(), { minLength: 20, maxLength: 20 }), (texts) => {
        const literal = texts.map((text) => `x/${text.replace(/[*?]/g, '')}`);
        const rules = rulesOf(
          Object.fromEntries(literal.map((glob, index) => [`s${index}`, { filePatterns: [glob] }])),
        );
        const folder = temporaryFolder();
        const printed = run(
          rules,
          'for file in "$@"; do detect_skill_domain "$file"; echo =; done',
          folder,
          literal,
        );
        const found = printed.split('=\n').map((names) => names.split('\n'));
        expect(literal.filter((_, index) => !found[index]?.includes(`s${index}`))).toEqual([]);
        expect(readdirSync(folder)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 300_000);
});

const HOSTILE: readonly string[] = [
  String.raw`[ ] ( ) ^ $ ! * ? # ~ + | . ; { } \ !! -n %s [[ ]] [:alpha:] é`.split(' '),
  String.raw`$(>x) ${'`'}>x${'`'} <(>x) >x $x $${'{'}x:=y} \' '\''`.split(' '),
  ['\t', '\r', '\x01', '\x7f', '\u{10ffff}', ' ', '&& >x', '| tee x'],
  ["'; >x; '", '"; >x; "', '\n>x\n', '\n}\n>x\n', '# END detect_skill_domain\n>x\n'],
].flat();

/** Text that would write a file, were any of it executed. */
function hostile(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }).map((text) => text.replaceAll('\0', '')),
  );
  return fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join(''))
    .filter((text) => text !== '' && text !== '__proto__');
}

/** What a bash that has the function prints. */
function run(
  rules: SkillRules,
  script: string,
  cwd = temporaryFolder(),
  args: readonly string[] = [],
): string {
  const bash = spawnSync('bash', ['-s', '--', ...args], {
    cwd,
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    input: `${generateDomainPatterns(rules)}${script}\n`,
    encoding: 'utf8',
  });
  if (bash.status !== 0 || bash.stderr !== '')
    throw new Error(`bash ended with ${bash.status}: ${bash.stderr}`);
  return bash.stdout;
}
