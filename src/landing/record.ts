import { existsSync } from 'node:fs';
import { arrayOf, isObject, stringOf, toJsonFile } from '../core/json.ts';
import { writeArtifact } from '../rundir/artifact.ts';
import { artifactPath } from '../rundir/layout.ts';
import { readRecord } from '../rundir/state-folder.ts';
import type { HookRun } from './hooks.ts';

import type { StandingState } from '../gates/record.ts';

export const LANDING_SCHEMA = 'baton.landing.v1';

/** How the gates stood when a run was landed. */
export interface GateFact {
  state: StandingState;
  /** The tree that they ran on. */
  tree: string | null;
  /** Whether that is the tree of the commit, or only that of the working tree, with other edits in it. */
  bound: 'landed-tree' | 'working-tree-only' | null;
  /** Why they were passed over: `--without-gates`. */
  without: string | null;
}

/** A commit that holds the changes of a run, or of a chain of runs, or a part of them. */
export interface LandedRecord extends LandedPart {
  /** What `land --only` had committed of them before, oldest first. */
  earlier?: LandedPart[];
}

/** A landing by itself. */
export interface LandedPart {
  schema: typeof LANDING_SCHEMA;
  state: 'landed';
  /** ISO 8601. */
  at: string;
  /** Oldest first. */
  runIds: string[];
  commit: string;
  /** Null for the first commit of all. */
  parent: string | null;
  /** Commits of the implementer's whose place it took, newest first. */
  takenCommits: string[];
  /** The branch; null for a detached HEAD. */
  ref: string | null;
  tree: string;
  message: string;
  /** What the commit changes, as `git diff --name-status` letters: `A`, `M`, `D` or `T`. */
  changes: { status: string; path: string }[];
  /** Only a part was asked for: these paths. */
  only: string[];
  takenWhole: string[];
  /** The orchestrator's own edits that are part of it. */
  includedEdits: string[];
  /** Paths that hooks rewrote on the way. */
  hookRewrote: string[];
  hooks: HookRun[];
  gates: GateFact;
  /** Kinds of violations that were accepted by name. */
  acceptedViolations: string[];
}

/** The run's changes were taken back out of the working tree. */
export interface DiscardedRecord {
  schema: typeof LANDING_SCHEMA;
  state: 'discarded';
  at: string;
  runIds: string[];
  /** The working tree before and after, as tree objects in the run's store: with these the discard can be undone. */
  before: string;
  after: string;
  paths: string[];
  /** What `land --only` had committed before: it stayed. */
  earlier?: LandedPart[];
}

/** What was landed or discarded, and is so no longer. */
export interface UndoneRecord {
  schema: typeof LANDING_SCHEMA;
  state: 'undone';
  at: string;
  runIds: string[];
  undid: LandedRecord | DiscardedRecord;
}

export type LandingRecord = LandedRecord | DiscardedRecord | UndoneRecord;

/** Keeps what became of a run, in the directories of all runs that it is about. One that was removed needs none. */
export function writeRecordOf(directories: readonly string[], record: LandingRecord): void {
  for (const directory of directories)
    if (existsSync(directory)) writeArtifact(directory, 'landing', toJsonFile(record));
}

/** What `landing.json` of a run says; null where it was neither landed nor discarded, or the file is damaged. */
export function readLandingRecord(directory: string): LandingRecord | null {
  const record: unknown = readRecord(artifactPath(directory, 'landing'));
  return isLandingRecord(record) ? record : null;
}

/** The commits with parts of a run that stand, oldest first, whatever was landed, discarded or undone since. */
export function standingParts(record: LandingRecord | null): LandedPart[] {
  if (record === null) return [];
  if (record.state === 'undone') return record.undid.earlier ?? [];
  const earlier = record.earlier ?? [];
  if (record.state === 'discarded') return earlier;
  const { earlier: _, ...last } = record;
  return [...earlier, last];
}

/** The same as what a new record of that run says of them. */
export function earlierOf(directory: string): { earlier?: LandedPart[] } {
  const parts = standingParts(readLandingRecord(directory));
  return parts.length > 0 ? { earlier: parts } : {};
}

export function isLandingRecord(value: unknown): value is LandingRecord {
  if (!isObject(value) || value['schema'] !== LANDING_SCHEMA || arrayOf(value['runIds']).length === 0)
    return false;
  if (value['state'] === 'landed') return stringOf(value['commit']) !== null;
  if (value['state'] === 'discarded')
    return stringOf(value['before']) !== null && stringOf(value['after']) !== null;
  return value['state'] === 'undone' && isLandingRecord(value['undid']);
}
