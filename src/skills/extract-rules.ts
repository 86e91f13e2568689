import { messageOf } from '../core/errors.ts';
import { toJsonFile } from '../core/json.ts';
import { findSkillFiles } from './find.ts';
import { readFrontmatter } from './frontmatter.ts';
import { isOwnSkill } from './own-skill.ts';
import { readSkillText } from './read-skill.ts';
import type { SkillRule, SkillRules, Triggers } from './skill-rules.ts';
import { parseTriggers } from './triggers.ts';

/** The skill that is about the whole repository. */
const BASE = 'base';
const MAX_DERIVED = 5;
/** Folder and word that say nothing of what a skill is about. */
const COMMON = new Set(
  'app apps base build client code common components config core data dist docs domain domains features files general helpers index internal lib libs main misc modules packages pages pkg project public scripts server services shared skill skills source spec specs src static test tests types utils'.split(
    ' ',
  ),
);

/** The rules of all skills in a folder of skills (its first level: deeper ones are no skills of their own). */
export function extractRulesFromSkills(dir: string): SkillRules {
  return extractRules(dir).rules;
}

/** The rules, and what could not be read on the way. */
export function extractRules(dir: string): { rules: SkillRules; problems: string[] } {
  const { files, problems } = findSkillFiles(dir);
  const said = problems.map(({ path, reason }) => `${path}: ${reason}`);
  const contents = new Map<string, string>();
  for (const { name, path } of files.filter(({ depth }) => depth === 1)) {
    try {
      const content = readSkillText(path);
      if (isOwnSkill(name, content)) continue;
      said.push(...(readFrontmatter(content)?.problems ?? []).map((problem) => `${path}: ${problem}`));
      contents.set(name, content);
    } catch (error) {
      said.push(messageOf(error));
    }
  }
  return { rules: rulesOf(contents), problems: said };
}

/** The rules of skills by name, from the text of each `SKILL.md`: of files that are about to be written, too. */
export function rulesOf(contents: ReadonlyMap<string, string>): SkillRules {
  const rules = [...contents].map(([name, content]): [string, SkillRule] => [
    name,
    ruleOf(name, parseTriggers(content)),
  ]);
  // `fromEntries` defines: a skill named `__proto__` is one among others.
  const skills = Object.fromEntries(rules.sort(([a], [b]) => compare(a, b)));
  return { version: '2.0', skills };
}

/** The text of `skill-rules.json`. */
export function formatSkillRules(rules: SkillRules): string {
  return toJsonFile(rules);
}

function ruleOf(name: string, { filePatterns, keywords, alwaysActivate }: Triggers): SkillRule {
  const base = name === BASE;
  const patterns = sorted(filePatterns.map(normalized));
  const untold = patterns.length === 0 && keywords.length === 0;
  const explicit = sorted(keywords);
  return {
    type: base ? 'base' : 'domain',
    enforcement: 'suggest',
    priority: base ? 'critical' : 'high',
    scope: 'all',
    alwaysActivate: alwaysActivate || (base && untold),
    filePatterns: patterns,
    promptTriggers: { keywords: [...explicit, ...derived(name, patterns, explicit)], intentPatterns: [] },
  };
}

/** A pattern from the top of the repository; a folder is all that lies in it. */
function normalized(pattern: string): string {
  const path = pattern.replace(/^(?:\.?\/)+/, '');
  return path.endsWith('/') ? `${path}**` : path;
}

/** Few words that are about this skill alone: its name, and the folders that its patterns name. */
function derived(name: string, patterns: readonly string[], explicit: readonly string[]): string[] {
  const told = new Set(explicit.map((word) => word.toLowerCase()));
  const folders = patterns.flatMap((pattern) => pattern.split('/').slice(0, -1));
  const words = [name, name.replaceAll('-', ' '), ...folders].map((word) => word.toLowerCase());
  const specific = words.filter(
    (word) => /^[\p{L}\p{N}][\p{L}\p{N} _-]{2,}$/u.test(word) && !COMMON.has(word) && !told.has(word),
  );
  return sorted([...new Set(specific)].slice(0, MAX_DERIVED));
}

function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort(compare);
}

/** By code unit, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
