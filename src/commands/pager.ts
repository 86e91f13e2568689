import { spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemCode } from '../core/errors.ts';
import type { Io } from './io.ts';

/**
 * Shows text through the person's pager (`$GIT_PAGER`, `$PAGER`, else `less`), or straight on stdout where there is
 * none. Leaving the pager early is no error.
 */
export async function page(text: AsyncIterable<string>, io: Io): Promise<void> {
  const pager = io.env['GIT_PAGER'] ?? io.env['PAGER'] ?? 'less';
  if (pager === '' || pager === 'cat' || process.platform === 'win32') {
    return pour(Readable.from(text), io.stdout);
  }
  const child = spawn('/bin/sh', ['-c', `${pager} 2>/dev/null || cat`], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...io.env },
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await pour(Readable.from(text), child.stdin);
  child.stdin.end();
  await closed;
}

/** Writes all of it, and leaves `target` open. A reader that leaves early (`baton diff | head`) is no error. */
export async function pour(text: Readable, target: Writable): Promise<void> {
  await pipeline(text, target, { end: false }).catch((error: unknown) => {
    if (systemCode(error) !== 'EPIPE' && systemCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
