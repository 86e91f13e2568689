/**
 * Where a working tree and its git directories are. Found once, before the implementer starts, and used unchanged
 * afterwards: what the implementer writes must not redirect baton.
 */
export interface Repository {
  /** Top of the working tree (real path). */
  top: string;
  /** The git directory of this working tree (a linked worktree has its own). */
  gitDir: string;
  /** The directory that all worktrees share: refs, objects, config, hooks. */
  commonDir: string;
  /** `sha1` or `sha256`. */
  objectFormat: 'sha1' | 'sha256';
}

/** Why there is no repository to look at: `none` outside git, `refused` where git declines (dubious ownership), `bare`, `failed`. */
export interface NoRepository {
  problem: 'none' | 'refused' | 'bare' | 'failed';
  /** What git said, and what to do about it. */
  detail: string;
  hint: string;
}
