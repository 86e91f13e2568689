import { messageOf } from '../core/errors.ts';
import { arrayOf, isObject, type JsonObject, objectOf } from '../core/json.ts';
import { isSkillName } from './skill-name.ts';
import type { SkillRule, SkillRules } from './skill-rules.ts';

/** Something in the rules that is not used, and why. */
export interface RuleProblem {
  /** Null where it is about the whole file. */
  skill: string | null;
  detail: string;
}

/** Far above what people write: beyond it, the text was made to be slow. */
const MAX_TEXT = 500;

/**
 * The rules in the text of a `skill-rules.json`. What is wrong with one skill costs that skill, or only the one pattern,
 * and is reported; it never throws.
 *
 * By hand, without a schema library: the activation hook reads this at each prompt. The text is anybody's and goes to a
 * model, so a name keeps to the rule for names, and no control character passes.
 */
export function parseSkillRules(text: string): { rules: SkillRules; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const skills = skillsIn(text, problems);
  const entries = Object.entries(skills).flatMap(([name, value]): [string, SkillRule][] => {
    const problem = (detail: string): void => void problems.push({ skill: name, detail });
    if (!isSkillName(name))
      problem('its name is none for a skill: `a-z`, `0-9` and single hyphens, at most 64');
    const rule = isSkillName(name) ? readRule(value, problem) : null;
    return rule ? [[name, rule]] : [];
  });
  return { rules: { version: '2.0', skills: Object.fromEntries(entries) }, problems };
}

function skillsIn(text: string, problems: RuleProblem[]): JsonObject {
  try {
    const root: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isObject(root) && isObject(root['skills'])) return root['skills'];
    problems.push({ skill: null, detail: 'it is no object with `skills`' });
  } catch (error) {
    problems.push({ skill: null, detail: messageOf(error) });
  }
  return {};
}

/** The rule that a value holds; null where it is none. Only what is of the right kind is taken over. */
export function readRule(value: unknown, problem: (detail: string) => void): SkillRule | null {
  if (!isObject(value)) {
    problem('its rule is no object');
    return null;
  }
  const triggers = objectOf(value['promptTriggers']);
  return {
    type: value['type'] === 'base' ? 'base' : 'domain',
    enforcement: 'suggest',
    priority: value['priority'] === 'critical' ? 'critical' : 'high',
    scope: 'all',
    alwaysActivate: value['alwaysActivate'] === true,
    filePatterns: texts('filePatterns', value['filePatterns']),
    promptTriggers: {
      keywords: texts('keywords', triggers['keywords']),
      intentPatterns: texts('intentPatterns', triggers['intentPatterns']),
    },
  };

  function texts(field: string, list: unknown): string[] {
    if (list !== undefined && !Array.isArray(list)) problem(`${field} is no list`);
    return arrayOf(list).filter((item): item is string => {
      const wrong = wrongWith(item);
      if (wrong !== null) problem(`${field} has ${JSON.stringify(item)?.slice(0, 80)}, which ${wrong}`);
      return wrong === null;
    });
  }
}

function wrongWith(item: unknown): string | null {
  if (typeof item !== 'string') return 'is no text';
  if (item.trim() === '') return 'is empty';
  if (item.length > MAX_TEXT) return `is longer than ${MAX_TEXT}`;
  return /[\u0000-\u001f\u007f-\u009f]/.test(item) ? 'has a control character' : null;
}
