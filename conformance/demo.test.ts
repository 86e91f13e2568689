import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureBuilt } from '../test/support/build.ts';
import { surroundings } from '../test/support/environment.ts';
import { PROJECT } from '../test/support/project.ts';

test.each(['claude', 'codex'])('the demo lands what the real %s did', async (implementer) => {
  await ensureBuilt();
  const { env } = surroundings();
  const demo = spawnSync(
    process.execPath,
    [join(PROJECT, 'scripts', 'demo.mjs'), '--implementer', implementer],
    { env, encoding: 'utf8' },
  );
  expect(demo.stdout).toContain('Fixed, proven, landed.');
  expect(demo.status).toBe(0);
});
