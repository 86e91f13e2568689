import { closeSync, openSync, readSync, type FSWatcher } from 'node:fs';
import type { JsonObject } from '../core/json.ts';
import { systemCode } from '../core/errors.ts';
import { watchQuietly } from './file-follower.ts';
import { RecordStream } from './record-stream.ts';

const BLOCK_BYTES = 64 * 1024;
const POLL_MS = 200;

export interface FollowOptions {
  /** Aborted when nothing will be written any more: the iteration then ends at the end of the file. */
  over: AbortSignal;
  maxRecordBytes: number;
}

/**
 * The records of a growing file, from its start, as fast as the consumer asks for them. Nothing is read ahead but one
 * block, so records that nobody reads cost no memory. Each iteration has a place of its own in the file. A file that
 * is not there yet is waited for; one that never comes is an empty stream.
 */
export async function* followRecords(
  path: string,
  options: FollowOptions,
): AsyncGenerator<JsonObject, void, void> {
  const records: JsonObject[] = [];
  const stream = new RecordStream(options.maxRecordBytes, (record) => records.push(record));
  const growth = new Growth(path, options.over);
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let fd: number | null = null;
  try {
    for (;;) {
      // Looked at before the read: what was written until then is read below.
      const last = options.over.aborted;
      fd ??= openIfThere(path);
      const count = fd === null ? 0 : readSync(fd, block, 0, BLOCK_BYTES, null);
      if (count > 0) stream.push(block.subarray(0, count));
      else if (last) stream.end();
      yield* records.splice(0);
      if (count > 0) continue;
      if (last) return;
      await growth.next();
    }
  } finally {
    growth.close();
    if (fd !== null) closeSync(fd);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Waits for the file to grow, or for the run to be over; a slow poll stands in where watching says nothing. */
class Growth {
  readonly #path: string;
  readonly #over: AbortSignal;
  #watcher: FSWatcher | null = null;
  /** Something happened since the last wait. */
  #news = false;
  #wake: () => void = () => {};

  constructor(path: string, over: AbortSignal) {
    this.#path = path;
    this.#over = over;
    over.addEventListener('abort', this.#onNews, { once: true });
  }

  async next(): Promise<void> {
    this.#watcher ??= watchQuietly(this.#path, this.#onNews);
    if (!this.#news && !this.#over.aborted) {
      await new Promise<void>((resolve) => {
        const poll = setTimeout(resolve, POLL_MS);
        this.#wake = () => {
          clearTimeout(poll);
          resolve();
        };
      });
    }
    this.#news = false;
  }

  close(): void {
    this.#watcher?.close();
    this.#over.removeEventListener('abort', this.#onNews);
  }

  readonly #onNews = (): void => {
    this.#news = true;
    this.#wake();
  };
}
