import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizePublishedContent } from '../../src/skills/published-content.ts';
import { parseTriggers, parseTriggersFrontmatter } from '../../src/skills/triggers.ts';

const SKILL = '.claude/skills/billing/SKILL.md';
const HEAD = '---\nname: billing\ndescription: Bills.\n---\n';

const ACTIVATION = `## Activation

This skill triggers when editing billing files:
- \`src/billing/**\`
- \`**/invoice*.ts\`

Keywords: invoice, tax rate
`;

const KEY_FILES = `## Key Files

- \`src/billing/pay.ts\` — pays
- **\`src/billing/index.ts\`**: all of it
- \`Makefile\`
`;

const HUBS = '**Hub files (most depended-on):**\n- `src/core.ts` — 12 dependents\n';
const CLUSTERS = '**Domain clusters:**\n\n| Domain | Files |\n|---|---|\n| a | `b` |\n';
const CHURN = '**High-churn hotspots:**\n\n- `src/a.ts` — 20 changes\n';
const ENTRIES = '**Framework entry points** (Next.js):\n- `app/page.tsx`\n';

describe('what tools generate', () => {
  it('goes, and nothing else', () => {
    const text = `${HEAD}\n# Billing\n\n${KEY_FILES}\n## Key Concepts\n\n* one  \n\n${HUBS}\ntext\n`;
    expect(sanitizePublishedContent(text, SKILL)).toBe(
      `${HEAD}\n# Billing\n\n## Key Concepts\n\n* one  \n\ntext\n`,
    );
  });

  it.each([
    ['an Activation section', ACTIVATION],
    ['a Key Files section', KEY_FILES],
    ['a heading in the other form', 'Key Files\n---\n- `src/a.ts`\n'],
    ['a list without an empty line', '## Key Files\n- `src/a.ts`\nKeywords: a\n'],
    ['hub files', HUBS],
    ['clusters', CLUSTERS],
    ['hotspots', CHURN],
    ['entry points', ENTRIES],
    ['a table right below', '**Domain clusters:**\n| a |\n|---|\n| `b` |\n'],
  ])('%s goes from CLAUDE.md, in each kind of line', (_, part) => {
    const text = `# Title\n\nbefore\n\n${part}\n# Next\n\nafter`;
    for (const eol of ['\n', '\r\n']) {
      const found = sanitizePublishedContent(text.replaceAll('\n', eol), 'CLAUDE.md');
      expect(found).toBe('# Title\n\nbefore\n\n# Next\n\nafter'.replaceAll('\n', eol));
    }
  });

  it('goes from the end without a trace', () => {
    expect(sanitizePublishedContent(`# T\n\ntext  \n\n\n${KEY_FILES}`, 'AGENTS.md')).toBe('# T\n\ntext  \n');
  });

  it('goes with the line that sets it apart, and the text behind stays', () => {
    const text = `${HEAD}\n${ACTIVATION}\n---\n\nYou are working on billing.\n`;
    const found = sanitizePublishedContent(text, SKILL);
    expect(found.endsWith('---\n\nYou are working on billing.\n')).toBe(true);
    expect(found).not.toContain('Activation');
  });

  it('leaves a blank line between what meets now', () => {
    const text = `para\n## Key Files\n- \`src/a.ts\`\n\n---\nprose`;
    expect(sanitizePublishedContent(text, 'CLAUDE.md')).toBe('para\n\nprose');
  });

  it('does not let a line become the beginning of frontmatter', () => {
    const text = `${KEY_FILES}\n---\n\n---\nhooks: x\n---\n`;
    expect(sanitizePublishedContent(text, 'CLAUDE.md')).toBe('\n---\nhooks: x\n---\n');
  });
});

describe('what a person wrote', () => {
  it.each([
    ['prose below such a heading', '## Key Files\n\nThe router decides everything.\n'],
    ['prose beside the bullets', '## Key Files\n\n- `src/a.ts`\n\nNever edit it by hand.\n'],
    ['bullets that are no files', '## Activation\n\n- `turn on` the machine\n- wait\n'],
    ['a heading of another level', '### Key Files\n\n- `src/a.ts`\n'],
    ['an empty section', '## Activation\n'],
    ['a heading in a code fence', '```md\n## Key Files\n\n- `src/a.ts`\n```\n'],
    ['a heading in a quote', '> ## Key Files\n>\n> - `src/a.ts`\n'],
    ['a heading in a comment', '<!--\n## Key Files\n- `src/a.ts`\n-->\n'],
    ['code in such a section', '## Key Files\n\n- `src/a.ts`\n\n```\nx\n```\n'],
    ['a label with prose', '**Hub files** are those that many import.\n'],
    ['a label with nothing below', '**Domain clusters:**\n\ntext\n'],
    ['a list of something else', '**High-churn hotspots:**\n\n- the kitchen\n'],
  ])('stays: %s', (_, part) => {
    const text = `${HEAD}# Title\n\n${part}\n# Next\n`;
    expect(sanitizePublishedContent(text, SKILL)).toBe(text);
  });

  it('stays where it is no Markdown, and a code map keeps its lists', () => {
    expect(sanitizePublishedContent(KEY_FILES, 'x/run.sh')).toBe(KEY_FILES);
    expect(sanitizePublishedContent(HUBS + CLUSTERS, '.claude/skills/base/code-map.md')).toBe(
      HUBS + CLUSTERS,
    );
  });
});

describe('the triggers of a skill', () => {
  it('go into its frontmatter', () => {
    const found = sanitizePublishedContent(`${HEAD}\n${ACTIVATION}\n# Title\n`, SKILL);
    expect(parseTriggersFrontmatter(found)).toEqual({
      filePatterns: ['src/billing/**', '**/invoice*.ts'],
      keywords: ['invoice', 'tax rate'],
      alwaysActivate: false,
    });
  });

  it('stay as they are where the frontmatter has some', () => {
    const head = '---\nname: billing\nmetadata:\n  triggers: "{}"\n---\n';
    expect(sanitizePublishedContent(`${head}\n${ACTIVATION}`, SKILL)).toBe(`${head}\n`);
  });

  it('make frontmatter where there is none', () => {
    const found = sanitizePublishedContent(`${ACTIVATION}\n# Title\n`, SKILL);
    expect(parseTriggersFrontmatter(found)?.keywords).toEqual(['invoice', 'tax rate']);
  });

  it('keep their section where the frontmatter cannot take them', () => {
    const text = `---\nname: &a x\ndescription: *a\n---\n${ACTIVATION}`;
    expect(sanitizePublishedContent(text, SKILL)).toBe(text);
  });

  it('mean nothing in an instruction file', () => {
    expect(sanitizePublishedContent(`# T\n\n${ACTIVATION}`, 'CLAUDE.md')).toBe('# T\n');
  });
});

describe('any file', () => {
  const RUNS = Number(process.env['BATON_PROPERTY_RUNS'] ?? 150);
  const piece = fc.constantFrom(
    ACTIVATION,
    KEY_FILES,
    HUBS,
    CLUSTERS,
    CHURN,
    ENTRIES,
    HEAD,
    '\n',
    'text\n',
    '- item\n',
    '    code\n',
    '---\n',
    '===\n',
    '## Key Files\n',
    '## Activation\n',
    '- `a.ts`\n',
    'Keywords: b\n',
    '```\n',
    '> quote\n',
    '<!--\n',
    '-->\n',
    '**Hub files:**\n',
    '| `x` |\n',
    '\uFEFF',
    '\r',
    '\t',
  );
  const text = fc
    .tuple(fc.constantFrom('', HEAD, '\uFEFF'), fc.array(piece, { maxLength: 10 }))
    .map(([head, all]) => head + all.join(''));

  it.each([SKILL, 'CLAUDE.md', 'code-map.md'])(
    'is the same the second time, and loses no trigger: %s',
    (path) => {
      fc.assert(
        fc.property(text, fc.boolean(), (plain, crlf) => {
          const content = crlf ? plain.replaceAll('\n', '\r\n') : plain;
          const once = sanitizePublishedContent(content, path);
          expect(sanitizePublishedContent(once, path)).toBe(once);
          expect(triggersIn(once, path)).toEqual(triggersIn(content, path));
        }),
        { numRuns: RUNS },
      );
    },
  );

  it('loses whole lines alone', () => {
    fc.assert(
      fc.property(text, (any) => {
        const content = any.replaceAll('\uFEFF', '');
        const left = sanitizePublishedContent(content, 'CLAUDE.md').split(/\r\n|\n|\r/);
        const before = content.split(/\r\n|\n|\r/);
        for (const line of left.filter((one) => one.trim() !== '')) {
          const at = before.indexOf(line);
          expect(at).toBeGreaterThanOrEqual(0);
          before.splice(0, at + 1);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** Those of a skill; in other files they mean nothing. */
function triggersIn(content: string, path: string): unknown {
  return path === SKILL ? parseTriggers(content) : null;
}
