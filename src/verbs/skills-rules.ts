import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
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
  if (written) writeRules(file, text);
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

function writeRules(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644;
    writeFileAtomic(file, text, mode & 0o777);
  } catch (error) {
    throw new BatonError('skill-rules', `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
