import { arrayOf, type JsonObject, objectOf, stringOf } from '../core/json.ts';
import { oneLine, truncate } from '../core/text.ts';
import { loadPromptFrom } from '../prompts/load.ts';
import type { PromptSource } from '../prompts/source.ts';
import type { CostBlock } from '../rundir/result.ts';
import { runLLM } from '../running/text.ts';
import { TextRunError } from '../running/text-error.ts';
import { OWN_SKILL } from '../skills/own-skill.ts';
import { isSkillName } from '../skills/skill-name.ts';
import { type Asking, isWorthAnotherWay } from './ask-for-files.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { RepositoryScan } from './scan/scan.ts';

/** A part of a repository that gets a skill. */
export interface Domain {
  /** The skill's name. */
  name: string;
  about: string;
  /** Folders and files, from the top. */
  paths: string[];
}

/** The skill that is about the whole repository. */
export const BASE = 'base';
/** One question each: more would cost more than they tell. */
export const MAX_DOMAINS = 8;

const MAX_ABOUT = 400;
const MAX_PATHS = 30;
/** A folder with fewer source files has no rules of its own worth a skill. */
const MIN_FILES = 5;

const DOMAINS_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    domains: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          about: { type: 'string' },
          paths: { type: 'array', items: { type: 'string' } },
        },
        required: ['name', 'about', 'paths'],
        additionalProperties: false,
      },
    },
  },
  required: ['domains'],
  additionalProperties: false,
};

export interface NamedDomains {
  domains: Domain[];
  /** What could not be used, for a person. */
  notes: string[];
  usage: CostBlock | null;
}

/**
 * Asks which parts of the repository deserve a skill. Where the answer cannot be used, the folders with the most code
 * stand for them, and a note says so. Rejects with a TextRunError where a second question would fail as well.
 */
export async function askForDomains(
  scan: string,
  existing: string,
  repository: RepositoryScan,
  {
    asking: { implementer, ...options },
    sources,
    answers,
  }: { asking: Asking; sources: readonly PromptSource[]; answers: KeptAnswers },
): Promise<NamedDomains> {
  const prompt = loadPromptFrom(sources, 'skills-domains', { scan, existing, max: String(MAX_DOMAINS) });
  try {
    const run = await runLLM(prompt, { ...options, schema: DOMAINS_SCHEMA }, implementer);
    answers.keep('domains', run.text);
    return { ...readDomains(run.structuredOutput), usage: run.usage };
  } catch (error) {
    if (!(error instanceof TextRunError) || !isWorthAnotherWay(error)) throw error;
    const raw = error.text === '' ? '' : `, its answer is in ${answers.keep('domains', error.text)}`;
    const why = `the implementer named no parts of the repository (${error.message}${raw}): the folders with the most code are taken`;
    return { domains: proposeDomains(repository), notes: [why], usage: error.failure.usage };
  }
}

/** The domains of an answer: names by the rule, each once, not too many. */
export function readDomains(answer: unknown): { domains: Domain[]; notes: string[] } {
  const domains = new Map<string, Domain>();
  const notes: string[] = [];
  for (const one of arrayOf(objectOf(answer)['domains'])) {
    const { name, about, paths } = objectOf(one);
    const text = stringOf(name) ?? '';
    if (!isFreeName(text) || domains.has(text)) {
      notes.push(`no skill can be named ${JSON.stringify(truncate(text, 80))}: that part is left out`);
      continue;
    }
    domains.set(text, {
      name: text,
      about: truncate(oneLine(stringOf(about) ?? ''), MAX_ABOUT),
      paths: arrayOf(paths).flatMap(plainPath).slice(0, MAX_PATHS),
    });
  }
  const all = [...domains.values()];
  if (all.length > MAX_DOMAINS)
    notes.push(
      `more than ${MAX_DOMAINS} parts were named: ${all
        .slice(MAX_DOMAINS)
        .map(({ name }) => name)
        .join(', ')} are left out, --domain asks for them`,
    );
  return { domains: all.slice(0, MAX_DOMAINS), notes };
}

/** The folders with the most code, where nobody names the parts. */
export function proposeDomains({ folders }: Pick<RepositoryScan, 'folders'>): Domain[] {
  const domains = new Map<string, Domain>();
  for (const { path, sourceFiles } of folders) {
    const name = nameOf(path);
    // A folder that only holds others is told by those.
    const holdsOthers = folders.some((other) => other.path.startsWith(`${path}/`));
    if (name === null || sourceFiles < MIN_FILES || holdsOthers || domains.has(name)) continue;
    domains.set(name, { name, about: `what lies in ${path}/`, paths: [path] });
  }
  return [...domains.values()].slice(0, MAX_DOMAINS / 2);
}

function nameOf(path: string): string | null {
  const name = (path.split('/').at(-1) ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return isFreeName(name) ? name : null;
}

/** Baton's own skill lies beside those of the repository, and no answer is to take its place. */
function isFreeName(name: string): boolean {
  return isSkillName(name) && name !== BASE && name !== OWN_SKILL;
}

function plainPath(value: unknown): string[] {
  const path = stringOf(value);
  return path !== null && /^[^\u0000-\u001f\u007f`<>]{1,200}$/.test(path) ? [path] : [];
}
