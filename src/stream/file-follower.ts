import { closeSync, fstatSync, openSync, readSync, watch, type FSWatcher } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

const BLOCK_BYTES = 64 * 1024;
/** Blocks that are read in one go before timers and signals get their turn. */
const BURST = 32;
const POLL_MS = 200;

export interface FileListener {
  /** The next bytes of the file. They lie in a buffer that is used again: valid only during the call. */
  onBytes(bytes: Buffer): void;
  /** Bytes were lost: the file became shorter than what was read of it (reading goes on at its new end), or unreadable. */
  onCutBack(): void;
}

/**
 * Reads along a file that another process appends to. It is woken by the file system and, where that says nothing
 * (network file systems, watch limits), by a slow poll. It holds the file open, so that a removed directory loses
 * nothing; it never keeps the event loop alive.
 */
export class FileFollower {
  /** Bytes read so far. */
  bytes = 0;
  readonly #listener: FileListener;
  readonly #fd: number;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  readonly #path: string;
  #poll: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | null = null;
  #position = 0;
  #reading: NodeJS.Immediate | null = null;
  #closed = false;

  /** Opens the file. Throws the system's error when it cannot be opened; nothing later does. */
  constructor(path: string, listener: FileListener) {
    this.#listener = listener;
    this.#path = path;
    this.#fd = openSync(path, 'r');
  }

  /** From now on what is appended is read by itself. */
  start(): void {
    this.#poll = setInterval(() => this.look(), POLL_MS).unref();
    this.#watcher = watchQuietly(this.#path, () => this.look());
  }

  /** Reads what is there now; when that is much, a part of it now and the rest in the next turns. */
  look(): void {
    if (this.#closed || this.#reading) return;
    if (!this.#readBurst()) return;
    this.#reading = setImmediate(() => {
      this.#reading = null;
      this.look();
    });
  }

  /** The writers are gone: reads what is left, to the end, and closes. */
  async finish(): Promise<void> {
    while (!this.#closed && this.#readBurst()) await nextTurn();
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#poll);
    if (this.#reading) clearImmediate(this.#reading);
    this.#watcher?.close();
    closeSync(this.#fd);
  }

  /** Reads a few blocks. Returns whether there may be more. */
  #readBurst(): boolean {
    for (let blocks = 0; blocks < BURST; blocks += 1) {
      const count = this.#read();
      if (count === 0) return false;
      this.#position += count;
      this.bytes += count;
      this.#listener.onBytes(this.#block.subarray(0, count));
      // The listener may have closed us.
      if (this.#closed) return false;
    }
    return true;
  }

  #read(): number {
    try {
      const count = readSync(this.#fd, this.#block, 0, BLOCK_BYTES, this.#position);
      if (count === 0) this.#checkLength();
      return count;
    } catch {
      // A disk or network file system that fails: the rest is lost, and a throw here would leave the tree running.
      this.#listener.onCutBack();
      this.close();
      return 0;
    }
  }

  #checkLength(): void {
    const { size } = fstatSync(this.#fd);
    if (size >= this.#position) return;
    this.#position = size;
    this.#listener.onCutBack();
  }
}

/** A watcher that does not hold the process, or null where watching is not to be had: the poll is enough then. */
export function watchQuietly(path: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
