import { lstatSync } from 'node:fs';
import { arrayOf, objectOf, stringOf } from '../core/json.ts';
import { truncate } from '../core/text.ts';
import type { AgentEvent, EventReader } from '../implementers/events.ts';
import { followRecords } from '../stream/follow-records.ts';

/** One thing in the timeline; the start and the end of a tool are one. Texts are cut at `MAX_TEXT`. */
export type TimelineEntry = ToolCall | Note;

export interface ToolCall {
  kind: 'tool';
  tool: string;
  /** The command line, where it is a shell; else null. */
  command: string | null;
  /** The path that it reads or writes, where it names one. */
  path: string | null;
  /** As indented JSON. */
  input: string;
  output: string;
  /** Null where its end was not seen. */
  ok: boolean | null;
  subagent: boolean;
}

export interface Note {
  kind: 'session' | 'text' | 'thinking' | 'denied' | 'notice' | 'needs-input' | 'finished' | 'unknown';
  text: string;
  subagent: boolean;
}

export interface Timeline {
  entries: TimelineEntry[];
  /** More than this many were there, and left out. */
  leftOut: number;
}

/** Characters of one text. */
const MAX_TEXT = 20_000;
/** Characters of all of them: a report has to open in a browser. */
const MAX_TOTAL = 12_000_000;
const MAX_ENTRIES = 50_000;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** Reads `events.jsonl` of a run that is over. A file that is not there gives no entries. */
export async function readTimeline(path: string, reader: EventReader): Promise<Timeline> {
  const timeline = new Collector();
  // A link could lead anywhere, and reading a FIFO would wait for ever.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return timeline;
  const over = AbortSignal.abort();
  for await (const record of followRecords(path, { over, maxRecordBytes: MAX_RECORD_BYTES }))
    for (const event of reader.read(record)) timeline.add(event);
  return timeline;
}

class Collector implements Timeline {
  entries: TimelineEntry[] = [];
  leftOut = 0;
  #room = MAX_TOTAL;
  readonly #open = new Map<string, ToolCall>();

  add(event: AgentEvent): void {
    if (event.type === 'usage') return;
    if (event.type === 'tool-finished') {
      this.#finish(event);
      return;
    }
    if (this.entries.length >= MAX_ENTRIES || this.#room <= 0) {
      this.leftOut += 1;
      return;
    }
    if (event.type !== 'tool-started') {
      const text = this.#cut(textOf(event));
      this.entries.push({ kind: event.type, text, subagent: 'subagent' in event && event.subagent });
      return;
    }
    const call: ToolCall = {
      kind: 'tool',
      tool: event.tool,
      ...aimOf(event.input),
      input: this.#cut(
        typeof event.input === 'string' ? event.input : (JSON.stringify(event.input, null, 2) ?? ''),
      ),
      output: '',
      ok: null,
      subagent: event.subagent,
    };
    this.#open.set(event.id, call);
    this.entries.push(call);
  }

  #finish({ id, ok, output }: Extract<AgentEvent, { type: 'tool-finished' }>): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (call) Object.assign(call, { ok, output: this.#cut(output) });
  }

  #cut(text: string): string {
    const kept = truncate(text, Math.max(0, Math.min(MAX_TEXT, this.#room)));
    this.#room -= kept.length;
    return kept;
  }
}

function aimOf(value: unknown): Pick<ToolCall, 'command' | 'path'> {
  const input = objectOf(value);
  const command = input['command'];
  return {
    command: stringOf(command) ?? (Array.isArray(command) ? arrayOf(command).map(String).join(' ') : null),
    path: stringOf(input['file_path']) ?? stringOf(input['path']) ?? stringOf(input['notebook_path']),
  };
}

type Noted = Exclude<AgentEvent, { type: 'tool-started' | 'tool-finished' | 'usage' }>;

function textOf(event: Noted): string {
  switch (event.type) {
    case 'session':
      return [event.sessionId, event.model, event.permissionMode, event.version].filter(Boolean).join(', ');
    case 'denied':
      return `${event.tool} ${JSON.stringify(event.input) ?? ''}${event.reason === null ? '' : `: ${event.reason}`}`;
    case 'notice':
      return `${event.kind}: ${event.text}`;
    case 'needs-input':
      return event.question ?? event.tool;
    case 'finished':
      return `${event.claim}${event.reason === null ? '' : ` (${event.reason})`}\n${event.text}`;
    case 'unknown':
      return event.record;
    case 'text':
    case 'thinking':
      return event.text;
  }
}
