import { formatDuration } from '../core/duration.ts';
import { truncate } from '../core/text.ts';
import { outputTail } from './output-tail.ts';
import type { Style } from './style.ts';

const FRAME_MS = 200;

type Terminal = { write: (text: string) => unknown; columns: number };

/** One line on a terminal: which gate runs, for how long, and the last words that it printed. Leaves nothing behind. */
export class GateLine {
  readonly #out: Terminal;
  readonly #style: Style;
  #gate: { head: string; output: string; since: number } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(out: Terminal, style: Style) {
    this.#out = out;
    this.#style = style;
  }

  show({
    name,
    number,
    count,
    output,
  }: {
    name: string;
    number: number;
    count: number;
    output: string;
  }): void {
    this.#gate = { head: `${number}/${count} ${name}`, output, since: performance.now() };
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  clear(): void {
    if (this.#timer) clearInterval(this.#timer);
    if (this.#gate) this.#out.write('\r\u001b[2K');
    [this.#timer, this.#gate] = [null, null];
  }

  #draw(): void {
    if (!this.#gate) return;
    const { head, output, since } = this.#gate;
    const begun = `${head}  ${formatDuration(performance.now() - since)}  `;
    const width = Math.max(20, (this.#out.columns || 80) - 1);
    const words = truncate(outputTail(output, 1)[0] ?? '', Math.max(0, width - begun.length));
    this.#out.write(`\r\u001b[2K${this.#style.dim(begun)}${words}`);
  }
}
