import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureBuilt } from './support/build.ts';
import { surroundings } from './support/environment.ts';
import { PROJECT } from './support/project.ts';

it('the demo fixes, proves and lands, with nothing but Node and git, and is plain when piped', async () => {
  await ensureBuilt();
  const { env } = surroundings();
  const demo = spawnSync(process.execPath, [join(PROJECT, 'scripts', 'demo.mjs')], { env, encoding: 'utf8' });
  expect(demo.stdout).toContain('Fixed, proven, landed.');
  expect(demo.status).toBe(0);
  expect(demo.stdout).not.toContain('\u001b');
});
