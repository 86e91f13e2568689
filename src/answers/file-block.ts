/** A file that an answer asks to be written. */
export interface FileBlock {
  /** Relative to the top of the repository, with `/`. */
  path: string;
  content: string;
}

/** A whole file at a path where nothing may be written. */
export interface RejectedFile {
  /** As the answer gave it. */
  path: string;
  reason: string;
}

/** What is wrong with an answer. All but the last two are about an opener, whose file is not written. */
export type FileProblemKind =
  /** The answer, or the next opener, came before its closer. */
  | 'unclosed'
  /** A code fence in it does not close, or not without the tags of other files between. */
  | 'unclosed-fence'
  /** A closer came after its own: nobody knows which of the two ends it. */
  | 'ambiguous'
  /** The line begins like an opener and is none. */
  | 'malformed-opener'
  /** It stands in a code fence of a file that is not written. */
  | 'hidden-opener'
  | 'duplicate-path'
  | 'empty-body'
  /** A closer that closes nothing. */
  | 'stray-closer'
  /** The answer says something, and none of it can be written. */
  | 'no-file';

export interface FileProblem {
  kind: FileProblemKind;
  /** The line in the answer, from 1; null where it is about no line. */
  line: number | null;
  /** The path that the opener gives. */
  path?: string;
  /** For a person. */
  message: string;
}

/** The files of an answer. Each opener of it is a file, is rejected, has a problem, or is text inside a file. */
export interface FileOutput {
  /** In the order of the answer, with sanitized paths. */
  files: FileBlock[];
  rejected: RejectedFile[];
  problems: FileProblem[];
  /** `<!-- file: path -->` markers were read, since the answer has no `<file>`: where a file ends is a guess. */
  usedFallback: boolean;
  /** What the answer says outside the files. */
  commentary: string;
}
