/** Something from `start` up to `end`, delimiters included. */
export interface Span {
  start: number;
  end: number;
}

/** What a tokenizer found: spans in order, none overlapping. */
export interface Masked {
  comments: Span[];
  strings: Span[];
  /** Blanked out as well, and neither: regular expressions. */
  others: Span[];
}
