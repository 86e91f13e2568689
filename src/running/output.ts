import type { JsonObject } from '../core/json.ts';
import type { StreamBlock } from '../rundir/result.ts';
import { FileFollower } from '../stream/file-follower.ts';
import { RecordStream } from '../stream/record-stream.ts';

export interface OutputListener {
  onRecord(record: JsonObject): void;
  /** Either log has grown. */
  onGrowth(): void;
  onStderr(chunk: Uint8Array): void;
}

/** Reads along what the implementer writes into its two logs. */
export class Output {
  readonly #records: RecordStream;
  readonly #stdout: FileFollower;
  readonly #stderr: FileFollower;

  /** Opens both logs. Throws the system's error when one cannot be opened. */
  constructor(files: { events: string; stderr: string }, maxRecordBytes: number, listener: OutputListener) {
    const records = new RecordStream(maxRecordBytes, (record) => listener.onRecord(record));
    this.#records = records;
    this.#stdout = new FileFollower(files.events, {
      onBytes: (bytes) => {
        listener.onGrowth();
        records.push(bytes);
      },
      onCutBack: () => records.cutBack(),
    });
    this.#stderr = new FileFollower(files.stderr, {
      onBytes: (bytes) => {
        listener.onGrowth();
        // A copy, since the listener may pass it on to a stream that writes it later.
        listener.onStderr(Uint8Array.from(bytes));
      },
      onCutBack: () => {
        records.truncated = true;
      },
    });
  }

  start(): void {
    this.#stdout.start();
    this.#stderr.start();
  }

  catchUp(): void {
    this.#stdout.look();
    this.#stderr.look();
  }

  /** The writers are gone: reads both logs to their ends and closes them. */
  async finish(): Promise<StreamBlock> {
    await Promise.all([this.#stdout.finish(), this.#stderr.finish()]);
    this.#records.end();
    const { records, unreadable, oversize, truncated } = this.#records;
    return { bytes: this.#stdout.bytes, events: records, unreadable, oversize, truncated };
  }
}
