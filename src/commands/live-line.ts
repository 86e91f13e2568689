import { formatDuration } from '../core/duration.ts';
import { oneLine, truncate } from '../core/text.ts';
import type { AgentEvent } from '../implementers/events.ts';
import type { Style } from './style.ts';

const FRAME_MS = 200;

/**
 * One line on a terminal that says what the implementer is doing. It is drawn over itself, gives way to other
 * output (`above`), and leaves nothing behind.
 */
export class LiveLine {
  readonly #out: NodeJS.WriteStream;
  readonly #style: Style;
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  #doing = 'starting';
  #tools = 0;
  #drawn = false;

  constructor(out: NodeJS.WriteStream, style: Style) {
    this.#out = out;
    this.#style = style;
    this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    this.#timer.unref();
    this.#draw();
  }

  show(event: AgentEvent): void {
    if (event.type === 'tool-started') this.#tools += 1;
    this.#doing = describe(event) ?? this.#doing;
  }

  /** Writes `chunk` where the line stands, and puts the line below it. */
  above(chunk: Uint8Array): void {
    this.#clear();
    this.#out.write(chunk);
    if (chunk.at(-1) !== 0x0a) this.#out.write('\n');
    this.#draw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #draw(): void {
    const time = formatDuration(performance.now() - this.#started);
    const head = `${time}  ${this.#tools} tools  `;
    const width = Math.max(20, (this.#out.columns || 80) - 1);
    const doing = truncate(this.#doing, Math.max(0, width - head.length));
    this.#out.write(`\r\u001b[2K${this.#style.dim(head)}${doing}`);
    this.#drawn = true;
  }

  #clear(): void {
    if (this.#drawn) this.#out.write('\r\u001b[2K');
    this.#drawn = false;
  }
}

/** A few words about an event; null for one that is not worth a change of the line. */
function describe(event: AgentEvent): string | null {
  switch (event.type) {
    case 'session':
      return `session ${event.sessionId}`;
    case 'text':
      return oneLine(truncate(event.text, 400));
    case 'thinking':
      return 'thinking';
    case 'tool-started':
      return `${event.tool} ${oneLine(truncate(subject(event.input), 400))}`;
    case 'denied':
      return `denied: ${event.tool}`;
    case 'notice':
      return oneLine(truncate(event.text, 400));
    case 'needs-input':
      return `asks: ${oneLine(truncate(event.question ?? event.tool, 400))}`;
    case 'finished':
      return event.claim === 'success' ? 'finished, ending' : `failed: ${oneLine(truncate(event.text, 400))}`;
    case 'tool-finished':
    case 'usage':
    case 'unknown':
      return null;
  }
}

/** What a tool call is about: the command or file of the common tools, else its input. */
function subject(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const key of ['command', 'cmd', 'file_path', 'path', 'pattern', 'url', 'query']) {
    const value = Object.entries(input).find(([name]) => name === key)?.[1];
    if (typeof value === 'string') return value;
  }
  return JSON.stringify(input) ?? '';
}
