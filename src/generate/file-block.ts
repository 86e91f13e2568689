/** A file that an answer asks to be written. */
export interface FileBlock {
  /** Relative to the top of the repository, with `/`. */
  path: string;
  content: string;
}
