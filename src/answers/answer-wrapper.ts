import type { Mark } from './answer-marks.ts';
import { closesFence } from './fences.ts';

/** A text and the part of it that is the answer. */
export interface Answer {
  text: string;
  start: number;
  end: number;
  /** Of that part. */
  marks: readonly Mark[];
}

/**
 * Takes the code fence away that a whole answer stands in: its first and last lines are a pair, and the first file begins
 * right after. By text, not by what CommonMark would say: a fence in a file that is not closed would be closed by the
 * last line.
 */
export function unwrapAnswer(text: string, marks: readonly Mark[]): Answer {
  const [first, second] = marks;
  const last = marks.at(-1);
  const wrapped =
    first?.kind === 'fence' &&
    last !== undefined &&
    closesFence(first, last) &&
    (second?.kind === 'open' || second?.kind === 'marker') &&
    second.start === first.next &&
    isBlank(text.slice(0, first.start)) &&
    isBlank(text.slice(last.next));
  return wrapped
    ? { text, start: first.next, end: last.start, marks: marks.slice(1, -1) }
    : { text, start: 0, end: text.length, marks };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
