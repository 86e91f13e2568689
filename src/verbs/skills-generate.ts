import { UsageError } from '../core/errors.ts';
import { askForDomains, BASE, type Domain, MAX_DOMAINS, type NamedDomains } from '../generate/domains.ts';
import { existingSkills, fileToday, skillPath } from '../generate/existing-skills.ts';
import {
  addUsage,
  type Generation,
  type GenerationOptions,
  type GenerationReport,
  settleQuestions,
  withGeneration,
} from '../generate/generation.ts';
import { instructionFiles, instructionSource } from '../generate/instruction-files.ts';
import type { Question } from '../generate/question.ts';
import { scanInWords } from '../generate/scan/in-words.ts';
import type { RepositoryScan } from '../generate/scan/scan.ts';
import { OWN_SKILL } from '../skills/own-skill.ts';
import { isSkillName } from '../skills/skill-name.ts';
import type { Target } from '../targets/target.ts';

export interface GenerateOptions extends GenerationOptions {
  /** Only these skills (`base` is the one about the whole); null for all that the repository deserves, and its instructions. */
  domains: readonly string[] | null;
  /** Told which parts were found, before their skills are asked for. */
  onDomains: (domains: readonly Domain[]) => void;
}

export interface GenerateReport extends GenerationReport {
  /** The parts of the repository that a skill was asked for. */
  domains: Domain[];
}

/**
 * Asks an implementer for a repository's skills and instruction files, and publishes them where `agree` says yes.
 * Rejects with a UsageError before anything is asked, and with a TextRunError where the first question fails for good.
 */
export async function generateSkills(options: GenerateOptions): Promise<GenerateReport> {
  checkNames(options.domains);
  return withGeneration(options, async (generation) => {
    const { scan, targets } = generation;
    const facts = scanInWords(scan);
    const { domains, notes, usage } = await domainsOf(options.domains, facts, generation);
    if (options.domains === null) options.onDomains(domains);
    const place: Place = { scan, source: generation.source, facts, domains };
    const whole = options.domains === null;
    const instructions = whole ? instructionSource(scan.top, targets) : null;
    const questions = [
      ...(instructions === null ? [] : [askInstructions(instructions, place)]),
      ...(whole || options.domains?.includes(BASE) ? [askBase(place)] : []),
      ...domains.map((domain) => askDomain(domain, place)),
    ];
    const report = await settleQuestions(questions, generation, (asked) =>
      whole ? instructionFiles(scan.top, targets, asked, options.env) : { files: [], notes: [] },
    );
    return {
      ...report,
      domains,
      notes: [...notes, ...report.notes, ...askAgain(report)],
      usage: addUsage(usage, report.usage),
    };
  });
}

async function domainsOf(
  names: readonly string[] | null,
  facts: string,
  { scan, source, asking, sources, answers }: Generation,
): Promise<NamedDomains> {
  if (names !== null) {
    const domains = names.filter((name) => name !== BASE).map((name) => ({ name, about: '', paths: [] }));
    return { domains, notes: [], usage: null };
  }
  const existing = existingSkills(scan.top, source).map(
    ({ name, description }) => `- \`${name}\`: ${description}`,
  );
  return askForDomains(facts, existing.join('\n') || NOTHING, scan, { asking, sources, answers });
}

const NOTHING = '(nothing yet)';

interface Place {
  scan: RepositoryScan;
  /** The target whose paths the implementer writes; the others get the same. */
  source: Target;
  facts: string;
  domains: readonly Domain[];
}

function askInstructions(file: string, { scan: { top }, facts, domains }: Place): Question {
  const today = fileToday(top, file) ?? fileToday(top, 'CLAUDE.md') ?? NOTHING;
  const vars = { file, domains: listOf(domains), today, scan: facts };
  return { name: 'instructions', prompt: 'skills-instructions', vars, file, skill: null };
}

function askBase({ scan: { top }, source, facts, domains }: Place): Question {
  const file = skillPath(source, BASE);
  const vars = { file, domains: listOf(domains), today: fileToday(top, file) ?? NOTHING, scan: facts };
  return { name: `skill ${BASE}`, prompt: 'skills-base', vars, file, skill: BASE };
}

function askDomain({ name, about, paths }: Domain, { scan: { top }, source, facts }: Place): Question {
  const file = skillPath(source, name);
  const vars = {
    name,
    about: about || 'what its name says; find out what that is here',
    paths: paths.map((path) => `- \`${path}\``).join('\n') || '- find out',
    file,
    today: fileToday(top, file) ?? NOTHING,
    scan: facts,
  };
  return { name: `skill ${name}`, prompt: 'skills-domain', vars, file, skill: name };
}

function listOf(domains: readonly Domain[]): string {
  return domains.map(({ name, about }) => `- \`${name}\`: ${about}`).join('\n') || '(there are none)';
}

/** What is missing need not be paid for with all the rest once more. */
function askAgain({ answers }: GenerationReport): string[] {
  const missing = answers.flatMap(({ skill, used }) => (skill === null || used ? [] : [`--domain ${skill}`]));
  return missing.length === 0
    ? []
    : [`\`baton skills generate ${missing.join(' ')}\` asks again for what is missing`];
}

function checkNames(names: readonly string[] | null): void {
  if (names === null) return;
  for (const name of names) {
    if (isSkillName(name)) continue;
    throw new UsageError(
      `--domain ${JSON.stringify(name)} cannot be the name of a skill: write a-z, 0-9 and single hyphens, 64 characters at most`,
    );
  }
  if (names.includes(OWN_SKILL))
    throw new UsageError(`--domain ${OWN_SKILL} is the name of baton's own skill`, {
      hint: 'choose another name; `baton skill install` brings that one',
    });
  if (new Set(names).size < names.length) throw new UsageError('--domain names a skill twice');
  if (names.length > MAX_DOMAINS + 1)
    throw new UsageError(`--domain names ${names.length} skills: ask for ${MAX_DOMAINS + 1} at once at most`);
}
