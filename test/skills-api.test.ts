import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import * as skills from '../src/skills-api.ts';
import { temporaryFolder } from './support/temporary.ts';

it('has the whole way from a prompt to published skills in both entries', () => {
  const entries = [everything, skills] as { [name: string]: unknown }[];
  for (const name of [
    'runClaude',
    'runCodex',
    'runLLM',
    'resolveTimeout',
    'normalizeCodexItemType',
    'collectCodexText',
    'loadPrompt',
    'parseFileOutput',
    'sanitizePath',
    'getAllowedPaths',
    'writeSkillFiles',
    'writeTransformedFiles',
    'sanitizePublishedContent',
    'validateSkillFiles',
    'findSkillFiles',
    'parseTriggersFrontmatter',
    'parseActivationPatterns',
    'parseKeywords',
    'extractRulesFromSkills',
    'generateDomainPatterns',
    'matchSkills',
    'mergeSettings',
  ])
    expect(entries.map((entry) => [name, typeof entry[name]])).toEqual([
      [name, 'function'],
      [name, 'function'],
    ]);
});

it('needs no more than what a call is about', () => {
  const path = '.claude/skills/billing/SKILL.md';
  const content = '---\nname: billing\n---\n\n## Activation\n\n- `src/pay*.ts`\n\nKeywords: invoice\n';
  expect(skills.parseFileOutput(`<file path="${path}">\n${content}</file>\n`).files).toEqual([
    { path, content },
  ]);
  expect(skills.sanitizePath('.agents/skills/billing/SKILL.md').ok).toBe(true);
  expect(skills.getAllowedPaths()).toEqual(skills.getAllowedPaths(skills.TARGET_IDS));
  expect(skills.findSkillFiles(temporaryFolder()).files).toEqual([]);
  const rules = skills.extractRulesFromSkills(temporaryFolder());
  expect(rules).toEqual({ version: '2.0', skills: {} });
  expect(skills.matchSkills(rules, 'send the invoice').matches).toEqual([]);
});
