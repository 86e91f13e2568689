import type { Check } from '../implementers/inspection.ts';

/** Something that can be mended, once a person agreed. */
export interface Fix {
  /** The `id` of the check that it mends. */
  check: string;
  /** What is about to be done, as a question. */
  question: string;
  /** It writes into the repository: nobody agrees to that in advance. */
  inRepository: boolean;
  /** Does it. Returns what was done, for a person; rejects where it could not be. */
  apply: () => Promise<string>;
}

/** A check, and what would mend it. */
export interface Examined {
  check: Check;
  fix?: Fix;
}

export function fine(id: string, text: string): Examined {
  return { check: { id, state: 'ok', text } };
}

export function warning(id: string, text: string, remedy: string, fix?: Omit<Fix, 'check'>): Examined {
  return { check: { id, state: 'warning', text, remedy }, ...(fix && { fix: { check: id, ...fix } }) };
}

/** What keeps a dispatch from starting. */
export function problem(id: string, text: string, remedy: string, fix?: Omit<Fix, 'check'>): Examined {
  return { check: { id, state: 'problem', text, remedy }, ...(fix && { fix: { check: id, ...fix } }) };
}
