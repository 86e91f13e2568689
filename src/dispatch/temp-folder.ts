import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariable, type Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';

/** A temp folder that one run has to itself. */
export interface TempFolder {
  path: string;
  remove(): void;
}

/** Makes it below the system's own, where paths are short (sockets need that) and a killed baton leaves no litter for ever. */
export function makeTempFolder(env: Env): TempFolder {
  const parent = readVariable(env, process.platform === 'win32' ? 'TEMP' : 'TMPDIR') || tmpdir();
  try {
    const path = mkdtempSync(join(realpathSync(parent), 'baton-tmp-'));
    return { path, remove: () => remove(path) };
  } catch (error) {
    throw new UsageError(`no temp folder for the run can be made in ${parent}: ${messageOf(error)}`, {
      hint: 'set TMPDIR to a folder that can be written',
      cause: error,
    });
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A file in it may belong to nobody we are; the system clears its temp folder.
  }
}
