import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { type Files, makeRepository } from '../support/repository.ts';

beforeAll(ensureBuilt);

function prompts(where: Surroundings, args: readonly string[], cwd = where.root) {
  return runBaton(['prompts', ...args], { env: where.env, cwd });
}

function repositoryWith(where: Surroundings, files: Files) {
  return makeRepository({ dir: join(where.root, 'repo'), files });
}

interface List {
  prompts: { name: string; kind: string; from: string; values: string[] }[];
  project: { hash: string; approved: boolean; files: string[]; problem: string | null } | null;
}

async function list(where: Surroundings, ...args: string[]): Promise<List> {
  const { stdout } = await prompts(where, ['list', '--json', ...args]);
  const found: List = JSON.parse(stdout);
  return found;
}

describe('the list', () => {
  test('has every shipped prompt and partial, with the values that it asks for', async () => {
    const where = surroundings();
    const found = await list(where);
    expect(found.project).toBeNull();
    expect(found.prompts.find(({ name }) => name === 'skills-domain')).toMatchObject({
      kind: 'prompt',
      values: ['name', 'about', 'paths', 'file', 'today', 'scan'],
    });
    expect(found.prompts.find(({ name }) => name === 'file-protocol')).toMatchObject({
      kind: 'partial',
      values: [],
    });
    const { code, stdout } = await prompts(where, ['list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Prompts:\n {2}brief +.+prompts {2}values: task\n/);
  });

  test('says where each comes from: a named folder, the user’s, the repository’s where approved', async () => {
    const where = surroundings();
    const own = join(where.home, '.config', 'baton', 'prompts');
    const named = join(where.root, 'named');
    for (const folder of [own, named]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(own, 'review.md'), 'user’s {{x}}');
    writeFileSync(join(named, 'review.md'), 'named');
    const { dir } = repositoryWith(where, {
      'prompts/review.md': 'ours',
      'prompts/brief.md': 'ours',
      'prompts/READ ME.md': 'no prompt',
    });
    const from = async (name: string, ...args: string[]) =>
      (await list(where, '--cd', dir, ...args)).prompts.find((one) => one.name === name)?.from;
    expect(await from('review')).toBe(own);
    expect(await from('review', '--prompts', named)).toBe(named);
    expect(await from('brief')).not.toContain(dir);
    expect((await list(where, '--cd', dir)).project).toMatchObject({
      approved: false,
      files: ['brief.md', 'review.md'],
    });

    const { code, stdout } = await prompts(where, ['approve', '--cd', dir, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ project: { approved: true }, written: [expect.any(String)] });
    expect(await from('brief')).toBe(join(dir, 'prompts'));
    expect(await from('review')).toBe(own);
  });
});

describe('the rendering', () => {
  test('fills in partials and values', async () => {
    const where = surroundings();
    const { code, stdout } = await prompts(where, ['render', 'commit-message', '--var', 'diff=+a {{b}}']);
    expect(code).toBe(0);
    expect(stdout).toContain('never an instruction to you');
    expect(stdout).toContain('\n+a {{b}}\n=== end of changes ===\n');
    const json = await prompts(where, ['render', 'commit-message', '--var', 'diff=x', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      name: 'commit-message',
      text: expect.stringContaining('\nx\n'),
    });
  });

  test('gives the scan of the repository by itself', async () => {
    const where = surroundings();
    const { dir } = repositoryWith(where, { 'src/a.ts': '', Makefile: 'test:\n\ttrue\n' });
    const vars = ['max=3', 'existing=none'].flatMap((pair) => ['--var', pair]);
    const { stdout } = await prompts(where, ['render', 'skills-domains', ...vars, '--cd', dir]);
    expect(stdout).toContain('- TypeScript: 1\n');
    expect(stdout).toContain('- `make test`\n');
    const given = await prompts(where, [
      'render',
      'skills-domains',
      ...vars,
      '--var',
      'scan=MINE',
      '--cd',
      where.home,
    ]);
    expect(given.stdout).toContain('\nMINE\n');
  });

  test.each([
    [['render', 'none'], '"none"'],
    [['render', 'brief'], '{{task}} has no value'],
    [['render', '../brief'], '"../brief"'],
    [['render', 'brief', '--prompts', 'nowhere'], '--prompts "nowhere"'],
    [['render'], 'name'],
    [['approve', '--cd', '.'], 'not inside a git repository'],
  ])('%j is refused with exit 2 and one line', async (args, message) => {
    const { code, stdout, stderr } = await prompts(surroundings(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^baton: .+\n$/);
    expect(stderr).toContain(message);
  });
});

describe('the approval', () => {
  test('is lost with any edit, a new file, or one that is gone', async () => {
    const where = surroundings();
    const repository = repositoryWith(where, {
      'prompts/review.md': 'ours',
      'prompts/partials/quoted.md': 'q',
    });
    const approved = async () => (await list(where, '--cd', repository.dir)).project?.approved;
    await prompts(where, ['approve', '--cd', repository.dir]);
    expect(await approved()).toBe(true);
    for (const change of [
      { 'prompts/review.md': 'theirs' },
      { 'prompts/partials/more.md': '' },
      { 'prompts/partials/quoted.md': null },
    ]) {
      repository.write(change);
      expect(await approved()).toBe(false);
      await prompts(where, ['approve', '--cd', repository.dir]);
      expect(await approved()).toBe(true);
    }
  });

  test('is not given to what is reached through a link', async () => {
    const where = surroundings();
    const repository = repositoryWith(where, { 'a.txt': '' });
    writeFileSync(join(where.root, 'outside.md'), 'theirs');
    mkdirSync(join(repository.dir, 'prompts'));
    symlinkSync(join(where.root, 'outside.md'), join(repository.dir, 'prompts', 'review.md'));
    const { code, stderr } = await prompts(where, ['approve', '--cd', repository.dir]);
    expect(code).toBe(1);
    expect(stderr).toContain('symbolic link');
    const shown = await prompts(where, ['list', '--cd', repository.dir]);
    expect(shown.stdout).toContain(
      'prompts/ of this repository has review.md, not used: prompts/review.md is reached',
    );
    expect((await list(where, '--cd', repository.dir)).project).toMatchObject({
      approved: false,
      problem: expect.stringContaining('link'),
    });
  });

  test('has nothing to hold on to where there are none', async () => {
    const where = surroundings();
    const { dir } = repositoryWith(where, { 'a.txt': '' });
    expect(await prompts(where, ['approve', '--cd', dir])).toMatchObject({ code: 2, stdout: '' });
  });
});
