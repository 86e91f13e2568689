const NEWLINE = 0x0a;
/** A tail buffer that a giant line has grown is let go again above this size. */
const KEPT_CAPACITY = 1 << 20;

/** One line lies in `bytes` from `start` up to `end`, without its newline. Valid only during the call. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts a stream of bytes into lines, at byte 0x0A and nowhere else: U+2028 stands unescaped in JSON strings, and a
 * UTF-8 sequence may be cut anywhere between two chunks.
 *
 * Each byte is looked at once and copied at most twice, however the chunks fall. A line of more than `maxLineBytes` is
 * dropped and counted, and reading goes on after the next newline.
 */
export class LineSplitter {
  oversize = 0;
  readonly #maxLineBytes: number;
  readonly #onLine: OnLine;
  /** The begun line: the first `#length` bytes. */
  #tail: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Inside a line that is too long. */
  #skipping = false;

  constructor(maxLineBytes: number, onLine: OnLine) {
    this.#maxLineBytes = maxLineBytes;
    this.#onLine = onLine;
  }

  /** Takes the next bytes. They are not kept: the caller may use the buffer again. */
  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start);
      if (newline === -1) break;
      if (this.#length > 0 || this.#skipping) this.#finish(chunk, start, newline);
      else if (newline - start > this.#maxLineBytes) this.oversize += 1;
      else this.#onLine(chunk, start, newline);
      start = newline + 1;
    }
    if (start < chunk.length) this.#keep(chunk, start, chunk.length);
  }

  /** Hands over a last line that has no newline. */
  end(): void {
    if (this.#length > 0) this.#release();
    this.#skipping = false;
  }

  /** Forgets the begun line: what came before it and what comes next do not belong together. */
  drop(): void {
    this.#length = 0;
    this.#skipping = false;
  }

  #finish(chunk: Buffer, start: number, newline: number): void {
    this.#keep(chunk, start, newline);
    if (this.#skipping) this.#skipping = false;
    else this.#release();
  }

  #release(): void {
    const [line, length] = [this.#tail, this.#length];
    this.#length = 0;
    if (line.length > KEPT_CAPACITY) this.#tail = Buffer.alloc(0);
    this.#onLine(line, 0, length);
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if (this.#skipping) return;
    const length = this.#length + (end - start);
    if (length > this.#maxLineBytes) {
      this.oversize += 1;
      this.#skipping = true;
      this.#length = 0;
      if (this.#tail.length > KEPT_CAPACITY) this.#tail = Buffer.alloc(0);
      return;
    }
    if (length > this.#tail.length) {
      // Doubling keeps a line of 50 MB in chunks of 1 KiB linear.
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#tail.length * 2, 4096));
      this.#tail.copy(larger, 0, 0, this.#length);
      this.#tail = larger;
    }
    chunk.copy(this.#tail, this.#length, start, end);
    this.#length = length;
  }
}
