import type { BriefLine } from '../blocks.ts';
import type { NoteRule } from '../notes.ts';

/** A brief, and what is known of where it will be carried out. */
export interface BriefSubject {
  text: string;
  bytes: number;
  lines: readonly BriefLine[];
  /** The run may write nothing: it needs no gates. */
  readOnly: boolean;
  /** Globs of `--touch`: a scope that is declared outside the brief. */
  touch: readonly string[];
  rules: readonly NoteRule[];
  place: Place;
}

/** Asks the disk; nothing is run. */
export interface Place {
  /** Whether a path (or the folder before its first wildcard) is there, from the top or from the working directory. */
  hasPath(path: string): boolean;
  /** Whether any file has this name, however deep. */
  hasFileNamed(name: string): boolean;
  /** Whether there is such a folder or file at the top. */
  hasTopLevel(name: string): boolean;
  /** Scripts of package.json; null where there is none that can be read. */
  scripts(): readonly string[] | null;
  /** Targets of the Makefile; null where there is none. */
  targets(): readonly string[] | null;
  /** Whether a program of this name is on PATH. */
  hasProgram(name: string): boolean;
}
