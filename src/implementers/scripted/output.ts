import { writeSync } from 'node:fs';
import { systemCode } from '../../core/errors.ts';

/**
 * One of the player's own output streams, written synchronously: when `write` returns, every byte has left the
 * process, so that exit can come at any moment (a script that ends 65,536 bytes in must end exactly there).
 */
export class Output {
  readonly #fd: number;
  /** Something could not be written: the disk is full, or nobody reads any more. The play goes on, as the real CLIs do. */
  lost = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    for (let offset = 0; offset < bytes.length; ) {
      try {
        offset += writeSync(this.#fd, bytes, offset);
      } catch (error) {
        // A pipe that somebody made non-blocking is only full for the moment.
        if (systemCode(error) === 'EAGAIN') pause(2);
        else {
          this.lost = true;
          return;
        }
      }
    }
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
