import type { Mark } from './answer-marks.ts';
import type { Answer } from './answer-wrapper.ts';
import { Fences } from './fences.ts';
import type { FileProblem } from './file-block.ts';

/** A file of an answer, before anybody looked at its path. */
export interface Block {
  /** As the answer gives it; empty where its opener is none. */
  path: string;
  /** Of its opener. */
  line: number;
  /** Every byte between the two lines of its tags. */
  content: string;
  /** Why nobody can say what the file holds. */
  fault: Fault | null;
  /** The openers in its code fences: text of the file, where it is written. */
  hidden: Mark[];
}

export interface Fault {
  kind: 'malformed-opener' | 'unclosed' | 'unclosed-fence' | 'ambiguous';
  message: string;
}

/** What an answer was read as. */
export interface Reading {
  blocks: Block[];
  /** What is about no block. */
  problems: FileProblem[];
  commentary: string;
}

/** Reads the blocks between `<file path="...">` and `</file>`. */
export function readBlocks(answer: Answer): Reading {
  return new BlockReader(answer).read();
}

class BlockReader {
  readonly #answer: Answer;
  readonly #fences: Fences;
  readonly #blocks: Block[] = [];
  readonly #problems: FileProblem[] = [];
  readonly #outside: string[] = [];
  #current: Block | null = null;
  /** A code fence of the current block is broken: from there on, none of it hides anything. */
  #broken = false;
  #lastClosed: Block | null = null;
  /** Where the text begins that is neither a mark nor given to anything yet. */
  #from: number;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#fences = new Fences(answer.marks);
    this.#from = answer.start;
  }

  read(): Reading {
    const { marks, end } = this.#answer;
    for (let at = 0; at < marks.length; at += 1) {
      const mark = marks[at];
      if (mark?.kind === 'open') this.#open(mark, mark.path, null);
      else if (mark?.kind === 'malformed') this.#open(mark, '', noOpener);
      else if (mark?.kind === 'close') this.#close(mark, at);
      else if (mark?.kind === 'fence') at = this.#fence(mark, at);
    }
    this.#cut(end, 'the answer ends');
    this.#outside.push(this.#take(end, end));
    return { blocks: this.#blocks, problems: this.#problems, commentary: this.#outside.join('') };
  }

  /** What is open ends here, without a closer. What is no opener begins a block too: its fences may show real ones. */
  #open(mark: Mark, path: string, fault: Fault | null): void {
    this.#cut(mark.start, `line ${mark.line} opens the next file`);
    this.#outside.push(this.#take(mark.start, mark.next));
    this.#current = { path, line: mark.line, content: '', fault, hidden: [] };
    this.#blocks.push(this.#current);
    this.#broken = false;
  }

  #close(mark: Mark, at: number): void {
    const text = this.#take(mark.start, mark.next);
    const block = this.#current;
    this.#current = null;
    if (block && block.fault !== noOpener) {
      block.content = text;
      this.#lastClosed = block;
      // Had this line been text of the file, would another end it? Tags that the file shows in fences lie between.
      const other = this.#answer.marks[this.#fences.tagFrom(at + 1)];
      if (other?.kind === 'close') block.fault ??= endsTwice(other);
      return;
    }
    if (!block) this.#outside.push(text);
    this.#problems.push({ kind: 'stray-closer', line: mark.line, message: '`</file>` closes nothing' });
    // The file before may have had this line, and all up to here, as its text.
    if (this.#lastClosed) this.#lastClosed.fault ??= endsTwice(mark);
  }

  /** Passes over what a fence hides. */
  #fence(mark: Mark, at: number): number {
    if (!this.#current || this.#broken) return at;
    const closer = this.#fences.closerOf(at);
    if (closer === null) {
      this.#broken = true;
      this.#current.fault ??= brokenFence(mark);
      return at;
    }
    for (let inside = at + 1; inside < closer; inside += 1) {
      const hidden = this.#answer.marks[inside];
      if (hidden?.kind === 'open' || hidden?.kind === 'malformed') this.#current.hidden.push(hidden);
    }
    return closer;
  }

  #cut(end: number, why: string): void {
    if (!this.#current) return;
    this.#current.content = this.#take(end, end);
    this.#current.fault ??= { kind: 'unclosed', message: `${why} before \`</file>\`: it may be cut` };
    this.#current = null;
  }

  /** The text up to `end`. What comes next begins at `next`. */
  #take(end: number, next: number): string {
    const text = this.#answer.text.slice(this.#from, end);
    this.#from = next;
    return text;
  }
}

const noOpener: Fault = {
  kind: 'malformed-opener',
  message: 'the line begins like an opener, and is not `<file path="...">` alone',
};

/** A code block of a file does not end, or not where it seems to. */
export function brokenFence(mark: Mark): Fault {
  const message = `the code fence in line ${mark.line} does not close within the file: where the file ends is not certain`;
  return { kind: 'unclosed-fence', message };
}

/** A file had ended already when this closer came. */
export function endsTwice(mark: Mark): Fault {
  const message = `line ${mark.line} has a second \`</file>\`: which of the two ends the file is not certain`;
  return { kind: 'ambiguous', message };
}
