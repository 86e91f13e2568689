import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCodexPrompt } from '../../../src/skills/effective/codex-prompt.ts';

function output(...lines: string[]): string {
  const text = `<skills_instructions>\n## Skills\nWords.\n${lines.join('\n')}\n</skills_instructions>`;
  return JSON.stringify([
    { type: 'message', content: [{ type: 'input_text', text: 'other' }] },
    { content: [{ text }] },
  ]);
}

describe('the list of skills that codex prints', () => {
  test('is read with its roots', () => {
    const printed = output(
      '### Skill roots',
      '- `r0` = `/home/me/.codex/skills`',
      '- `r10` = `/repo/a b/.agents/skills`',
      '### Available skills',
      '- good: Good one. (file: r10/good/SKILL.md)',
      '- odd: has (file: r0/x): colons: too (file: r0/odd/SKILL.md)',
      '- cut: (file: r0/cut/SKILL.md)',
      '- bare (file: /abs/bare/SKILL.md)',
      'not a skill',
    );
    expect(parseCodexPrompt(printed)).toEqual([
      { name: 'good', description: 'Good one.', path: '/repo/a b/.agents/skills/good/SKILL.md' },
      {
        name: 'odd',
        description: 'has (file: r0/x): colons: too',
        path: '/home/me/.codex/skills/odd/SKILL.md',
      },
      { name: 'cut', description: '', path: '/home/me/.codex/skills/cut/SKILL.md' },
      { name: 'bare', description: '', path: '/abs/bare/SKILL.md' },
    ]);
  });

  test.each(['', 'no json', '[]', '{"text":"none"}', JSON.stringify('<skills_instructions>')])(
    'is not in %j',
    (printed) => {
      expect(parseCodexPrompt(printed)).toBeNull();
    },
  );

  test('may be anything', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (lines) => {
        expect(parseCodexPrompt(output(...lines))).not.toBeUndefined();
      }),
    );
  });
});
