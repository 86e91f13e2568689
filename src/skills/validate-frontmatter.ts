import { type Frontmatter, readFrontmatter, splitFrontmatter } from './frontmatter.ts';
import type { FindingInFile } from './skill-finding.ts';
import { isSkillName } from './skill-name.ts';

const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
const KNOWN = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);

type Rule = FindingInFile['rule'];
/** The line of a key, where the text has one. */
type Where = (key: string) => { line?: number };

/** Holds a skill's frontmatter against the Agent Skills format. `folder` is the name of the folder it lies in. */
export function validateFrontmatter(content: string, folder: string): FindingInFile[] {
  const mark = content.startsWith('\uFEFF')
    ? [error('byte-order-mark', 'the file begins with a byte order mark: codex refuses the skill')]
    : [];
  const read = readFrontmatter(content);
  if (!read) {
    const message = 'the first line is not `---`: the skill has neither a name nor a description';
    return [...mark, error('frontmatter-missing', message, { line: 1 })];
  }
  const [problem] = read.problems;
  if (problem !== undefined) return [...mark, error('frontmatter-not-yaml', problem)];
  const lines = splitFrontmatter(content)?.yaml.split('\n') ?? [];
  const where: Where = (key) => {
    const at = lines.findIndex((line) => line.startsWith(`${key}:`));
    return at === -1 ? {} : { line: at + 2 };
  };
  return [
    ...mark,
    ...read.warnings.map((warning) =>
      warn('needs-quotes', `${warning}: only lenient readers take it; \`baton skills migrate\` adds them`),
    ),
    ...nameFindings(read, folder, where),
    ...descriptionFindings(read, where),
    ...optionalFindings(read, where),
    ...unknownFindings(read, where),
  ];
}

function nameFindings({ fields }: Frontmatter, folder: string, where: Where): FindingInFile[] {
  const name = fields.get('name');
  if (typeof name !== 'string' || name === '')
    return [error('name', 'there is no `name`, or it is no text', where('name'))];
  const shown = JSON.stringify(name);
  if (!isSkillName(name))
    return [
      error('name', `the name ${shown} is not 1 to 64 of a-z, 0-9 and single hyphens within`, where('name')),
    ];
  if (name === folder) return [];
  return [
    error('name', `the name ${shown} is not that of its folder, ${JSON.stringify(folder)}`, where('name')),
  ];
}

function descriptionFindings({ fields }: Frontmatter, where: Where): FindingInFile[] {
  const description = fields.get('description');
  const at = where('description');
  if (typeof description !== 'string' || description.trim() === '')
    return [
      error(
        'description',
        'there is no `description`, or it is no text: no agent knows when to use the skill',
        at,
      ),
    ];
  const length = lengthOf(description);
  if (length <= MAX_DESCRIPTION) return [];
  const message = `the description has ${length} characters of ${MAX_DESCRIPTION}: codex cuts the rest, claude what is over 1,536`;
  return [error('description', message, at)];
}

function optionalFindings({ fields }: Frontmatter, where: Where): FindingInFile[] {
  const findings = ['license', 'compatibility', 'allowed-tools']
    .filter((key) => fields.has(key) && typeof fields.get(key) !== 'string')
    .map((key) => error('field', `\`${key}\` is no text`, where(key)));
  const compatibility = fields.get('compatibility');
  if (typeof compatibility === 'string' && lengthOf(compatibility) > MAX_COMPATIBILITY) {
    const message = `\`compatibility\` is longer than ${MAX_COMPATIBILITY} characters`;
    findings.push(error('field', message, where('compatibility')));
  }
  const metadata = fields.get('metadata');
  if (fields.has('metadata') && !(metadata instanceof Map))
    findings.push(error('field', '`metadata` is no mapping: codex refuses the skill', where('metadata')));
  if (metadata instanceof Map && [...metadata.values()].some((value) => typeof value !== 'string'))
    findings.push(warn('field', 'a value in `metadata` is no text: it needs quotes', where('metadata')));
  return findings;
}

function unknownFindings({ fields }: Frontmatter, where: Where): FindingInFile[] {
  return [...fields.keys()]
    .filter((key) => !KNOWN.has(key))
    .map((key) => {
      const more = MORE_ON.get(key) ?? '';
      return warn(
        'unknown-field',
        `${JSON.stringify(key)} is not in the Agent Skills format${more}`,
        where(key),
      );
    });
}

const MORE_ON: ReadonlyMap<string, string> = new Map([
  ['triggers', ': it belongs under `metadata`, as a JSON string'],
  ['paths', ': claude hides the description until a matching file is touched'],
  ['hooks', ': claude starts its commands, outside of every sandbox'],
]);

/** In characters as people count them in Unicode: code points. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function error(rule: Rule, message: string, where: { line?: number } = {}): FindingInFile {
  return { ...where, severity: 'error', rule, message };
}

function warn(rule: Rule, message: string, where: { line?: number } = {}): FindingInFile {
  return { ...where, severity: 'warning', rule, message };
}
