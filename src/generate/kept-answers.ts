import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import type { Env } from '../core/environment.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { newRunId } from '../core/ids.ts';
import { stateHome } from '../core/state-home.ts';
import { makePrivateFolder } from '../rundir/state-folder.ts';

/**
 * The answers of one generation as they came, in a folder of the state folder: each was paid for, and must outlive a
 * kill, a no, and a fault in it.
 */
export class KeptAnswers {
  readonly folder: string;

  /** Makes the folder. Throws a UsageError where that cannot be, before anything is asked. */
  constructor(env: Env) {
    const all = join(stateHome(env), 'answers');
    this.folder = join(all, newRunId());
    try {
      makePrivateFolder(all);
      mkdirSync(this.folder, { mode: 0o700 });
    } catch (error) {
      throw new UsageError(
        `the answers could not be kept, ${this.folder} cannot be made: ${messageOf(error)}`,
        {
          hint: 'set BATON_HOME to a folder that can be written',
          cause: error,
        },
      );
    }
  }

  /** Keeps an answer under a plain name, or one like it where that is taken; returns its file. */
  keep(name: string, text: string): string {
    for (let count = 1; ; count += 1) {
      const file = join(this.folder, `${name}${count === 1 ? '' : `-${count}`}.txt`);
      if (existsSync(file)) continue;
      writeFileAtomic(file, text);
      return file;
    }
  }

  /** Removes the folder: all of it was used. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Removes the folder where nothing was kept in it. Returns whether it is still there. */
  close(): boolean {
    try {
      rmdirSync(this.folder);
      return false;
    } catch {
      return existsSync(this.folder);
    }
  }
}
