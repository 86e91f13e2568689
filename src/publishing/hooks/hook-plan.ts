import type { Target } from '../../targets/target.ts';

/** One file that is about to be written or removed. */
export interface HookChange {
  /** Relative to the top of the project. */
  path: string;
  action: 'create' | 'update' | 'remove' | 'none';
  /** The texts to show a difference of; null for the script, which nobody reads there. */
  shown: { before: string | null; after: string } | null;
}

/** What will be done for one target, in the order in which it is done. */
export interface HookPlan {
  target: Target;
  changes: HookChange[];
  /** Things that a person should know. */
  notes?: string[];
  carryOut: () => void;
}
