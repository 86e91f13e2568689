import { readSync } from 'node:fs';
import { systemCode } from '../../core/errors.ts';
import { isObject, stringOf } from '../../core/json.ts';

/** What an agent product tells a hook. Each part may be missing. */
export interface HookInput {
  event: string | null;
  sessionId: string | null;
  cwd: string | null;
  prompt: string;
  toolInput: unknown;
}

/** An edit's record holds the whole file before and after. Beyond this the hook has nothing to say. */
const MAX_BYTES = 16 * 1024 ** 2;
const CHUNK_BYTES = 64 * 1024;
/** How long a pipe that does not block is waited for. */
const MAX_WAITS = 400;
const WAIT_MS = 5;

/** All of a file descriptor, as text; null where it is too much. It is read to its end in any case: who writes it shall not fail. */
export function readBounded(fd: number): string | null {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let waits = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    try {
      const read = readSync(fd, chunk);
      if (read === 0) break;
      bytes += read;
      if (bytes <= MAX_BYTES) chunks.push(chunk.subarray(0, read));
    } catch (error) {
      if (systemCode(error) === 'EOF') break; // Windows, at the end of a pipe
      if (systemCode(error) !== 'EAGAIN' || waits >= MAX_WAITS) throw error;
      waits += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
  return bytes <= MAX_BYTES ? Buffer.concat(chunks).toString('utf8') : null;
}

/** The input of a hook; null for what is no JSON object. */
export function parseHookInput(text: string): HookInput | null {
  const input: unknown = JSON.parse(text);
  if (!isObject(input)) return null;
  return {
    event: stringOf(input['hook_event_name']),
    sessionId: stringOf(input['session_id']),
    cwd: stringOf(input['cwd']),
    prompt: stringOf(input['prompt']) ?? '',
    toolInput: input['tool_input'],
  };
}
