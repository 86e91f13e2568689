import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { RecordStream } from '../../src/stream/record-stream.ts';
import { init, success, text } from '../support/records.ts';

interface Reading {
  records: JsonObject[];
  unreadable: number;
  ignored: number;
  oversize: number;
  truncated: boolean;
}

function read(chunks: readonly Uint8Array[], maxRecordBytes = 64 << 20): Reading {
  const records: JsonObject[] = [];
  const stream = new RecordStream(maxRecordBytes, (record) => records.push(record));
  for (const chunk of chunks) stream.push(Buffer.from(chunk));
  stream.end();
  const { unreadable, ignored, oversize, truncated } = stream;
  expect(stream.records).toBe(records.length);
  return { records, unreadable, ignored, oversize, truncated };
}

const readText = (content: string): Reading => read([Buffer.from(content)]);
const parsed = (...lines: string[]): unknown[] => lines.map((line) => JSON.parse(line) as unknown);
const clean = { unreadable: 0, ignored: 0, oversize: 0, truncated: false };

test('a final line without a newline is a line', () => {
  expect(readText(`${init()}\n${success('done')}`)).toEqual({
    records: parsed(init(), success('done')),
    ...clean,
  });
});

test('UTF-8 one byte at a time', () => {
  const bytes = Buffer.from(`${success('中🧩')}\n`);
  const reading = read([...bytes].map((byte) => Uint8Array.of(byte)));
  expect(reading).toEqual({ records: parsed(success('中🧩')), ...clean });
});

test('U+2028 and U+2029 in a string break no line', () => {
  expect(readText(`${success('a\u2028b\u2029c')}\n`).records).toEqual(parsed(success('a\u2028b\u2029c')));
});

test('a lone surrogate, escaped in JSON, is kept', () => {
  expect(readText('{"result":"x\\ud83d"}\n').records).toEqual([{ result: 'x\ud83d' }]);
});

test('lines that are no JSON are counted and skipped', () => {
  const reading = readText(`Now using node v20\n[DEBUG] x\n${init()}\n{bad json\n${success('ok')}\n`);
  expect(reading).toEqual({ records: parsed(init(), success('ok')), ...clean, unreadable: 3 });
});

test('JSON that is no object is ignored', () => {
  const reading = readText(`null\n"s"\n17\n[]\n${success('ok')}\n`);
  expect(reading).toEqual({ records: parsed(success('ok')), ...clean, ignored: 4 });
});

test('blank lines are nothing', () => {
  expect(readText(`\n\r\n  \n\u001b[0m\n${init()}\n\n`)).toEqual({ records: parsed(init()), ...clean });
});

test('a whole document in an array is searched for its objects', () => {
  expect(readText(`[${init()},"x",${success('ok')}]`).records).toEqual(parsed(init(), success('ok')));
});

test('CRLF', () => {
  expect(readText(`${init()}\r\n${success('x')}\r\n`)).toEqual({
    records: parsed(init(), success('x')),
    ...clean,
  });
});

describe('noise around a record', () => {
  const thread = '{"type":"thread.started","thread_id":"T1"}';
  test.each([
    ['a mode switch and a title', `\u001b[?2004h\u001b]0;title\u0007${thread}\n`],
    ['a title ended by ST', `\u001b]0;a {title}\u001b\\${thread}\n`],
    ['a charset and a keypad sequence', `\u001b(B\u001b=${thread}\n`],
    ['a device control string', `\u001bPq{}\u001b\\${thread}\n`],
    ['a byte order mark', `\ufeff${thread}\n`],
    ['a bell and a carriage return', `\u0007\r${thread}\n`],
    ['a reset behind it', `${thread}\u001b[0m\r\n`],
  ])('%s', (_, line) => {
    expect(readText(line)).toEqual({ records: parsed(thread), ...clean });
  });

  test('a title that never ends hides what follows, and is counted', () => {
    expect(readText(`\u001b]0;title${thread}\n${init()}\n`)).toEqual({
      records: parsed(init()),
      ...clean,
      unreadable: 1,
    });
  });
});

describe('several objects on one line', () => {
  test('are recovered', () => {
    const line = `${init()}${success('a } { " \\')} ${text('y')}`;
    expect(readText(`${line}\n`)).toEqual({
      records: parsed(init(), success('a } { " \\'), text('y')),
      ...clean,
    });
  });

  test('up to the first thing that is no object', () => {
    expect(readText(`${init()}{"type":"resu\n`)).toEqual({
      records: parsed(init()),
      ...clean,
      unreadable: 1,
    });
  });

  test('but never out of the middle of other text', () => {
    for (const line of [
      `[DEBUG] ${success('quoted')}`,
      `tool said: ${success('quoted')}`,
      `{"half":"${success('quoted')}`,
      `{bad ${success('quoted')}}`,
    ]) {
      expect(readText(`${line}\n`)).toEqual({ records: [], ...clean, unreadable: 1 });
    }
  });
});

describe('truncated', () => {
  test('when the output ends inside a record', () => {
    const cut = success('x'.repeat(100_000)).slice(0, 65_536);
    const reading = readText(`${init()}\n${text('report')}\n${cut}`);
    expect(reading).toEqual({
      records: parsed(init(), text('report')),
      ...clean,
      unreadable: 1,
      truncated: true,
    });
  });

  test('when it ends inside a second record of the last line, or inside an array', () => {
    expect(readText(`${init()}{"type":`).truncated).toBe(true);
    expect(readText(`[${init()},{"type":`).truncated).toBe(true);
  });

  test('not when the last line is plain text, or was cut but ended', () => {
    expect(readText(`${init()}\n[warn] bye`).truncated).toBe(false);
    expect(readText(`{"type":\n${init()}`).truncated).toBe(false);
  });

  test('when the log was cut back, and the half line before it is forgotten', () => {
    const records: JsonObject[] = [];
    const stream = new RecordStream(1000, (record) => records.push(record));
    stream.push(Buffer.from('{"half":'));
    stream.cutBack();
    stream.push(Buffer.from(`${init()}\n`));
    stream.end();
    expect(records).toEqual(parsed(init()));
    expect(stream).toMatchObject({ truncated: true, unreadable: 0 });
  });
});

test('a record above the cap is dropped and counted, the next is read', () => {
  const reading = read([Buffer.from(`${text('x'.repeat(5000))}\n${success('fin')}\n`)], 1000);
  expect(reading).toEqual({ records: parsed(success('fin')), ...clean, oversize: 1 });
});

test('an event of 12 MiB in chunks of 1 KiB', () => {
  const big = Buffer.from(`${text('x'.repeat(12 << 20))}\n${success('fin')}\n`);
  const chunks = Array.from({ length: Math.ceil(big.length / 1024) }, (_, index) =>
    big.subarray(index * 1024, (index + 1) * 1024),
  );
  expect(read(chunks).records.at(-1)).toEqual(JSON.parse(success('fin')));
});

test('any records, cut at any bytes, are the same records', () => {
  const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
  const separator = fc.constantFrom('\n', '\r\n', '', ' ', '\n\n', '\u001b[0m\n');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(record, separator), { maxLength: 8 }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      (lines, cuts) => {
        const texts = lines.map(([value]) => JSON.stringify(value));
        const bytes = Buffer.from(lines.map(([, end], index) => `${texts[index]}${end}`).join(''));
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(read(chunks)).toEqual({ records: parsed(...texts), ...clean });
      },
    ),
    { numRuns: 500 },
  );
});

test('any bytes at all are read without an exception', () => {
  const hostile = fc.array(
    fc.oneof(fc.constantFrom(...Buffer.from('{}[]"\\:,\n\r\u001b[]0m;')), fc.nat(255)),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(hostile, (bytes) => {
      expect(() => read([Uint8Array.from(bytes)])).not.toThrow();
    }),
    { numRuns: 500 },
  );
});
