import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBaton, startBaton } from './support/baton.ts';
import { ensureBuilt } from './support/build.ts';
import { surroundings } from './support/environment.ts';
import { PROJECT } from './support/project.ts';
import { makeRepository } from './support/repository.ts';

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

it('plays in its own folder, whatever git was told, and however the machine is set up', async () => {
  const { env, root, home } = surroundings();
  const own = makeRepository();
  own.write({ 'mine.txt': 'not committed\n' });
  const before = [own.git('log', '--format=%H'), own.git('status', '--short')];
  writeFileSync(join(home, '.gitconfig'), '[status]\n\tbranch = true\n[commit]\n\tgpgSign = true\n');
  const TMPDIR = join(root, 'a folder');
  mkdirSync(TMPDIR);
  const told = { GIT_DIR: join(own.dir, '.git'), GIT_WORK_TREE: own.dir, NODE_TEST_CONTEXT: 'child-v8' };
  const run = await runBaton(['demo'], { env: { ...env, ...told, TMPDIR } });
  expect(run.stdout).toContain('Fixed, proven, landed.');
  expect(run.stdout).toContain(`rm -rf "${join(TMPDIR, readdirSync(TMPDIR)[0] ?? '')}"`);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect([own.git('log', '--format=%H'), own.git('status', '--short')]).toEqual(before);
});

it.each([
  ['git', { PATH: 'bin' }, 'demo: there is no `git` on PATH: install it\n'],
  ['a folder for it', { TMPDIR: 'none' }, 'demo: there is no folder to play in: ENOENT'],
])('says in one line that there is no %s', async (_, change, text) => {
  const { env, root, bin } = surroundings();
  symlinkSync(process.execPath, join(bin, 'node'));
  const [[name, folder] = ['', '']] = Object.entries(change);
  const run = await runBaton(['demo'], { env: { ...env, [name]: join(root, folder) } });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^[^\n]+\n$/);
  expect(run.stderr).toContain(text);
});

it('ends by a signal, and says where it was', async () => {
  const { env } = surroundings();
  const demo = await startBaton(['demo'], { env });
  await expect.poll(() => demo.stdout(), { timeout: 45_000 }).toContain('$ baton dispatch');
  demo.signal('SIGTERM');
  const { code, stdout, stderr } = await demo.ended;
  expect(code).toBe(143);
  expect(stdout).not.toContain('$ baton diff');
  expect(stderr).toContain('demo: interrupted by SIGTERM; what there is lies in ');
});

it('bears a reader that leaves early', async () => {
  await ensureBuilt();
  const { env } = surroundings();
  const line = '"$0" "$1" demo | head -1; echo "${PIPESTATUS[0]}"';
  const ran = spawnSync('bash', ['-c', line, process.execPath, join(PROJECT, 'bin', 'baton.js')], {
    env,
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  expect(ran.stdout.trim()).toBe('0');
});
