import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dispatch, resultOf, runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings } from '../support/environment.ts';
import { fakeShell } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';

beforeAll(ensureBuilt);

const PROJECT = {
  'package.json': '{"scripts":{"test":"node --test","lint":"eslint ."}}\n',
  'src/math.js': 'export const add = 1;\n',
  'AGENTS.md': '# Notes\n\n- Never edit files in `generated/` by hand.\n',
  'src/AGENTS.md': '- Exports must be named.\n',
};

describe('baton brief new', () => {
  test('fills in gates, rules and paths, and what is left the check tells', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: PROJECT });
    const made = await runBaton(
      ['brief', 'new', '--touch', 'src/**', '--task', 'Add `mul` to src/math.js.'],
      {
        env: where.env,
        cwd: dir,
      },
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('- `npm test` (package.json scripts.test)\n');
    expect(made.stdout).toContain('- Never edit files in `generated/` by hand. (AGENTS.md:3)\n');
    expect(made.stdout).toContain('- Exports must be named. (src/AGENTS.md:1)\n');
    expect(made.stdout).toContain('Only these paths may change: `src/**`.');

    const checked = await runBaton(['brief', 'check', '--json'], {
      env: where.env,
      cwd: dir,
      input: made.stdout,
    });
    expect(checked.code).toBe(1);
    const { findings } = JSON.parse(checked.stdout);
    expect(new Set(findings.map(({ rule }: { rule: string }) => rule))).toEqual(new Set(['not-filled-in']));
    const filled = made.stdout.replace(/\[fill in:[^\]]*\]/g, 'nothing');
    expect(await runBaton(['brief', 'check'], { env: where.env, cwd: dir, input: filled })).toMatchObject({
      code: 0,
      stdout: 'nothing is lacking\n',
    });
  });

  test('writes no file over another, and knows its kinds', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: PROJECT });
    const at = { env: where.env, cwd: dir };
    expect(await runBaton(['brief', 'new', '--out', 'b.md'], at)).toMatchObject({ code: 0, stdout: '' });
    const text = readFileSync(join(dir, 'b.md'), 'utf8');
    expect(await runBaton(['brief', 'new', '--kind', 'delta', '--out', 'b.md'], at)).toMatchObject({
      code: 2,
      stderr: 'baton: b.md is there already: it is left as it is\n',
    });
    expect(readFileSync(join(dir, 'b.md'), 'utf8')).toBe(text);
    expect((await runBaton(['brief', 'new', '--kind', 'constructor'], at)).stderr).toBe(
      'baton: --kind "constructor" is no kind of brief; there are feature, debugging, migration, read-only, delta\n',
    );
  });

  test('says of a delta what the last run left to be done', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: PROJECT });
    fakeShell(
      where,
      `echo 'export const mul = (a: any) => 2;' > src/mul.ts; echo '{"type":"result","subtype":"success","is_error":false,"session_id":"S1","result":"All tests pass."}'`,
    );
    const run = resultOf(
      await dispatch(where, { cd: dir, args: ['--check', '--gate', 'test=echo "not ok 1"; exit 1'] }),
    );
    const made = await runBaton(['brief', 'new', '--kind', 'delta'], { env: where.env, cwd: dir });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(`of run ${run.runId} stays as it is`);
    expect(made.stdout).toContain(
      '- The gate test fails: `echo "not ok 1"; exit 1`\n  ```\n  not ok 1\n  ```\n',
    );
    expect(made.stdout).toContain('it says that the tests pass; the gate "test" failed');
    expect(made.stdout).toContain('Only these paths may change: `src/mul.ts`, and');
  });
});

describe('baton brief check', () => {
  test('names line and remedy, and looks at the disk without running anything', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: PROJECT });
    mkdirSync(join(where.root, 'elsewhere'));
    writeFileSync(join(where.root, 'brief.md'), 'Fix src/gone.js.\nRun `npm run nope`. Do not commit.\n');
    const checked = await runBaton(['brief', 'check', '--brief', join(where.root, 'brief.md'), '--cd', dir], {
      env: where.env,
      cwd: join(where.root, 'elsewhere'),
    });
    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/^error {4}line 1: there is no src\/gone.js missing-path\n/m);
    expect(checked.stdout).toMatch(
      /line 2: `npm run nope` cannot be run here: package.json has no script "nope"/,
    );
    expect(checked.stdout).toMatch(/^ {9}it has test, lint$/m);
    expect(existsSync(join(dir, 'node_modules'))).toBe(false);
  });

  test('works outside of a repository', async () => {
    const where = surroundings();
    const checked = await runBaton(['brief', 'check', '--read-only'], {
      env: where.env,
      cwd: where.root,
      input: 'Why is the sky blue?',
    });
    expect(checked).toMatchObject({ code: 0, stdout: 'nothing is lacking\n' });
  });
});

describe('baton dispatch --check-brief', () => {
  test('starts nothing for a brief with errors, and says what they are', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: PROJECT });
    fakeShell(where, 'touch started');
    const run = await dispatch(where, {
      cd: dir,
      brief: 'Fix src/gone.js. Run `npm test`. Do not commit.\n',
      args: ['--check-brief', '--touch', 'src/**'],
    });
    expect(run).toMatchObject({ code: 2, stdout: '', result: null });
    expect(run.stderr).toMatch(/^error {4}line 1: there is no src\/gone.js missing-path\n/);
    expect(run.stderr).toMatch(
      /baton: the brief has an error: nothing was started; mend it, or leave --check-brief out\n$/,
    );
    expect(existsSync(run.dir)).toBe(false);
    expect(existsSync(join(dir, 'started'))).toBe(false);
  });

  test('shows warnings, and starts the run', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: PROJECT });
    fakeShell(
      where,
      `echo '{"type":"result","subtype":"success","is_error":false,"session_id":"S1","result":"ok"}'`,
    );
    const run = await dispatch(where, {
      cd: dir,
      brief: 'Mend src/math.js and nothing else. Run `npm test`. Do not commit.\n',
      args: ['--check-brief'],
    });
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^warning {2}AGENTS.md:3 says "Never edit/);
  });
});
