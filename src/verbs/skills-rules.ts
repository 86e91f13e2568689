import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import type { Env } from '../core/environment.ts';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import { writeSkillFiles } from '../publishing/publish.ts';
import { extractRules, formatSkillRules } from '../skills/extract-rules.ts';
import type { SkillRules } from '../skills/skill-rules.ts';
import { findTarget } from '../targets/target.ts';
import { readProjectFile } from '../trust/project-file.ts';
import { type RunChoice, treeAt } from './run-at.ts';

export interface RulesChoice extends Pick<RunChoice, 'cd' | 'env'> {
  /** The file of the rules, from the current directory; null is the one beside the skills. */
  out: string | null;
  /** Writes that file; otherwise it is only looked at. */
  write: boolean;
}

export interface RulesReport {
  rules: SkillRules;
  /** The rules as they stand in a file. */
  text: string;
  /** The file that is meant; absolute. */
  file: string;
  /** What lay there before: these rules, others, or nothing. */
  before: 'same' | 'other' | 'none';
  written: boolean;
  /** What could not be read, for a person. */
  problems: string[];
}

interface PublishedRules {
  root: string;
  path: string;
  text: string;
  env: Env;
}

/**
 * The rules by which the skills of a repository are activated. Throws a BatonError where the file cannot be written, or
 * (`project-file`) where the one beside the skills is reached through a link.
 */
export async function skillRules({ cd, env, out, write }: RulesChoice): Promise<RulesReport> {
  const { treeTop } = await treeAt({ cd, env });
  const { skills, rules: place } = findTarget('claude');
  const own = place ?? `${skills}/skill-rules.json`;
  const file = out === null ? join(treeTop, own) : resolve(out);
  const old = out === null ? (readProjectFile(treeTop, own)?.toString('utf8') ?? null) : textOf(file);
  const { rules, problems } = extractRules(join(treeTop, skills));
  const text = formatSkillRules(rules);
  const before = old === null ? 'none' : old === text ? 'same' : 'other';
  const written = write && before !== 'same';
  if (written && out === null) await publishRules({ root: treeTop, path: own, text, env });
  else if (written) writeRules(file, text);
  return { rules, text, file, before, written, problems };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new BatonError('skill-rules', `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Beside the skills, as all that is generated: with a journal, and to be undone. What is made of skills may be replaced. */
async function publishRules({ root, path, text, env }: PublishedRules): Promise<void> {
  const { files } = await writeSkillFiles(root, [{ path, content: text }], {
    targets: ['claude'],
    force: true,
    env,
  });
  const refused = files.find(({ status }) => status === 'skipped');
  if (refused)
    throw new BatonError('skill-rules', `${path} is not written: ${refused.reason ?? 'it is refused'}`, {
      hint: 'with `--out <file>` the rules go to another place',
    });
}

/** Where the user said: it may be anywhere. */
function writeRules(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    writeFileAtomic(file, text, 0o644);
    if (mode !== undefined) chmodSync(file, mode & 0o777);
  } catch (error) {
    throw new BatonError('skill-rules', `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
