import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change, Result } from '../../src/rundir/result.ts';
import { dispatch, runBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell } from '../support/fake.ts';
import { success } from '../support/records.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

interface World {
  where: Surroundings;
  repository: TestRepository;
  run: (script: string) => Promise<void>;
  baton: (...args: string[]) => ReturnType<typeof runBaton>;
}

function world(): World {
  const where = surroundings();
  const repository = makeRepository({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n' } });
  return {
    where,
    repository,
    run: async (script) => {
      fakeShell(where, `cat >/dev/null; ${script}; echo '${success('done')}'`);
      expect((await dispatch(where, { cd: repository.dir, args: ['--json'] })).code).toBe(0);
    },
    baton: (...args) => runBaton(args, { env: where.env, cwd: repository.dir }),
  };
}

describe('baton diff', () => {
  test('prints the newest run’s patch byte for byte, so that git can apply it', async () => {
    const { repository, run, baton } = world();
    await run('echo two >>a.txt; printf "\\000\\001bin" >bin; rm b.txt');
    const { code, stdout, stderr } = await baton('diff');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const clone = join(repository.dir, '..', 'applied');
    execFileSync('git', ['clone', '-q', repository.dir, clone]);
    writeFileSync(join(clone, 'p.patch'), stdout);
    execFileSync('git', ['apply', 'p.patch'], { cwd: clone });
    expect(readFileSync(join(clone, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(join(clone, 'bin'))).toEqual(Buffer.from([0, 1, ...Buffer.from('bin')]));
    rmSync(clone, { recursive: true });
  });

  test('takes a run by the beginning of its id, and the newest without one', async () => {
    const { run, baton } = world();
    await run('echo first >first.txt');
    const first: Result = JSON.parse((await baton('show', '--json')).stdout);
    await run('echo second >second.txt');
    expect((await baton('diff', '--name-only')).stdout).toBe('second.txt\n');
    expect((await baton('diff', '--name-only', first.runId.slice(0, -3))).stdout).toBe('first.txt\n');
    expect(await baton('diff', first.runId.slice(0, 4))).toMatchObject({ code: 1, stdout: '' });
  });

  test('--stat and --json say the same in their ways', async () => {
    const { run, baton } = world();
    await run('echo two >>a.txt; chmod +x b.txt');
    const { stdout: stat } = await baton('diff', '--stat');
    expect(stat).toContain(' a.txt | modified +1 -0\n');
    expect(stat).toMatch(/ 2 files changed, \+1 -0 lines\n$/);
    const json: { changes: Change[]; patch: string } = JSON.parse((await baton('diff', '--json')).stdout);
    expect(json.changes.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['a.txt modified', 'b.txt mode']);
    expect(Buffer.from(json.patch, 'base64').toString()).toBe((await baton('diff')).stdout);
  });

  test('a file name cannot drive the terminal', async () => {
    const { run, baton } = world();
    await run(`touch "$(printf 'a\\033[31mb')"`);
    for (const form of [['--stat'], ['--name-only']]) {
      const { stdout } = await baton('diff', ...form);
      expect(stdout).toContain('a\\x1b[31mb');
    }
  });

  test('a run that changed nothing has an empty patch, which is no error', async () => {
    const { run, baton } = world();
    await run('true');
    expect(await baton('diff')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('says what is missing: no run yet, an unknown one, an unknown directory', async () => {
    const { where, repository, baton } = world();
    expect(await baton('diff')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no run'),
    });
    expect(await baton('diff', 'zzz')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no run "zzz"'),
    });
    const nowhere = await baton('diff', '--cd', join(repository.dir, 'nowhere'));
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--cd') });
    for (const { stderr } of [await baton('diff'), nowhere])
      expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(where.root).not.toBe('');
  });

  test('outside git there is no patch, and it says why', async () => {
    const { where } = world();
    const plain = join(where.root, 'plain');
    mkdirSync(plain);
    fakeShell(where, `cat >/dev/null; echo '${success('done')}'`);
    await dispatch(where, { cd: plain });
    const { code, stderr } = await runBaton(['diff', '--cd', plain], { env: where.env });
    expect(code).toBe(1);
    expect(stderr).toContain('not inside a git repository');
  });

  test('on a terminal it goes through the person’s pager, coloured and harmless', async () => {
    const { where, repository, run } = world();
    await run(`printf 'x\\033[2Jy\\n' >a.txt`);
    const pager = join(where.bin, 'my-pager');
    writeFileSync(pager, '#!/bin/sh\necho PAGED; cat\n');
    chmodSync(pager, 0o755);
    const program = join(import.meta.dirname, '..', '..', 'bin', 'baton.js');
    // `script` gives the command a terminal of its own.
    const shown = execFileSync('script', ['-qec', `${process.execPath} ${program} diff`, '/dev/null'], {
      cwd: repository.dir,
      env: { ...where.env, GIT_PAGER: 'my-pager', TERM: 'xterm' },
      input: '',
    }).toString();
    expect(shown).toContain('PAGED');
    expect(shown).toContain('\u001b[32m+x\\x1b[2Jy');
  });
});

describe('baton show', () => {
  test('shows the summary, the result, or the profile of a run', async () => {
    const { run, baton } = world();
    await run('echo two >>a.txt');
    const { stdout: text } = await baton('show');
    expect(text).toContain('this run changed 1 file');
    expect(text).toContain('baton committed nothing');
    const result: Result = JSON.parse((await baton('show', '--json')).stdout);
    expect(result).toMatchObject({ schema: 'delegate-relay.result.v1', status: 'completed' });
    const profile: unknown = JSON.parse((await baton('show', '--profile')).stdout);
    expect(profile).toMatchObject({ disableAllHooks: true, sandbox: { enabled: true } });
  });
});
