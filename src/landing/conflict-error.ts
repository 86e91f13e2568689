import { BatonError } from '../core/errors.ts';
import { showPath } from '../git/raw-path.ts';
import type { Conflict, ConflictKind } from './plan.ts';

/** A conflict as it is shown. */
export interface NamedConflict {
  path: string;
  kind: ConflictKind;
  /** What is in the way, for a person. */
  why: string;
}

const WHY: { [kind in ConflictKind]: string } = {
  content: 'both sides changed the same lines, or it is binary',
  uncommitted:
    'the run edited a file that is not there (it was untracked before the run, or is deleted by now)',
  'both-added': 'a file of this name is there, with another content',
  'edited-and-deleted': 'the run deleted it, and there are other edits in it',
  type: 'file, link or submodule: its kind was changed',
  folder: 'a file would lie where a folder is, or the reverse',
};

/** In the sentence; `conflicts` has them all. */
const MOST_NAMED = 20;

/** The run's hunks cannot be told from others. Nothing was written. */
export class ConflictError extends BatonError {
  override readonly name = 'ConflictError';
  readonly conflicts: NamedConflict[];

  /** `side` is where the run's changes were to go: `HEAD`, `the index`, `the working tree`. */
  constructor(conflicts: readonly Conflict[], side: string, hint?: string) {
    const named = conflicts.map(({ path, kind }) => ({ path: showPath(path), kind, why: WHY[kind] }));
    const some = named.slice(0, MOST_NAMED).map(({ path, why }) => `${path} (${why})`);
    const list = [
      ...some,
      ...(named.length > MOST_NAMED ? [`and ${named.length - MOST_NAMED} more`] : []),
    ].join('; ');
    super('conflict', `in conflict with ${side}, nothing was changed: ${list}`, { hint });
    this.conflicts = named;
  }
}
