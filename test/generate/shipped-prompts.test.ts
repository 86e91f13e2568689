import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFileOutput } from '../../src/answers/parse-file-output.ts';
import { getAllowedPaths } from '../../src/targets/sanitize-path.ts';
import { loadPrompt } from '../../src/prompts/load.ts';
import { parseTriggersFrontmatter } from '../../src/skills/triggers.ts';
import { validateSkillFiles } from '../../src/skills/validate.ts';
import { PROJECT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The example of the partial that shows the form of a skill. */
function example(): string {
  const text = readFileSync(join(PROJECT, 'prompts', 'partials', 'skill-format.md'), 'utf8');
  return /<example>\n([^]*?)<\/example>/.exec(text)?.[1] ?? '';
}

describe('the example of a skill', () => {
  it('is a skill that nothing is wrong with', () => {
    expect(example()).toContain('## Critical Rules');
    const path = '.claude/skills/billing/SKILL.md';
    expect(validateSkillFiles([{ path, content: example() }], temporaryFolder())).toEqual([]);
  });

  it('has triggers that are read', () => {
    expect(parseTriggersFrontmatter(example())).toEqual({
      filePatterns: ['src/billing/**'],
      keywords: ['invoice', 'refund', 'tax rate'],
      alwaysActivate: false,
    });
  });
});

describe('the file protocol as prompts explain it', () => {
  it('is what the parser reads', () => {
    const text = readFileSync(join(PROJECT, 'prompts', 'partials', 'file-protocol.md'), 'utf8');
    const shown = /^<file path="the\/path\.md">$[^]*?^<\/file>$/m.exec(text)?.[0] ?? '';
    const answer = shown.replace('the/path.md', '.claude/skills/a/SKILL.md');
    expect(parseFileOutput(answer, getAllowedPaths(['claude']))).toMatchObject({
      files: [
        {
          path: '.claude/skills/a/SKILL.md',
          content: 'the whole content of the file, as it is to be written\n',
        },
      ],
      problems: [],
    });
  });

  it('reads an answer that only repeats the prompt as no file for the skill that was asked for', () => {
    const vars = {
      name: 'n',
      about: 'A',
      paths: 'P',
      file: '.claude/skills/n/SKILL.md',
      today: 'T',
      scan: 'S',
    };
    const { files } = parseFileOutput(loadPrompt('skills-domain', vars), getAllowedPaths(['claude']));
    expect(files).toEqual([]);
  });
});
