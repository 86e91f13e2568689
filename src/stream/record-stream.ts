import { constants } from 'node:buffer';
import type { JsonObject } from '../core/json.ts';
import { LineSplitter } from './line-splitter.ts';
import { beginsLikeRecord, readLine } from './record.ts';

/** Turns the bytes of an agent CLI's output into records and keeps count of what could not be read. Never throws. */
export class RecordStream {
  /** Objects that were handed on. */
  records = 0;
  /** Lines with something in them that is no JSON. */
  unreadable = 0;
  /** Lines of JSON without an object, such as `null` or `17`. */
  ignored = 0;
  /** The output ends in the middle of a record, or the log was cut back while it was read. */
  truncated = false;
  /** The last unreadable line began as a record. */
  #looksCut = false;
  readonly #lines: LineSplitter;
  readonly #onRecord: (record: JsonObject) => void;

  /** A record of more than `maxRecordBytes` bytes is dropped and counted as `oversize`. */
  constructor(maxRecordBytes: number, onRecord: (record: JsonObject) => void) {
    this.#onRecord = (record) => {
      this.records += 1;
      onRecord(record);
    };
    const longest = Math.min(maxRecordBytes, constants.MAX_STRING_LENGTH);
    this.#lines = new LineSplitter(longest, (bytes, start, end) =>
      this.#take(bytes.toString('utf8', start, end)),
    );
  }

  get oversize(): number {
    return this.#lines.oversize;
  }

  push(bytes: Buffer): void {
    this.#lines.push(bytes);
  }

  /** The log is shorter than what was read of it: go on with what comes, but say so. */
  cutBack(): void {
    this.truncated = true;
    this.#lines.drop();
  }

  /** No more bytes will come. A last line without a newline counts as a line. */
  end(): void {
    this.#looksCut = false;
    this.#lines.end();
    if (this.#looksCut) this.truncated = true;
  }

  #take(text: string): void {
    const kind = readLine(text, this.#onRecord);
    if (kind === 'ignored') this.ignored += 1;
    if (kind !== 'unreadable') return;
    this.unreadable += 1;
    this.#looksCut = beginsLikeRecord(text);
  }
}
