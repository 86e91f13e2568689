import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../core/atomic-write.ts';
import { BatonError, messageOf } from '../../core/errors.ts';
import { stringOf } from '../../core/json.ts';
import { makePrivateFolder, readRecord, treeKey, writeRecord } from '../../rundir/state-folder.ts';
import type { TargetId } from '../../targets/target.ts';
import { contentHash } from '../../trust/approval.ts';

/** What is remembered of settings outside of the project, so that an uninstall gives them back. */
export interface Remembered {
  /** The bytes before ours first came in; null where there was no file. */
  original: Buffer | null;
  /** The hash of what was written last; null where somebody else wrote in between, and the original is outdated. */
  left: string | null;
  /** The hash of the script that was installed. */
  script: string;
  /** Folders that were made for it. */
  made: string[];
}

/** Keeps the first originals of a project's settings in baton's state folder, by the real path of the project. */
export class FirstOriginal {
  readonly #folder: string;
  readonly #target: TargetId;

  constructor(stateHome: string, root: string, target: TargetId) {
    this.#folder = join(stateHome, 'hooks', treeKey(root));
    this.#target = target;
  }

  /** Null where nothing is remembered, or it is damaged: then ours are cut out instead. */
  read(): Remembered | null {
    const record = readRecord(this.#path('json'));
    if (!record) return null;
    const [hash, script, made] = [record['original'], stringOf(record['script']), record['made']];
    const original = hash === null ? null : this.#originalBytes(hash);
    if (original === undefined || script === null || !Array.isArray(made)) return null;
    return {
      original,
      left: stringOf(record['left']),
      script,
      made: made.filter((one) => typeof one === 'string'),
    };
  }

  /** Throws a BatonError `state` where it cannot be kept: then the settings must not be touched. */
  write({ original, left, script, made }: Remembered): void {
    try {
      makePrivateFolder(this.#folder);
      if (original !== null) writeFileAtomic(this.#path('original'), original);
      writeRecord(this.#path('json'), {
        original: original === null ? null : contentHash(original),
        left,
        script,
        made,
      });
    } catch (error) {
      throw new BatonError(
        'state',
        `the original settings cannot be kept in ${this.#folder}: ${messageOf(error)}`,
        {
          hint: 'set BATON_HOME to a folder that can be written',
          cause: error,
        },
      );
    }
  }

  forget(): void {
    for (const ending of ['json', 'original']) rmSync(this.#path(ending), { force: true });
  }

  #originalBytes(hash: unknown): Buffer | undefined {
    try {
      const bytes = readFileSync(this.#path('original'));
      return contentHash(bytes) === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  #path(ending: string): string {
    return join(this.#folder, `${this.#target}.${ending}`);
  }
}
