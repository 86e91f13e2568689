import type { SkillRule, SkillRules } from '../../src/skills/skill-rules.ts';

export type PartialRule = Partial<Omit<SkillRule, 'promptTriggers'>> & Partial<SkillRule['promptTriggers']>;

/** Rules by skill name, with only what matters to a test. */
export function rulesOf(skills: { [name: string]: PartialRule }): SkillRules {
  return {
    version: '2.0',
    skills: Object.fromEntries(Object.entries(skills).map(([name, rule]) => [name, ruleOf(rule)])),
  };
}

function ruleOf({ keywords = [], intentPatterns = [], ...rule }: PartialRule): SkillRule {
  return {
    type: 'domain',
    enforcement: 'suggest',
    priority: 'high',
    scope: 'all',
    alwaysActivate: false,
    filePatterns: [],
    ...rule,
    promptTriggers: { keywords, intentPatterns },
  };
}
