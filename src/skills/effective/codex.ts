import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runCommand } from '../../core/command.ts';
import { which } from '../../process/which.ts';
import { readFrontmatter } from '../frontmatter.ts';
import { type Candidate, candidatesFor, missingFrom, type Place } from './candidates.ts';
import { type CodexLine, parseCodexPrompt } from './codex-prompt.ts';
import type { EffectiveList, EffectiveSkill, SkillReason } from './contract.ts';
import { fieldText } from './field-text.ts';

/** The version whose lists these rules were read from. */
const SEEN = '0.171.0';
const MAX_DESCRIPTION = 1024;
const MAX_NAME = 64;
const ASK_MS = 20_000;

/**
 * What codex tells its model of skills. `codex debug prompt-input` says it, without a request; where that cannot be had
 * it is computed by the rules that codex was seen to follow.
 */
export async function effectiveForCodex(place: Place): Promise<EffectiveList> {
  const candidates = candidatesFor('codex', place);
  const computed = compute(candidates);
  const answer = await ask(place);
  if ('why' in answer) {
    const note = `by the rules of codex ${SEEN} (${answer.why}); a list that is too long is cut further`;
    return { target: 'codex', how: 'computed', note, skills: computed };
  }
  const byPath = new Map(answer.lines.map((line) => [realOf(line.path), line]));
  const known = new Set(candidates.map(({ real }) => real));
  const others = [...byPath].filter(([real]) => !known.has(real)).map(([, line]) => foreign(line, place.top));
  const skills = computed.map((skill) => compared(skill, byPath.get(realOf(skill.path))));
  const note = 'as `codex debug prompt-input` prints it';
  return { target: 'codex', how: 'asked', note, skills: [...skills, ...others] };
}

async function ask({ cwd, env }: Place): Promise<{ lines: CodexLine[] } | { why: string }> {
  const file = which('codex', env);
  if (file === null) return { why: 'no executable `codex` on PATH' };
  const args = ['debug', 'prompt-input', 'list the skills'];
  const { end, code, stdout } = await runCommand({ file, args, cwd, env, timeoutMs: ASK_MS });
  if (end !== 'exited' || code !== 0) return { why: 'codex did not answer `debug prompt-input`' };
  const lines = parseCodexPrompt(stdout.toString('utf8'));
  return lines === null
    ? { why: 'the answer of `codex debug prompt-input` has no list of skills' }
    : { lines };
}

function compute(candidates: readonly Candidate[]): EffectiveSkill[] {
  const seen = new Map<string, string>();
  return candidates.map((file) => {
    const first = seen.get(file.real);
    seen.set(file.real, first ?? file.path);
    return judge(file, first);
  });
}

function judge(file: Candidate, first: string | undefined): EffectiveSkill {
  const missing = missingFrom('codex', file);
  if (!file.path.endsWith('SKILL.md'))
    return missing('not-discovered', 'only a file named SKILL.md is looked for');
  if (file.hidden) return missing('not-discovered', 'folders that begin with a dot are not looked at');
  if (file.content === null) return missing('refused', file.problem ?? 'it cannot be read');
  if (first !== undefined) return missing('shadowed', `it is the same file as ${first}`);
  const refusal = refusalOf(file.content);
  if (refusal !== null) return missing('refused', refusal);
  const { name, description } = saidBy(file.content);
  const reasons: SkillReason[] = [];
  const folder = basename(dirname(file.path));
  if (name !== '' && name !== folder)
    reasons.push({
      code: 'name-differs',
      detail: `its name is ${JSON.stringify(name)}, its folder's ${folder}`,
    });
  if (file.within !== null)
    reasons.push({
      code: 'phantom',
      detail: `it lies in the folder of the skill ${file.within}, and is listed for itself`,
    });
  // It counts code points.
  const { length } = Array.from(description);
  const long = length > MAX_DESCRIPTION;
  if (long)
    reasons.push({
      code: 'too-long',
      detail: `its description has ${length} characters, ${MAX_DESCRIPTION} are sent`,
    });
  return {
    ...missing('refused', ''),
    name: name === '' ? folder : name,
    status: long ? 'cut' : 'sent',
    description: long
      ? `${Array.from(description)
          .slice(0, MAX_DESCRIPTION - 3)
          .join('')}...`
      : description,
    reasons,
  };
}

function refusalOf(content: string): string | null {
  if (content.startsWith('\uFEFF')) return 'it begins with a byte order mark';
  const read = readFrontmatter(content);
  if (!read) return 'its first line is not `---`';
  const [problem] = read.problems;
  if (problem !== undefined) return problem;
  const { name, description } = saidBy(content);
  if (description === '') return 'it has no description';
  if (description.startsWith('*') && read.warnings.length > 0)
    return 'its description begins with `*`, and needs quotes';
  if (name.length > MAX_NAME) return `its name has ${name.length} characters, the limit is ${MAX_NAME}`;
  const metadata = read.fields.get('metadata');
  const odd = metadata !== undefined && metadata !== null && !(metadata instanceof Map);
  return odd ? '`metadata` is no mapping' : null;
}

function saidBy(content: string): { name: string; description: string } {
  const fields = readFrontmatter(content)?.fields;
  return { name: fieldText(fields?.get('name')), description: fieldText(fields?.get('description')) };
}

/** What codex says wins over what the rules let expect. */
function compared(skill: EffectiveSkill, line: CodexLine | undefined): EffectiveSkill {
  if (!line) {
    if (skill.status === 'missing') return skill;
    const reason: SkillReason = {
      code: 'not-listed',
      detail: 'codex does not list it, and does not say why',
    };
    return { ...skill, status: 'missing', description: null, reasons: [...skill.reasons, reason] };
  }
  const told = { ...skill, name: line.name, description: line.description };
  if (skill.status === 'missing') return { ...told, status: 'sent', reasons: [] };
  if (line.description === skill.description) return told;
  const detail = `the list is too long: ${line.description.length} characters of its description are sent`;
  return { ...told, status: 'cut', reasons: [...skill.reasons, { code: 'list-cut', detail }] };
}

function foreign({ name, description, path }: CodexLine, top: string): EffectiveSkill {
  const project = path.startsWith(join(top, '/'));
  const reasons: SkillReason[] = project
    ? [{ code: 'phantom', detail: 'it does not lie in a folder of its own' }]
    : [];
  return {
    target: 'codex',
    name,
    path,
    source: project ? 'project' : 'other',
    status: 'sent',
    description,
    reasons,
  };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
