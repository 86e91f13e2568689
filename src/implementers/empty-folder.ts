import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatonError, messageOf } from '../core/errors.ts';

/** The beginning of the name of such a folder, under the system's temporary one. */
const EMPTY_FOLDER = 'baton-probe-';

/**
 * Asks a CLI something in an empty folder of its own, which is removed afterwards: no settings of a project are read
 * there, and what takes a question for something else does it where it harms nothing. Rejects with a BatonError
 * `temp-folder` where none can be made.
 */
export async function inEmptyFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await make();
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function make(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), EMPTY_FOLDER));
  } catch (error) {
    throw new BatonError(
      'temp-folder',
      `no temporary folder can be made in ${tmpdir()}: ${messageOf(error)}`,
      {
        hint: 'set TMPDIR to a folder that can be written',
        cause: error,
      },
    );
  }
}
