import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { makePrivateFolder } from '../rundir/state-folder.ts';

/** Where the files of a text run lie: a private temporary folder, or one that is kept for a person to look into. */
export interface TextDirectory {
  path: string;
  kept: boolean;
  /** Removes the folder, unless it is to be kept. */
  close(): void;
}

/**
 * Kept folders lie apart from the runs of a repository: a text run has no result and no evidence, and must not become
 * the newest run that `baton show` and `baton diff` mean.
 */
export function openTextDirectory(runId: string, keepIn: Env | null): TextDirectory {
  if (keepIn !== null) return { path: makeKept(runId, keepIn), kept: true, close: () => {} };
  // Mode 0700 by itself, and a name that nobody can guess.
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'baton-text-'));
  const close = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  return { path, kept: false, close };
}

function makeKept(runId: string, env: Env): string {
  const path = join(stateHome(env), 'text-runs', runId);
  try {
    makePrivateFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (error) {
    throw new UsageError(`BATON_DEBUG=1, and ${path} cannot be made: ${messageOf(error)}`, {
      hint: 'set BATON_HOME to a folder that can be written, or unset BATON_DEBUG',
      cause: error,
    });
  }
}
