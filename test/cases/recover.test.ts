import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBaton, startBaton, untilFile } from '../support/baton.ts';
import { surroundings } from '../support/environment.ts';
import { quote } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';
import { fakeDoing, proven } from './proof.ts';

it.each([
  ['diff', ['diff', '--name-only']],
  ['dispatch', ['dispatch', '--json']],
] as const)('whatever comes after a killed landing mends it first and says so: %s', async (_, next) => {
  const where = surroundings();
  const repository = makeRepository({ files: { 'a.txt': 'one\n' } });
  for (const [name, value] of Object.entries({ name: 'A', email: 'a@example.com' })) {
    repository.git('config', `user.${name}`, value);
  }
  fakeDoing(where, 'echo two >>a.txt');
  await proven(where, { cd: repository.dir });
  const head = repository.head();

  const [up, done] = [join(where.root, 'up'), join(where.root, 'done')];
  const hooks = join(repository.dir, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(
    join(hooks, 'pre-commit'),
    `#!/bin/sh\necho up >${quote(up)}\nsleep 1\necho done >${quote(done)}\n`,
  );
  chmodSync(join(hooks, 'pre-commit'), 0o755);
  const inTree = { env: where.env, cwd: repository.dir };
  const landing = await startBaton(['land', '-m', 'Land it'], inTree);
  await untilFile(up);
  landing.signal('SIGKILL');
  await landing.ended;
  await untilFile(done);

  const input = next[0] === 'dispatch' ? { input: 'do it' } : {};
  const mended = await runBaton([...next], { ...inTree, ...input });
  expect(mended.code).toBe(0);
  expect(mended.stderr).toMatch(/^baton: an interrupted land of run \S+ was taken back/m);
  expect(repository.head()).toEqual(head);
  const again = await runBaton(['diff', '--name-only'], inTree);
  expect(again).toMatchObject({ code: 0, stdout: 'a.txt\n', stderr: '' });
});
