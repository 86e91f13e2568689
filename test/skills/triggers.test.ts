import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseActivationPatterns,
  parseKeywords,
  parseTriggers,
  parseTriggersFrontmatter,
  setTriggers,
} from '../../src/skills/triggers.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) };

const LEGACY = `# Billing

## Activation

This skill triggers when editing:
- \`src/billing/**\`
- \`src/pay*.ts\` and \`src/tax/[id].ts\`
- tests/billing/
- prose without a path

Keywords: billing, \`Stripe webhook\`, billing

## Key Concepts
- \`src/not/this.ts\`
`;

const WANTED = { filePatterns: ['src/**', '*.{a,b}'], keywords: ['s3', '404'], alwaysActivate: true };

describe('triggers of the frontmatter', () => {
  test.each([
    'triggers:\n  files: ["src/**", "*.{a,b}"]\n  keywords:\n    - s3\n    - 404\n  alwaysActivate: true',
    'metadata:\n  triggers:\n    files: [src/**, "*.{a,b}"]\n    keywords: [s3, 404, s3, ""]\n    alwaysActivate: true',
    `triggers: '{"files":["src/**","*.{a,b}"],"keywords":["s3",404],"alwaysActivate":true}'`,
    `metadata:\n  triggers: '{"files":["src/**","*.{a,b}"],"keywords":["s3","404"],"alwaysActivate":"true"}'`,
  ])('are read alike in form %#', (yaml) => {
    expect(parseTriggersFrontmatter(`---\nname: x\n${yaml}\n---\n${LEGACY}`)).toEqual(WANTED);
    expect(parseTriggersFrontmatter(`\uFEFF---\r\n${yaml.replaceAll('\n', '\r\n')}\r\n---\r\n`)).toEqual(
      WANTED,
    );
  });

  test.each([
    '',
    '---\nname: x\n---\n',
    '---\nmetadata:\n  a: b\n---\n',
    '---\nmetadata: triggers\n---\n',
    LEGACY,
  ])('are null where there is no such key: %#', (content) => {
    expect(parseTriggersFrontmatter(content)).toBeNull();
  });

  test.each([
    'triggers:',
    'triggers: {}',
    'metadata: {triggers: ""}',
    'triggers: "{not json"',
    'triggers: [a]',
    'triggers: {files: {a: b}, keywords: null, alwaysActivate: no}',
    `triggers: '{"__proto__":{"files":["x"]},"constructor":{"keywords":["y"]}}'`,
    'triggers: {__proto__: {files: [x]}}',
  ])('count when they are there and empty: %s', (yaml) => {
    const content = `---\n${yaml}\n---\n${LEGACY}`;
    expect(parseTriggersFrontmatter(content)).toEqual({
      filePatterns: [],
      keywords: [],
      alwaysActivate: false,
    });
    expect(parseActivationPatterns(content)).toEqual([]);
    expect(parseKeywords(content)).toEqual([]);
  });

  test('may be a single text', () => {
    expect(parseTriggersFrontmatter('---\ntriggers: {files: src/a.ts, keywords: tax}\n---\n')).toEqual({
      filePatterns: ['src/a.ts'],
      keywords: ['tax'],
      alwaysActivate: false,
    });
  });
});

describe('triggers of an old Activation section', () => {
  test('are the fallback', () => {
    for (const content of [LEGACY, `---\nname: x\n---\n${LEGACY}`, LEGACY.replaceAll('\n', '\r\n')]) {
      expect(parseActivationPatterns(content)).toEqual([
        'src/billing/**',
        'src/pay*.ts',
        'src/tax/[id].ts',
        'tests/billing/',
      ]);
      expect(parseKeywords(content)).toEqual(['billing', 'Stripe webhook']);
    }
  });

  test.each([
    ['# X\n\n## Activation\n\n**Keywords:** a, b.\n', ['a', 'b']],
    ['# X\nKeywords: a\n\n## Activation\n- `x`\nKeywords: b\n', ['b']],
    ['# X\nKeywords: a\n', ['a']],
    ['# X\n```\nKeywords: a\n```\n', []],
    ['# X\nThe keywords are: a\n', []],
    ['# X\n## Activation\nKeywords:\n', []],
  ])('has keywords in %j', (content, keywords) => {
    expect(parseKeywords(content)).toEqual(keywords);
  });

  test('is not looked for in code, nor under another heading', () => {
    const fenced =
      '# X\n\n````md\n## Activation\n- `a`\n```\n- `b`\n````\n\n### Activation\n- `c`\n# Activation\n- `d`\n';
    expect(parseActivationPatterns(fenced)).toEqual([]);
  });
});

describe('writing triggers', () => {
  const list = fc.uniqueArray(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text),
    { maxLength: 4 },
  );

  test('then reading gives the same', () => {
    const before = fc.constantFrom(
      LEGACY,
      '---\nname: x\n---\nbody',
      '---\ntriggers:\n  files: [old]\nname: x\n---\nbody',
      '\uFEFF---\r\nmetadata:\r\n  author: me\r\n  triggers: "{}"\r\n---\r\nbody',
      '---\ndescription: Use when: a\n---\n',
    );
    fc.assert(
      fc.property(before, list, list, fc.boolean(), (content, filePatterns, keywords, alwaysActivate) => {
        const triggers = { filePatterns, keywords, alwaysActivate };
        const after = setTriggers(content, triggers);
        expect(parseTriggers(after)).toEqual(triggers);
        expect(setTriggers(after, triggers)).toBe(after);
      }),
      RUNS,
    );
  });

  test('is a JSON string under metadata', () => {
    expect(setTriggers('---\nname: x\n---\nbody\n', WANTED)).toBe(
      '---\nname: x\nmetadata:\n' +
        '  triggers: "{\\"files\\":[\\"src/**\\",\\"*.{a,b}\\"],\\"keywords\\":[\\"s3\\",\\"404\\"],\\"alwaysActivate\\":true}"\n' +
        '---\nbody\n',
    );
  });
});
