import type { NoteRule } from './notes.ts';

/** What a repository says of itself, as far as a brief needs it. */
export interface BriefFacts {
  /** Commands that must pass; `from` says where each was found. */
  gates: readonly { command: string; from: string }[];
  /** Rules that its notes for agents set down. */
  rules: readonly NoteRule[];
  /** Names at the top of the working tree, folders with a `/` at their end. */
  topLevel: readonly string[];
}

/** What the last run left to be done. */
export interface DeltaFacts {
  runId: string;
  changed: readonly string[];
  /** With the end of what each printed. */
  failedGates: readonly { name: string; command: string; output: string }[];
  /** Sentences: violations, and what a review found. */
  points: readonly string[];
}

/** What the writer of the brief said. */
export interface BriefWish {
  /** The task in a sentence or more; null leaves it to be filled in. */
  task: string | null;
  /** Globs of what may change; empty leaves it to be filled in. */
  touch: readonly string[];
}
