import { readFrontmatter, splitFrontmatter } from '../frontmatter.ts';
import { type Candidate, candidatesFor, missingFrom, type Place } from './candidates.ts';
import { bySettings } from './claude-settings.ts';
import type { EffectiveList, EffectiveSkill, SkillReason } from './contract.ts';
import { fieldText } from './field-text.ts';

/** The version whose requests these rules were read from. */
const SEEN = '2.1.332';
const MAX_DESCRIPTION = 1536;
/** Characters of the whole list, by the window of the model: of 1,000,000 tokens, and of 200,000 (haiku). */
const LIST_BUDGET = { large: 30_000, small: 8_000 } as const;
/** What its own skills take of that: they are not cut. */
const OWN_SKILLS = 6_100;
/** `- `, and the end of the line. */
const LINE_SIGNS = 3;

/** What claude tells its model of skills, by the rules that it was seen to follow: it cannot be asked without a request. */
export function effectiveForClaude(place: Place): EffectiveList {
  const taken = new Map<string, string>();
  const skills = candidatesFor('claude', place).map((file) => judge(file, taken));
  return {
    target: 'claude',
    how: 'computed',
    note: `by the rules of claude ${SEEN}, which cannot be asked without a request; its own skills come on top`,
    skills: withinBudget(bySettings(skills, place)),
  };
}

function judge(file: Candidate, taken: Map<string, string>): EffectiveSkill {
  const missing = missingFrom('claude', file);
  if (!file.path.endsWith('SKILL.md'))
    return missing('not-discovered', 'only a file named SKILL.md is looked for');
  if (file.depth > 1) return missing('not-discovered', 'only folders directly below `skills` are looked at');
  if (file.content === null) return missing('refused', file.problem ?? 'it cannot be read');
  const first = taken.get(file.name) ?? taken.get(file.real);
  if (first !== undefined) return missing('shadowed', `${first} comes before it`);
  taken.set(file.name, file.path).set(file.real, file.path);
  const fields = readFrontmatter(file.content)?.fields ?? new Map<string, unknown>();
  if (isForSomeFiles(fields.get('paths')))
    return missing('hidden-by-paths', 'it has `paths`: hidden until a file that matches is touched');
  if (fieldText(fields.get('disable-model-invocation')) === 'true')
    return missing('not-for-model', 'it has `disable-model-invocation`: only a person can start it');
  return { ...missing('refused', ''), ...shown(file, file.content) };
}

/** How it stands in the list, before the list as a whole is cut. */
function shown(
  { name: folder }: Candidate,
  content: string,
): Pick<EffectiveSkill, 'name' | 'status' | 'description' | 'reasons'> {
  const reasons: SkillReason[] = [];
  const read = readFrontmatter(content);
  const [problem] = read?.problems ?? [];
  const name = fieldText(read?.fields.get('name'));
  const listed = name !== '' && name !== folder && /^[\w.-]+$/.test(name) ? `${folder} (${name})` : folder;
  if (name !== '' && name !== folder)
    reasons.push({
      code: 'name-differs',
      detail: `its name is ${JSON.stringify(name)}, its folder's ${folder}`,
    });
  if (problem !== undefined) reasons.push({ code: 'odd-frontmatter', detail: problem });
  if (problem !== undefined && isReadAnyway(problem))
    return { name: listed, status: 'sent', description: null, reasons };
  const described = descriptionOf(read?.fields ?? new Map<string, unknown>());
  if (described === '')
    reasons.push({
      code: 'no-description',
      detail: 'it has no description: the first line of the text stands for it',
    });
  const text = splitFrontmatter(content);
  const whole = described === '' ? firstLine(text && text.close !== '' ? text.body : content) : described;
  const long = whole.length > MAX_DESCRIPTION;
  if (long)
    reasons.push({
      code: 'too-long',
      detail: `its description has ${whole.length} characters, ${MAX_DESCRIPTION} are sent`,
    });
  const description = long ? `${whole.slice(0, MAX_DESCRIPTION - 1)}…` : whole;
  return { name: listed, status: long ? 'cut' : 'sent', description, reasons };
}

/** Patterns that do not just match every file. */
function isForSomeFiles(paths: unknown): boolean {
  const patterns: unknown[] = Array.isArray(paths) ? paths : [paths];
  return patterns.some((one) => typeof one === 'string' && one.trim() !== '' && one.trim() !== '**');
}

/** What is YAML of another kind (or has tabs) claude reads in a way of its own; what is none it does not read. */
function isReadAnyway(problem: string): boolean {
  return !/not closed|no list of/.test(problem) && (!problem.startsWith('not YAML') || /tabs/i.test(problem));
}

function descriptionOf(fields: ReadonlyMap<string, unknown>): string {
  const description = fieldText(fields.get('description'));
  const when = fieldText(fields.get('when_to_use'));
  return description === '' || when === '' ? description : `${description} - ${when}`;
}

function firstLine(text: string): string {
  const line = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .find((one) => one.trim() !== '');
  return line === undefined ? 'Skill' : line.replace(/^\s*#+\s+/, '').trim();
}

/** All names are sent; descriptions as long as there is room for them. */
function withinBudget(skills: readonly EffectiveSkill[]): EffectiveSkill[] {
  const large = fitting(skills, LIST_BUDGET.large);
  const small = fitting(skills, LIST_BUDGET.small);
  return skills.map((skill) => {
    if (skill.description === null) return skill;
    if (!large.has(skill)) {
      const detail = `the list is too long (about ${LIST_BUDGET.large} characters): only its name is sent`;
      const reasons = [...skill.reasons, { code: 'list-cut' as const, detail }];
      return { ...skill, status: 'cut', description: null, reasons };
    }
    if (small.has(skill)) return skill;
    const detail = `a model with a window of 200,000 tokens reads only its name: its list has ${LIST_BUDGET.small} characters`;
    return { ...skill, reasons: [...skill.reasons, { code: 'small-window' as const, detail }] };
  });
}

/** The skills whose descriptions find room: in the order of the list, and a later one where an earlier did not fit. */
function fitting(skills: readonly EffectiveSkill[], budget: number): Set<EffectiveSkill> {
  const listed = skills.filter(({ status }) => status !== 'missing');
  let room = budget - OWN_SKILLS - listed.reduce((sum, { name }) => sum + name.length + LINE_SIGNS, 0);
  const found = new Set<EffectiveSkill>();
  for (const skill of listed) {
    const cost = (skill.description?.length ?? 0) + 2;
    if (cost > room) continue;
    room -= cost;
    found.add(skill);
  }
  return found;
}
