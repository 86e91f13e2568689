import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBaton } from './support/baton.ts';
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

it('has no demo with another implementer', async () => {
  const run = await runBaton(['demo', '--implementer', 'gpt'], surroundings());
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe(
    'demo: --implementer "gpt": there is a demo with scripted, with claude and with codex\n',
  );
});

it('says where to get a CLI that is not there', async () => {
  const where = surroundings();
  const run = await runBaton(['demo', '--implementer', 'codex'], { env: { ...where.env, PATH: where.bin } });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('npm install -g @openai/codex');
});
