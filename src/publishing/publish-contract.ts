import type { Env } from '../core/environment.ts';
import type { TargetId } from '../targets/target.ts';
import type { FileBlock } from '../answers/file-block.ts';

/** How files are published. */
export interface PublishOptions {
  /** The agent products that may be written for. Default: all. */
  targets?: readonly TargetId[];
  /** Writes nothing; each file then comes with its exact bytes and a diff. */
  dryRun?: boolean;
  /** Also writes over what a person wrote or edited; `baton skills undo` brings it back. */
  force?: boolean;
  /**
   * Ends each Markdown file, and each program (`.mjs`), with a comment that holds its hash: in a clone, where nothing is
   * recorded, baton then still knows its own files from those that a person edited. Default: the content is published
   * as it is given.
   */
  mark?: boolean;
  /** Where the state folder is, for the journal and the record. Default: this process's environment. */
  env?: Env;
}

/**
 * Publishes files below `root` (`writeSkillFiles`, `writeTransformedFiles`). What may not be written is skipped and
 * says why; the rest is written, each file in one instant. Rejects with a BatonError where nothing was written:
 * `publication-under-way` (another one holds the root), `state-folder`, `publish` (a full disk, a failing one).
 */
export type WriteFiles = (
  root: string,
  files: readonly FileBlock[],
  options?: PublishOptions,
) => Promise<PublishOutcome>;

export interface PublishOutcome {
  /** One for each file that was given, in that order. */
  files: PublishedFile[];
  /** Names what was written for `baton skills undo`; null where nothing was. */
  publication: string | null;
  /** What was made of an earlier publication that had been interrupted; null where none had. */
  recovered: PublishRecovery | null;
}

/** Only baton's own files are ever removed: those of a skill of its own that it takes away again. */
export type PublishStatus =
  | 'created'
  | 'updated'
  | 'removed'
  | 'unchanged'
  | 'skipped'
  | 'would-create'
  | 'would-update'
  | 'would-remove';

export interface PublishedFile {
  /** Relative to the root, with `/`, in the spelling that lies on disk. For a path that was refused: as it was given. */
  path: string;
  status: PublishStatus;
  /** Why it was skipped, for a person. */
  reason?: string;
  /** Only skipped: whether `force` would write it. */
  forcible?: boolean;
  /** Only of a dry run, for what would be written: exactly what the file would hold. */
  content?: string;
  /** Only of a dry run, for what would be written: unified, with three lines of context. */
  diff?: string;
}

/** What became of a publication that was interrupted: baton was killed, or the machine went down. */
export interface PublishRecovery {
  kind: 'publish' | 'undo';
  /** The root that it was for. */
  root: string;
  outcome: 'completed' | 'taken-back';
  /** Paths that were given their new bytes now (completed), or their old ones (taken back). */
  mended: string[];
  /** Changed otherwise meanwhile: left as they are. */
  left: string[];
}

/** What `baton skills undo` did. */
export interface UndoOutcome {
  /** The publication that is undone. */
  publication: string;
  files: UndoneFile[];
  recovered: PublishRecovery | null;
}

/** `restored`: has its old bytes and mode again. `removed`: was not there before. `unchanged`: was as before already. */
export interface UndoneFile {
  path: string;
  status: 'restored' | 'removed' | 'unchanged';
}
