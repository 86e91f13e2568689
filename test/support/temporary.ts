import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * A new folder (its real path) that is removed by itself: after the test that asked for it, or after the file when it
 * was asked for outside a test, as in a `beforeAll`.
 */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 't-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else forFile.push(remove);
  return folder;
}

const forFile: (() => void)[] = [];
afterAll(() => {
  for (const remove of forFile.splice(0)) remove();
});
