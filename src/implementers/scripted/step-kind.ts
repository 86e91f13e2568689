import type { Fields } from './fields.ts';
import type { Play } from './stage.ts';

/** One kind of step: the keys it takes, and how its fields become something to play. */
export interface StepKind {
  keys: readonly string[];
  /** What a value stands for that is no mapping. */
  shorthand?: string;
  /** The whole value, of whatever form, is this key. */
  whole?: boolean;
  /** Nothing can be played after it. */
  ends?: boolean;
  /** Played without a session record before it: the real CLI prints none there. */
  withoutInit?: (fields: Fields) => boolean;
  read(fields: Fields): Play;
}

export interface StepKinds {
  readonly [name: string]: StepKind;
}
