import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractRules, extractRulesFromSkills, formatSkillRules } from '../../src/skills/extract-rules.ts';
import { setTriggers } from '../../src/skills/triggers.ts';
import { temporaryFolder } from '../support/temporary.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 30) };

function skillsIn(skills: readonly (readonly [string, string])[]): string {
  const dir = temporaryFolder();
  for (const [name, content] of skills) {
    mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, name, 'SKILL.md'), content);
  }
  return dir;
}

describe('the rules of skills', () => {
  test('are those of the contract', () => {
    const dir = skillsIn([
      [
        'payment-gateway',
        '---\ntriggers: {files: [./src/pay*.ts, src/stripe/], keywords: [refund, Charge]}\n---\n',
      ],
      ['base', '# Base\n'],
      ['legacy', '## Activation\n- `lib/legacy/**`\n\nKeywords: old\n'],
      ['always', '---\nmetadata: {triggers: \'{"alwaysActivate":true}\'}\n---\n'],
    ]);
    const rule = {
      type: 'domain',
      enforcement: 'suggest',
      priority: 'high',
      scope: 'all',
      alwaysActivate: false,
    };
    expect(extractRulesFromSkills(dir)).toEqual({
      version: '2.0',
      skills: {
        always: {
          ...rule,
          alwaysActivate: true,
          filePatterns: [],
          promptTriggers: { keywords: ['always'], intentPatterns: [] },
        },
        base: {
          ...rule,
          type: 'base',
          priority: 'critical',
          alwaysActivate: true,
          filePatterns: [],
          promptTriggers: { keywords: [], intentPatterns: [] },
        },
        legacy: {
          ...rule,
          filePatterns: ['lib/legacy/**'],
          promptTriggers: { keywords: ['old', 'legacy'], intentPatterns: [] },
        },
        'payment-gateway': {
          ...rule,
          filePatterns: ['src/pay*.ts', 'src/stripe/**'],
          promptTriggers: {
            keywords: ['Charge', 'refund', 'payment gateway', 'payment-gateway', 'stripe'],
            intentPatterns: [],
          },
        },
      },
    });
  });

  test('are few words of its own where a skill has many folders', () => {
    const files = ['src/app/a1b/**', 'src/b2c/utils/x.ts', 'c3d/d4e/e5f/f6g/*.ts', 'ab/x', '*/y', 'Foo/z'];
    const dir = skillsIn([['one', `---\ntriggers: ${JSON.stringify({ files })}\n---\n`]]);
    const { keywords } = extractRulesFromSkills(dir).skills['one']?.promptTriggers ?? {};
    expect(keywords).toEqual(['c3d', 'd4e', 'e5f', 'foo', 'one']);
  });

  test('know no prototype', () => {
    const dir = skillsIn(['__proto__', 'constructor', 'toString'].map((name) => [name, '# x\n']));
    const rules = extractRulesFromSkills(dir);
    expect(Object.keys(rules.skills)).toEqual(['__proto__', 'constructor', 'toString']);
    const text = formatSkillRules(rules);
    expect(text).toContain('"__proto__": {');
    expect(Object.hasOwn(Object.prototype, 'alwaysActivate')).toBe(false);
  });

  test('leave out what lies deeper, and say what cannot be read', () => {
    const dir = skillsIn([
      ['a', '# a\n'],
      ['a/references/b', '# b\n'],
      ['bad', '---\na: 1\na: 2\n---\n'],
    ]);
    mkdirSync(join(dir, 'folder', 'SKILL.md'), { recursive: true });
    mkdirSync(join(dir, 'pipe'));
    execFileSync('mkfifo', [join(dir, 'pipe', 'SKILL.md')]);
    const { rules, problems } = extractRules(dir);
    expect(Object.keys(rules.skills)).toEqual(['a', 'bad']);
    expect(problems).toEqual([
      expect.stringContaining('bad/SKILL.md: a key is there twice'),
      expect.stringContaining('folder/SKILL.md is no regular file'),
      expect.stringContaining('pipe/SKILL.md is no regular file'),
    ]);
  });

  test('are the same bytes in whatever order things were written', () => {
    const word = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() === text);
    const skill = fc.tuple(fc.stringMatching(/^[a-z_A-Z]{1,8}$/), fc.uniqueArray(word), fc.uniqueArray(word));
    fc.assert(
      fc.property(
        fc.uniqueArray(skill, { selector: ([name]) => name.toLowerCase(), maxLength: 4 }),
        (skills) => {
          const write = (list: typeof skills, turn: <T>(items: T[]) => T[]) =>
            formatSkillRules(
              extractRulesFromSkills(
                skillsIn(
                  turn(list).map(([name, files, keywords]) => [
                    name,
                    setTriggers('', {
                      filePatterns: turn(files),
                      keywords: turn(keywords),
                      alwaysActivate: false,
                    }),
                  ]),
                ),
              ),
            );
          const text = write(skills, (items) => items);
          expect(write(skills, (items) => items.toReversed())).toBe(text);
          expect(formatSkillRules(JSON.parse(text))).toBe(text);
        },
      ),
      RUNS,
    );
  });
});
