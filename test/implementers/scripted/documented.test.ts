import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../../src/implementers/scripted/script.ts';
import { STEP_KINDS } from '../../../src/implementers/scripted/steps/index.ts';
import { PROJECT } from '../../support/project.ts';

const DOCUMENT = readFileSync(join(PROJECT, 'docs', 'scripted.md'), 'utf8');
const SECTIONS = new Map(
  DOCUMENT.split(/^#### /m)
    .slice(1)
    .map((section) => [/^`([a-z-]+)`/.exec(section)?.[1] ?? '', section.split(/^### /m)[0] ?? '']),
);
const EXAMPLES = [...DOCUMENT.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, yaml = '']) => yaml);

describe('docs/scripted.md', () => {
  it('describes every step, and no other', () => {
    expect([...SECTIONS.keys()].sort()).toEqual(Object.keys(STEP_KINDS).sort());
  });

  it.each(Object.entries(STEP_KINDS))('has every key of %s, and an example', (name, kind) => {
    const section = SECTIONS.get(name) ?? '';
    const keys = kind.whole ? [] : kind.keys;
    for (const key of keys) expect(section).toMatch(new RegExp(`\`${key}(: |\`)`));
    expect(section).toMatch(new RegExp('```yaml\\n[^`]*- ' + name + '\\b'));
  });

  it('has examples that are valid scripts', async () => {
    expect(EXAMPLES.length).toBeGreaterThan(40);
    for (const example of EXAMPLES) await expect(parseScript(example)).resolves.toBeDefined();
  });
});
