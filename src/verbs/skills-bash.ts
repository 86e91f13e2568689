import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf, UsageError } from '../core/errors.ts';
import { generateDomainPatterns } from '../skills/bash-patterns.ts';
import { replaceBetweenMarkers } from '../skills/markers.ts';
import type { SkillRules } from '../skills/skill-rules.ts';

export interface BashPatterns {
  /** The function between its markers. */
  text: string;
  /** The file whose function was replaced, absolute; null where none was named. */
  file: string | null;
  /** Whether that file had to change. */
  written: boolean;
}

/**
 * The bash function that tells the skills of a file. With `into`, it takes the place of the one between the markers in
 * that file, whose other bytes and mode stay. Throws a UsageError where that file does not have each marker once.
 */
export function bashPatterns(rules: SkillRules, into: string | null): BashPatterns {
  const text = generateDomainPatterns(rules);
  if (into === null) return { text, file: null, written: false };
  const file = resolve(into);
  const before = readScript(file);
  // As bytes, one a sign: the rest of the script may be in any encoding.
  const after = replaceIn(file, before.toString('latin1'), Buffer.from(text, 'utf8').toString('latin1'));
  const bytes = Buffer.from(after, 'latin1');
  const written = !bytes.equals(before);
  if (written) writeScript(file, bytes);
  return { text, file, written };
}

function replaceIn(file: string, script: string, block: string): string {
  try {
    return replaceBetweenMarkers(script, block);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { hint } = error;
    throw new UsageError(`${file}: ${error.message}`, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}

function readScript(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`--into ${JSON.stringify(file)} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** A script that is reached by a link stays where it is. */
function writeScript(file: string, bytes: Buffer): void {
  try {
    const real = realpathSync(file);
    const mode = statSync(real).mode & 0o7777;
    writeFileAtomic(real, bytes, mode);
    chmodSync(real, mode);
  } catch (error) {
    throw new BatonError('skill-rules', `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
