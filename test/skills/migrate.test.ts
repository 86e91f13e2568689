import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { migrateText } from '../../src/skills/migrate.ts';
import { readFrontmatter } from '../../src/skills/frontmatter.ts';
import { parseTriggers } from '../../src/skills/triggers.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 100) };

const OLD =
  '---\nname: x\ndescription: Use when: a, b\n---\n# X\n\n## Activation\n- `src/x/**`\n\nKeywords: one, two\n';

describe('migrating a text', () => {
  test('quotes, and carries triggers over', () => {
    expect(migrateText(OLD)).toEqual({
      content: OLD.replace('Use when: a, b', '"Use when: a, b"').replace(
        '\n---\n#',
        '\nmetadata:\n  triggers: "{\\"files\\":[\\"src/x/**\\"],\\"keywords\\":[\\"one\\",\\"two\\"]}"\n---\n#',
      ),
      changes: ['quotes description', 'triggers into the frontmatter'],
      problem: null,
    });
  });

  test.each([
    '---\nname: x\ndescription: y\n---\nbody\n',
    '# no frontmatter\n',
    '',
    '---\ntriggers:\n---\n## Activation\n- `a`\n',
    '---\nmetadata: {triggers: "{}"}\n---\nKeywords: a\n',
  ])('leaves %j as it is', (content) => {
    expect(migrateText(content)).toEqual({ content, changes: [], problem: null });
  });

  test.each([
    ['---\na: 1\na: 2\n---\nKeywords: a\n', 'twice'],
    ['---\na: 1\nKeywords: a\n', 'not closed'],
    ['---\nmetadata: word\n---\nKeywords: a\n', 'no mapping'],
  ])('leaves what it cannot read: %j', (content, why) => {
    expect(migrateText(content)).toEqual({ content, changes: [], problem: expect.stringContaining(why) });
  });

  test('loses nothing, and is done once', () => {
    const head = fc.constantFrom(
      '',
      '---\nname: x\n---\n',
      '---\r\ndescription: a: b\r\n---\r\n',
      '\uFEFF---\nmetadata: {a: b}\n---\n',
    );
    const line = fc.constantFrom(
      '## Activation',
      '- `src/**`',
      'Keywords: a, b',
      '```',
      '# T',
      '',
      'text',
      '- `x y`',
    );
    fc.assert(
      fc.property(head, fc.array(line), (top, lines) => {
        const content = top + lines.join('\n');
        const { content: after, problem } = migrateText(content);
        expect(problem).toBeNull();
        expect(parseTriggers(after)).toEqual(parseTriggers(content));
        expect(readFrontmatter(after)?.body ?? after).toBe(
          (readFrontmatter(content)?.body ?? content).replace(/^\uFEFF/, ''),
        );
        expect(migrateText(after)).toEqual({ content: after, changes: [], problem: null });
      }),
      RUNS,
    );
  });
});
