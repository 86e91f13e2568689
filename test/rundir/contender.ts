import { existsSync } from 'node:fs';
import { messageOf } from '../../src/core/errors.ts';
import { createRunDirectory, type RunDirectoryRequest } from '../../src/rundir/directory.ts';
import { acquireTreeLock, type TreeLockRequest } from '../../src/rundir/tree-lock.ts';

/**
 * A program that tries to get something at the same moment as others of its kind, says on one line whether it did, and
 * keeps it until its stdin ends.
 */
export type Attempt =
  | { what: 'directory'; request: RunDirectoryRequest }
  | { what: 'tree-lock'; request: TreeLockRequest };

const [attempt, startSignal] = process.argv.slice(2);
if (attempt === undefined || startSignal === undefined) throw new Error('usage: contender <attempt> <file>');

process.stdout.write('ready\n');
const nap = new Int32Array(new SharedArrayBuffer(4));
while (!existsSync(startSignal)) Atomics.wait(nap, 0, 0, 1);
process.stdout.write(`${JSON.stringify(outcome(JSON.parse(attempt)))}\n`);
process.stdin.resume();

function outcome({ what, request }: Attempt): { got: string | null; refusal: string | null } {
  try {
    if (what === 'directory') return { got: createRunDirectory(request).path, refusal: null };
    acquireTreeLock(request);
    return { got: request.runId, refusal: null };
  } catch (error) {
    return { got: null, refusal: messageOf(error) };
  }
}
