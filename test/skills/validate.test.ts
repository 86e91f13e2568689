import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateSkillFiles } from '../../src/skills/validate.ts';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';

const PATH = '.claude/skills/billing/SKILL.md';
const HEAD = `name: billing
description: "How invoices work here. Use when changing invoices."`;
const BODY = `# Billing

Invoices are made once a night from orders that were delivered. A payment belongs to one invoice.

## Key Concepts

- Amounts are whole cents, everywhere.

## Critical Rules

- Never round a line.
`;

function skill(head = HEAD, body = BODY): string {
  return `---\n${head}\n---\n\n${body}`;
}

/** The findings of one file, as `rule severity line`. */
function findings(content: string, { path = PATH, root = temporaryFolder() } = {}): string[] {
  return validateSkillFiles([{ path, content }], root).map(
    ({ rule, severity, line }) => `${rule} ${severity}${line === undefined ? '' : ` ${line}`}`,
  );
}

/** A root with these files, each empty. */
function rootWith(...paths: string[]): string {
  const root = temporaryFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  return root;
}

it('has nothing to say of a good skill', () => {
  const more = `${HEAD}\nlicense: MIT\ncompatibility: Node\nallowed-tools: Read Bash\nmetadata:\n  triggers: "{}"`;
  expect(findings(skill(more))).toEqual([]);
  expect(findings(skill().replaceAll('\n', '\r\n'))).toEqual([]);
  expect(findings('@AGENTS.md\n', { path: 'CLAUDE.md' })).toEqual([]);
});

describe('frontmatter', () => {
  it.each([
    ['not there', BODY, ['frontmatter-missing error 1']],
    ['not first', `\n${skill()}`, ['frontmatter-missing error 1']],
    [
      'not closed',
      `---\n${HEAD}\n\n${BODY}`,
      ['frontmatter-not-yaml error', 'too-short error', 'missing-section warning', 'missing-section warning'],
    ],
    ['not YAML', skill('- a\n- b'), ['frontmatter-not-yaml error']],
    ['a key twice', skill(`${HEAD}\nname: billing`), ['frontmatter-not-yaml error']],
    ['a byte order mark', `\uFEFF${skill()}`, ['byte-order-mark error']],
    ['no quotes', skill('name: billing\ndescription: Use when: a, b'), ['needs-quotes warning']],
    ['no name', skill('description: x'), ['name error']],
    ['an empty name', skill('name:\ndescription: x'), ['name error 2']],
    ['capitals', skill('name: Billing\ndescription: x'), ['name error 2']],
    ['two hyphens', skill('name: bill--ing\ndescription: x'), ['name error 2']],
    ['65 characters', skill(`name: ${'a'.repeat(65)}\ndescription: x`), ['name error 2']],
    ['another folder', skill('name: pay\ndescription: x'), ['name error 2']],
    ['no description', skill('name: billing'), ['description error']],
    ['a blank description', skill('name: billing\ndescription: " "'), ['description error 3']],
    [
      'a long description',
      skill(`name: billing\ndescription: ${'ü🧩'.repeat(513)}`),
      ['description error 3'],
    ],
    ['a description at its limit', skill(`name: billing\ndescription: ${'🧩'.repeat(1024)}`), []],
    ['a long compatibility', skill(`${HEAD}\ncompatibility: ${'x'.repeat(501)}`), ['field error 4']],
    ['a list of tools', skill(`${HEAD}\nallowed-tools: [Read]`), ['field error 4']],
    ['metadata that is a text', skill(`${HEAD}\nmetadata: x`), ['field error 4']],
    ['metadata with a number', skill(`${HEAD}\nmetadata:\n  version: 1`), ['field warning 4']],
    ['another key', skill(`${HEAD}\npaths: ["a"]`), ['unknown-field warning 4']],
    ['a key of an object', skill(`${HEAD}\nconstructor: x`), ['unknown-field warning 4']],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });
});

it('says what a key beside the format does, where an agent product heeds it', () => {
  const messages = ['hooks', 'paths'].map(
    (key) =>
      validateSkillFiles([{ path: PATH, content: skill(`${HEAD}\n${key}: []`) }], temporaryFolder())[0]
        ?.message,
  );
  expect(messages).toEqual([
    expect.stringContaining('outside of every sandbox'),
    expect.stringContaining('hides the description'),
  ]);
});

describe('text', () => {
  it.each([
    ['a fence that does not close', `${BODY}\n\`\`\`js\ncode\n`, ['truncated error 18']],
    ['a fence that a shorter one does not close', `${BODY}\n~~~~\ncode\n~~~\n`, ['truncated error 18']],
    ['a heading at the end', `${BODY}\n## How To\n`, ['truncated error 18']],
    ['half a sentence', `${BODY}\nand then,\n`, ['truncated error 18']],
    ['a tag that does not close', `${BODY}\n<example>\n\nx\n`, ['unclosed-tag error 18']],
    ['a tag that was not open', `${BODY}\nx\n\n</file>\n`, ['unclosed-tag error 20']],
    ['tags that cross', `<a>\n<b>\n</a>\n</b>\n\n${BODY}`, ['unclosed-tag error 8', 'unclosed-tag error 6']],
    ['tags that pair up', `<a>\n\n<b class="x">\n</b>\n</a>\n<br>\n\n${BODY}`, []],
    [
      'tags in code, and in a line',
      `\`\`\`\n<file>\n\`\`\`\n\n    <file>\n\nwrite src/<name>.ts\n\n${BODY}`,
      [],
    ],
    ['code that ends with a comma', `${BODY}\ntext\n\n    a,\n`, []],
    ['no text', '', ['missing-section warning', 'missing-section warning', 'too-short error']],
    ['a few words', '# Key Concepts\n# Critical Rules\nshort\n', ['too-short error']],
    ['500 lines', `${BODY}${'- x\n'.repeat(500)}`, ['too-long warning']],
    ['no rules', BODY.replace('Critical Rules', 'Rules'), ['missing-section warning']],
    [
      'a section in a code block',
      BODY.replace('## Critical Rules', '```\n## Critical Rules\n```'),
      ['missing-section warning'],
    ],
  ])('%s', (_, body, expected) => {
    expect(findings(skill(HEAD, body)).sort()).toEqual([...expected].sort());
  });

  it('needs no such sections in the skill about the whole', () => {
    const content = skill('name: base\ndescription: x', BODY.replaceAll('## ', '### More '));
    expect(findings(content, { path: '.claude/skills/base/SKILL.md' })).toEqual([]);
  });
});

describe('paths in back-ticks', () => {
  it.each([
    'src/gone.ts',
    'src/gone',
    './gone.md',
    'src/a.ts/below',
    'lib/x/y.js',
    'src/gone.ts:12',
    '.github/gone',
    'src/größe.ts',
  ])('are said where nothing lies there: %s', (path) => {
    const root = rootWith('src/a.ts', '.github/x');
    expect(findings(skill(HEAD, `${BODY}\nSee \`${path}\` and \`${path}\`.\n`), { root })).toEqual([
      'missing-path warning 18',
    ]);
  });

  it.each([
    'src/a.ts',
    'src/',
    'src/a.ts:12-14',
    'references/more.md',
    './references/more.md',
    '../other/SKILL.md',
    '.claude/skills/billing/SKILL.md',
    'src/*.ts',
    'src/<name>.ts',
    'src/{a,b}.ts',
    'origin/main',
    'text/html',
    'https://example.com/a.html',
    'example.com/a.html',
    '/etc/passwd',
    '~/x.ts',
    '@scope/pkg.js',
    'npm run a/b.ts',
    'gone.ts',
    'node_modules/x/y.js',
    'dist/main.js',
    '../../../../../x/y.ts',
    'a/../../../../../etc/x.ts',
    'and/or',
  ])('are not said where they are there, or are no paths: %s', (path) => {
    const root = rootWith(
      'src/a.ts',
      '.claude/skills/billing/references/more.md',
      '.claude/skills/other/SKILL.md',
    );
    expect(findings(skill(HEAD, `${BODY}\nSee \`${path}\`.\n`), { root })).toEqual([]);
  });

  it('may name what is about to be written', () => {
    const content = skill(HEAD, `${BODY}\nSee \`docs/new.md\` in \`docs/\`, and \`docs/old.md\`.\n`);
    const files = [
      { path: PATH, content },
      { path: 'docs/new.md', content: 'x' },
    ];
    expect(validateSkillFiles(files, temporaryFolder()).map(({ message }) => message)).toEqual([
      '"docs/old.md" does not exist',
    ]);
  });
});

describe('places', () => {
  it('finds the spelling that no product finds', () => {
    expect(findings(skill(), { path: '.claude/skills/billing/skill.md' })).toEqual(['not-discovered error']);
  });

  it('finds a skill within a skill', () => {
    expect(findings(skill(), { path: '.agents/skills/x/billing/SKILL.md' })).toEqual(['phantom error']);
  });

  it('says that codex reads no more of AGENTS.md', () => {
    expect(findings('x'.repeat(32 * 1024), { path: 'src/AGENTS.md' })).toEqual([]);
    expect(findings('ü'.repeat(16 * 1024 + 1), { path: 'src/AGENTS.md' })).toEqual(['too-long warning']);
  });

  it('passes over what is no Markdown', () => {
    expect(findings('<file>', { path: '.claude/skills/billing/scripts/x.sh' })).toEqual([]);
  });
});

describe('what is shipped', () => {
  it('has a form of a skill in its prompts that passes', () => {
    const format = readFileSync(join(PROJECT, 'prompts/partials/skill-format.md'), 'utf8');
    const example = /<example>\n([^]*?)<\/example>/.exec(format)?.[1] ?? '';
    expect(findings(example)).toEqual([]);
  });

  it('has skills that pass', () => {
    const names = readdirSync(join(PROJECT, 'skills'));
    expect(names).toContain('delegate');
    const files = names.map((name) => {
      const path = `skills/${name}/SKILL.md`;
      return { path, content: readFileSync(join(PROJECT, path), 'utf8') };
    });
    expect(validateSkillFiles(files, PROJECT)).toEqual([]);
  });
});

it('reads any depth of quotes, and any junk', () => {
  const deep = `${'> '.repeat(2000)}x\n\n${'*'.repeat(2000)}a\n`;
  expect(findings(skill(HEAD, BODY + deep))).toEqual([]);
});
