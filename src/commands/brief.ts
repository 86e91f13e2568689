import { readFileSync } from 'node:fs';
import { UsageError, messageOf } from '../core/errors.ts';
import type { Io } from './io.ts';
import { readAll } from './read-all.ts';

/** Reads the brief, byte for byte, from its file or else from stdin. A terminal on stdin is nobody's brief. */
export async function readBrief(file: string | undefined, io: Pick<Io, 'stdin'>): Promise<Uint8Array> {
  if (file !== undefined) {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new UsageError(`--brief ${JSON.stringify(file)} cannot be read: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  if (io.stdin.isTTY)
    throw new UsageError('there is no brief: name a file with --brief <file>, or pipe it into stdin');
  return readAll(io.stdin);
}
