import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEPTH_MARKER, readVariable, type Env } from '../core/environment.ts';
import { messageOf, systemCode, UsageError } from '../core/errors.ts';
import { EFFORT_FORM, EFFORT_RULE, MODEL_FORM, MODEL_RULE } from '../implementers/dial-forms.ts';
import type { Implementer } from '../implementers/implementer.ts';
import { findImplementer, implementerIds } from '../implementers/registry.ts';

/** What every run checks before anything is made, whatever it is for. Each throws a UsageError with the value and the rule. */

export const MAX_BRIEF_BYTES = 10_000_000;

export function refuseRecursion(env: Env): void {
  const depth = readVariable(env, DEPTH_MARKER);
  if (depth === undefined || depth === '0') return;
  throw new UsageError(
    `this process is itself inside a baton run (${DEPTH_MARKER}=${depth}): an implementer cannot dispatch another one`,
    {
      hint: 'let the orchestrator dispatch it',
    },
  );
}

/** The bytes for stdin. `what` is the caller's word for the text: `brief` or `prompt`. */
export function checkBrief(brief: string | Uint8Array, what: 'brief' | 'prompt'): Uint8Array {
  // A lone surrogate cannot be sent as UTF-8; Buffer makes it U+FFFD instead of failing.
  const bytes = typeof brief === 'string' ? Buffer.from(brief, 'utf8') : brief;
  // The library is called from plain JavaScript as well.
  if (!ArrayBuffer.isView(bytes)) throw new UsageError(`the ${what} is no text: give a string, or its bytes`);
  if (bytes.length > MAX_BRIEF_BYTES) {
    throw new UsageError(
      `the ${what} has ${bytes.length.toLocaleString('en-US')} bytes, the limit is 10,000,000: put large context into files and name them in the ${what}`,
    );
  }
  if (isBlank(bytes)) throw new UsageError(`the ${what} is empty: write what is to be done`);
  return bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').trim() === '';
}

/** `env` is the run's: of a scripted implementer it names the script. */
export function chooseImplementer(id: string, env: Env = {}): Implementer {
  const found = findImplementer(id, env);
  if (found) return found;
  throw new UsageError(
    `--implementer ${JSON.stringify(id)} is not known: choose ${implementerIds().join(' or ')}`,
  );
}

/**
 * The directory to work in: absolute as asked for, and the same without links. It is looked at before the launch, since
 * a missing one makes spawn blame the binary.
 */
export function checkDirectory(cd: string): { workdir: string; realWorkdir: string } {
  const workdir = resolve(cd);
  try {
    if (statSync(workdir).isDirectory()) return { workdir, realWorkdir: realpathSync(workdir) };
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : messageOf(error);
    throw new UsageError(`--cd ${JSON.stringify(workdir)} ${why}: name an existing directory`, {
      cause: error,
    });
  }
  throw new UsageError(`--cd ${JSON.stringify(workdir)} is not a directory`);
}

export function checkModel(value: string): string {
  return matching(value, '--model', MODEL_FORM, MODEL_RULE);
}

export function checkEffort(value: string, implementer: Implementer): string {
  const levels = implementer.capabilities.effort;
  if (typeof levels === 'object') {
    if (levels.includes(value)) return value;
    throw new UsageError(
      `--effort ${JSON.stringify(value)} is not a level of ${implementer.id}: choose ${levels.join(', ')}`,
    );
  }
  return matching(value, '--effort', EFFORT_FORM, EFFORT_RULE);
}

/** The value, where it has the form. `rule` says what to write instead. */
export function matching(value: string, flag: string, form: RegExp, rule: string): string {
  if (form.test(value)) return value;
  throw new UsageError(`${flag} ${JSON.stringify(value)} is not valid: write ${rule}`);
}
