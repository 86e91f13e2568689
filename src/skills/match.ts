import { compileGlob } from './glob.ts';
import { type IntentAnswer, testIntents } from './intents.ts';
import { keywordFinder } from './keywords.ts';
import { pathsIn } from './prompt-paths.ts';
import { readRule, type RuleProblem } from './read-rules.ts';
import type { SkillRule, SkillRules } from './skill-rules.ts';

/** Why a skill is called for. */
export type MatchReason =
  | { kind: 'always' }
  | { kind: 'keyword'; keyword: string }
  | { kind: 'intent'; pattern: string }
  | { kind: 'file'; path: string; glob: string };

export interface SkillMatch {
  name: string;
  priority: SkillRule['priority'];
  /** One of each kind that applies, the first that was found. Never empty. */
  why: MatchReason[];
}

export interface MatchedSkills {
  /** Critical ones first, then by name. */
  matches: SkillMatch[];
  /** Rules that are none, and intent patterns that are wrong or too slow: they count as not matching. */
  problems: RuleProblem[];
}

/**
 * The skills that a prompt calls for, by its words, and by the files it names together with `files` (paths relative to
 * the top of the repository, such as those this session edited). Takes a bounded time, whatever the rules hold; what is
 * wrong with one of them costs the others nothing.
 */
export function matchSkills(rules: SkillRules, prompt: string, files: readonly string[] = []): MatchedSkills {
  const problems: RuleProblem[] = [];
  const skills = Object.entries(rules.skills).flatMap(([name, value]): [string, SkillRule][] => {
    const rule = readRule(value, (detail) => problems.push({ skill: name, detail }));
    return rule ? [[name, rule]] : [];
  });
  const found = matchReadRules({ ...rules, skills: Object.fromEntries(skills) }, prompt, files);
  return { matches: found.matches, problems: [...problems, ...found.problems] };
}

/** The same for rules that `parseSkillRules` has read. */
export function matchReadRules(rules: SkillRules, prompt: string, files: readonly string[]): MatchedSkills {
  const entries = Object.entries(rules.skills).sort(
    ([one, { priority: oneFirst }], [other, { priority: otherFirst }]) =>
      oneFirst === otherFirst ? (one < other ? -1 : 1) : oneFirst === 'critical' ? -1 : 1,
  );
  const hasKeyword = keywordFinder(prompt);
  const paths = [...new Set([...files, ...pathsIn(prompt)])];
  const { found, problems } = intentsOf(entries, prompt);
  const matches = entries.flatMap(([name, rule]): SkillMatch[] => {
    const keyword = rule.promptTriggers.keywords.find(hasKeyword);
    const pattern = found.get(name);
    const file = firstFile(rule.filePatterns, paths);
    const why: MatchReason[] = [
      ...(rule.alwaysActivate ? [{ kind: 'always' } as const] : []),
      ...(keyword === undefined ? [] : [{ kind: 'keyword', keyword } as const]),
      ...(pattern === undefined ? [] : [{ kind: 'intent', pattern } as const]),
      ...(file === null ? [] : [{ kind: 'file', ...file } as const]),
    ];
    return why.length > 0 ? [{ name, priority: rule.priority, why }] : [];
  });
  return { matches, problems };
}

/** The first intent pattern that matches, by skill; all of them are tested in one go, under one limit. */
function intentsOf(
  entries: readonly [string, SkillRule][],
  prompt: string,
): { found: Map<string, string>; problems: RuleProblem[] } {
  const all = entries.flatMap(([skill, { promptTriggers }]) =>
    promptTriggers.intentPatterns.map((pattern) => ({ skill, pattern })),
  );
  const found = new Map<string, string>();
  const problems: RuleProblem[] = [];
  const answers: IntentAnswer[] =
    all.length > 0 && prompt !== ''
      ? testIntents(
          all.map(({ pattern }) => pattern),
          prompt,
        )
      : [];
  for (const [index, answer] of answers.entries()) {
    const { skill = '', pattern = '' } = all[index] ?? {};
    if (typeof answer === 'object')
      problems.push({ skill, detail: `the intent pattern ${JSON.stringify(pattern)}: ${answer.problem}` });
    else if (answer && !found.has(skill)) found.set(skill, pattern);
  }
  return { found, problems };
}

function firstFile(
  globs: readonly string[],
  paths: readonly string[],
): { path: string; glob: string } | null {
  if (paths.length === 0) return null;
  for (const glob of globs) {
    const path = paths.find(compileGlob(glob));
    if (path !== undefined) return { path, glob };
  }
  return null;
}
