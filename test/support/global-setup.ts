import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.ts';
import { endProcesses, processesUnder } from './processes.ts';

/**
 * Once per run of vitest: a temporary folder that every test file gets as its own temp folder, and, after the last
 * test, the proof that no process was left behind in it. What was left is ended, named, and fails the run.
 */
export default async function setUp(): Promise<() => void> {
  if (process.env['BATON_TEST_BUILD']) await ensureBuilt();
  // Short, because sockets lie below it and their paths may not be longer than about 100 bytes.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bt-')));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = root;

  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const left = processesUnder(root).filter((found) => found.parent !== process.pid);
    endProcesses(left);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) {
      process.exitCode = 1; // vitest only prints what a teardown throws
      throw new Error(
        `tests left processes behind:\n${left.map((one) => `  ${one.pid} ${one.command}`).join('\n')}`,
      );
    }
  };
}
