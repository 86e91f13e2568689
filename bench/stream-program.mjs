// Reads a file of events to its end in one of several ways and prints how long it took, what was read, and the peak.
// Arguments: the way, the file, the folder with the bundled modules of src.

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [way, file, modules] = process.argv.slice(2);
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The least that reading JSON lines can cost in JavaScript: block reads, a search for LF, JSON.parse of each line. */
async function floor() {
  const block = Buffer.allocUnsafeSlow(256 * 1024);
  const fd = openSync(file, 'r');
  let records = 0;
  let tail = [];
  const take = (text) => {
    JSON.parse(text);
    records += 1;
  };
  for (let count = 1; count > 0; ) {
    count = readSync(fd, block, 0, block.length, null);
    const bytes = block.subarray(0, count);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(0x0a, start);
      if (end === -1) break;
      if (tail.length > 0) {
        tail.push(Buffer.from(bytes.subarray(start, end)));
        take(Buffer.concat(tail).toString('utf8'));
        tail = [];
      } else take(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    if (start < count) tail.push(Buffer.from(bytes.subarray(start)));
  }
  closeSync(fd);
  return records;
}

/** As a dispatch reads: along the file, bytes to lines to records, with everything counted. */
async function stream(onRecord = () => {}) {
  const { FileFollower } = await load('file-follower');
  const { RecordStream } = await load('record-stream');
  begin();
  const records = new RecordStream(MAX_RECORD_BYTES, onRecord);
  const follower = new FileFollower(file, {
    onBytes: (bytes) => records.push(bytes),
    onCutBack: () => records.cutBack(),
  });
  await follower.finish();
  records.end();
  if (records.unreadable > 0 || records.truncated)
    throw new Error('the bench wrote events that cannot be read');
  return records.records;
}

/** The same, and each record made into the events of the claude implementer. */
async function events() {
  const { createClaudeReader } = await load('claude-events');
  const reader = createClaudeReader();
  let count = 0;
  const records = await stream((record) => (count += reader.read(record).length));
  if (count === 0) throw new Error('the reader yielded no events');
  return records;
}

/** As a caller of the library reads: pulled, one record at a time. */
async function pulled() {
  const { followRecords } = await load('follow-records');
  begin();
  let records = 0;
  for await (const _ of followRecords(file, { over: AbortSignal.abort(), maxRecordBytes: MAX_RECORD_BYTES }))
    records += 1;
  return records;
}

let started = 0;
/** The clock starts after the modules are loaded. */
function begin() {
  started = performance.now();
}

function load(name) {
  return import(pathToFileURL(join(modules, `${name}.mjs`)).href);
}

begin();
const records = await { floor, stream, events, pulled }[way]();
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, records, peakBytes: process.resourceUsage().maxRSS * 1024 }));
