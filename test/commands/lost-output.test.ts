import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { dispatch, PROGRAMS, resultOf } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings } from '../support/environment.ts';
import { fakeShell } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

beforeAll(ensureBuilt);

it('bears a reader of a long patch that leaves early', async () => {
  const where = surroundings();
  const { dir } = makeRepository();
  const script = join(where.root, 'long.yaml');
  const content = 'a line that is long enough\\n'.repeat(20_000);
  writeFileSync(script, `steps:\n  - write: { path: long.txt, content: "${content}" }\n  - say: done\n`);
  fakeShell(where, `exec "${process.execPath}" "${PROGRAMS.scripted}" "$@"`, { version: null });
  const env = { ...where.env, BATON_SCRIPT: script };
  expect(resultOf(await dispatch(where, { cd: dir, env }))).toMatchObject({ status: 'completed' });
  const line = '"$0" "$1" diff | head -1; echo "${PIPESTATUS[0]}"';
  const ran = spawnSync('bash', ['-c', line, process.execPath, PROGRAMS.baton], {
    cwd: dir,
    env: where.env,
    encoding: 'utf8',
  });
  expect([ran.stderr, ran.stdout]).toEqual(['', 'diff --git a/long.txt b/long.txt\n0\n']);
});

it.runIf(existsSync('/dev/full'))('fails in one line where stdout is a file on a full disk', () => {
  const { env } = surroundings();
  for (const args of [['--version'], ['completion', 'bash'], ['dispatch', '--help']]) {
    const full = openSync('/dev/full', 'w');
    const ran = spawnSync(process.execPath, [PROGRAMS.baton, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^baton: stdout cannot be written: ENOSPC[^\n]*\n$/);
  }
});

it('says in one line that the directory which it was started in is gone', () => {
  const { env } = surroundings();
  const cwd = temporaryFolder();
  const line = 'rmdir "$PWD"; exec "$0" "$@"';
  for (const args of [['lanes', 'list'], ['diff'], ['lanes', 'init', '--yes'], ['doctor']]) {
    const ran = spawnSync(
      'sh',
      [
        '-c',
        `mkdir -p "${cwd}/gone" && cd "${cwd}/gone" && ${line}`,
        process.execPath,
        PROGRAMS.baton,
        ...args,
      ],
      {
        env,
        encoding: 'utf8',
      },
    );
    expect([ran.status, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toBe(
      'baton: the current directory is not there any more; go to one that is, or name one with --cd\n',
    );
  }
});
