import { setTimeout as wait } from 'node:timers/promises';
import type { Fields } from '../fields.ts';
import type { Printed, Stage } from '../stage.ts';
import type { StepKinds } from '../step-kind.ts';

const NOISE = {
  /** Escape sequences with no line end: they are glued to the next record. */
  ansi: '\u001b[?2004h\u001b]0;scripted\u0007\u001b[2K\r',
  banner: 'Now using node v20.20.2\n[DEBUG] config loaded\n',
  'broken-json': '{bad json\n',
  values: 'null\n"s"\n17\n[]\n',
} as const;
const NOISE_KINDS = ['ansi', 'banner', 'broken-json', 'values'] as const;
const OUTPUTS = ['stdout', 'stderr', 'both'] as const;

/** Exact bytes, and everything that a stream can be which a reader does not expect. */
export const byteSteps: StepKinds = {
  print: {
    keys: ['text', 'to'],
    shorthand: 'text',
    read(fields) {
      const text = fields.text('text');
      const to = fields.choice('to', OUTPUTS, 'stdout');
      return (stage) => write(stage, to, Buffer.from(text, 'utf8'));
    },
  },

  bytes: {
    keys: ['base64', 'hex', 'to'],
    read(fields) {
      const bytes = bytesOf(fields, fields.oneOf(['base64', 'hex']));
      const to = fields.choice('to', OUTPUTS, 'stdout');
      return (stage) => write(stage, to, bytes);
    },
  },

  split: {
    keys: ['text', 'base64', 'hex', 'record', 'every', 'gap', 'to'],
    read(fields) {
      const bytes = bytesOf(fields, fields.oneOf(['text', 'base64', 'hex', 'record']));
      const every = fields.whole('every', 1, 1024 ** 2, 1);
      const gap = fields.delay('gap', 5);
      const to = fields.choice('to', OUTPUTS, 'stdout');
      return (stage) => writeSlowly(stage, to, bytes, every, gap);
    },
  },

  stderr: {
    keys: ['text', 'times'],
    shorthand: 'text',
    read(fields) {
      const text = fields.text('text');
      const line = text.endsWith('\n') ? text : `${text}\n`;
      const times = fields.whole('times', 1, 1_000_000, 1);
      return (stage) => stage.err.write(line.repeat(times));
    },
  },

  noise: {
    keys: ['kind', 'to'],
    shorthand: 'kind',
    read(fields) {
      const bytes = Buffer.from(NOISE[fields.choice('kind', NOISE_KINDS, 'ansi')], 'utf8');
      const to = fields.choice('to', OUTPUTS, 'stdout');
      return (stage) => write(stage, to, bytes);
    },
  },

  line: {
    keys: ['size', 'as', 'every', 'gap'],
    shorthand: 'size',
    read(fields) {
      const size = fields.size('size');
      const as = fields.choice('as', ['tool-result', 'text', 'result'], 'tool-result');
      const every = fields.size('every', 0);
      const gap = fields.delay('gap', 0);
      return (stage) => {
        const bytes = Buffer.from(stage.lines(longRecord(stage, as, size)), 'utf8');
        return every === 0 ? stage.out.write(bytes) : writeSlowly(stage, 'stdout', bytes, every, gap);
      };
    },
  },

  record: {
    keys: ['fields'],
    whole: true,
    read(fields) {
      const record = fields.object('fields');
      return (stage) => stage.emit(record);
    },
  },

  concat: {
    keys: ['records'],
    shorthand: 'records',
    read(fields) {
      const records = fields.objects('records');
      if (records.length < 2) fields.fail('records', 'must be a list of two records or more');
      return (stage) =>
        stage.out.write(records.map((one) => JSON.stringify(one)).join('') + stage.lineEnding);
    },
  },

  array: {
    keys: ['records'],
    shorthand: 'records',
    read(fields) {
      const records = fields.objects('records');
      return (stage) => {
        stage.closed = true;
        stage.out.write(JSON.stringify(records) + stage.lineEnding);
      };
    },
  },

  partial: {
    keys: ['size'],
    shorthand: 'size',
    read(fields) {
      const size = fields.size('size');
      return (stage) => {
        stage.closed = true;
        // The text alone is as long as the cut, so the cut always falls inside the record.
        const record = stage.lines(longRecord(stage, 'result', size));
        stage.out.write(Buffer.from(record, 'utf8').subarray(0, size));
      };
    },
  },
};

function bytesOf(fields: Fields, key: 'text' | 'base64' | 'hex' | 'record'): Uint8Array {
  if (key === 'record') return Buffer.from(`${JSON.stringify(fields.object('record'))}\n`, 'utf8');
  return key === 'text' ? Buffer.from(fields.text(key), 'utf8') : fields.bytes(key);
}

function write(stage: Stage, to: (typeof OUTPUTS)[number], bytes: Uint8Array): void {
  if (to !== 'stderr') stage.out.write(bytes);
  if (to !== 'stdout') stage.err.write(bytes);
}

async function writeSlowly(
  stage: Stage,
  to: (typeof OUTPUTS)[number],
  bytes: Uint8Array,
  every: number,
  gap: number,
): Promise<void> {
  for (let offset = 0; offset < bytes.length; offset += every) {
    if (offset > 0 && gap > 0) await wait(gap);
    write(stage, to, bytes.subarray(offset, offset + every));
  }
}

/** A record with a text of `size` bytes; a result among them closes the play. */
function longRecord(stage: Stage, as: 'tool-result' | 'text' | 'result', size: number): Printed {
  const text = 'The quick brown fox. '.repeat(Math.ceil(size / 21)).slice(0, size);
  if (as === 'text') return stage.records.text(text);
  if (as === 'tool-result') {
    return stage.records.toolResult(stage.records.newToolId(), { content: text, ok: true, detail: null });
  }
  stage.closed = true;
  return stage.records.result({ result: text });
}
