import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBaton, startBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell } from '../support/fake.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const SETTINGS = '.claude/settings.json';
const SCRIPT = '.claude/hooks/baton-activation.cjs';

interface World {
  where: Surroundings;
  repository: TestRepository;
  hooks: (...args: string[]) => ReturnType<typeof runBaton>;
}

function world(files: { [path: string]: string } = {}): World {
  const where = surroundings();
  const repository = makeRepository({ files: { 'README.md': 'x\n', ...files } });
  return {
    where,
    repository,
    hooks: (...args) => runBaton(['hooks', ...args], { env: where.env, cwd: repository.dir }),
  };
}

describe('baton hooks install and uninstall', () => {
  test('both targets, and nothing is left of it', async () => {
    const { hooks, repository, where } = world();
    const { code, stdout, stderr } = await hooks('install', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`new     ${SETTINGS}\n`);
    expect(stdout).toContain(
      `[projects.${JSON.stringify(repository.dir)}]\n       trust_level = "trusted"\n`,
    );
    expect(repository.status()).toEqual([
      `?? ${SCRIPT}`,
      `?? ${SETTINGS}`,
      '?? .codex/hooks.json',
      '?? .codex/hooks/baton-activation.cjs',
    ]);
    expect((await hooks('install', '--yes')).stdout).toBe(`nothing to do in ${repository.dir}\n`);
    expect(await hooks('uninstall', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(repository.dir).sort()).toEqual(['.git', 'README.md']);
    expect(
      readdirSync(join(where.state, 'hooks')).flatMap((key) => readdirSync(join(where.state, 'hooks', key))),
    ).toEqual([]);
    expect((await hooks('uninstall', '--yes')).stdout).toBe(`nothing to do in ${repository.dir}\n`);
  });

  test('a dry run shows the difference, as text or JSON, and writes nothing', async () => {
    const { hooks, repository } = world({ [SETTINGS]: '{"a":1}' });
    const text = await hooks('install', '--dry-run', '--target', 'claude');
    expect(text.code).toBe(0);
    expect(text.stdout).toContain(`--- a/${SETTINGS}\n+++ b/${SETTINGS}\n`);
    expect(text.stdout).toContain('nothing was written: this was a dry run\n');
    const json = await hooks('install', '--dry-run', '--json', '--target', 'claude');
    expect(JSON.parse(json.stdout)).toMatchObject({
      root: repository.dir,
      written: false,
      changes: [
        { target: 'claude', path: SCRIPT, action: 'create', diff: '' },
        {
          target: 'claude',
          path: SETTINGS,
          action: 'update',
          diff: expect.stringContaining('+{"a":1,"hooks":'),
        },
      ],
    });
    expect(json.stderr).toBe('');
    expect(repository.status()).toEqual([]);
  });

  test('without a terminal nobody can say yes: nothing is written', async () => {
    const { hooks, repository } = world();
    const { code, stderr } = await hooks('install');
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect(repository.status()).toEqual([]);
  });

  test('from below the top, the hooks are the project’s', async () => {
    const { repository, where } = world({ 'src/a.txt': 'a' });
    const args = ['hooks', 'install', '--yes', '--json', '--cd', join(repository.dir, 'src')];
    const { stdout } = await runBaton(args, { env: where.env });
    expect(JSON.parse(stdout)).toMatchObject({ root: repository.dir, written: true });
    expect(existsSync(join(repository.dir, SETTINGS))).toBe(true);
  });

  test('one refused file keeps all from being written', async () => {
    const { hooks, repository } = world({ '.codex/hooks.json': '{"hooks": {},\n"version": 1}' });
    const { code, stderr } = await hooks('install', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('.codex/hooks.json, line 2: the key "version" is none of description, hooks');
    expect(repository.status()).toEqual([]);
  });

  test('an unknown target and a forgotten value are usage errors of one line', async () => {
    const { hooks } = world();
    for (const args of [['install', '--target', 'x'], ['status', '--target', '--json'], ['frobnicate']]) {
      const { code, stderr } = await hooks(...args);
      expect(code).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

describe('what comes back', () => {
  test('the first original, through several installs', async () => {
    const text = '{ "a" : [ ] , "hooks" : { } }';
    const { hooks, repository } = world({ [SETTINGS]: text });
    chmodSync(join(repository.dir, SETTINGS), 0o664);
    await hooks('install', '--yes');
    const old = repository.read(SETTINGS).replaceAll('|| exit 0', '|| true');
    writeFileSync(join(repository.dir, SETTINGS), old);
    expect((await hooks('install', '--yes')).stdout).toContain(`change  ${SETTINGS}\n`);
    await hooks('uninstall', '--yes');
    expect(repository.read(SETTINGS)).toBe(text);
    expect(statSync(join(repository.dir, SETTINGS)).mode & 0o777).toBe(0o664);
  });

  test('hooks that came with a commit are cut out, though no original is known', async () => {
    const { hooks, repository, where } = world({ [SETTINGS]: '{\n  "a": 1\n}\n' });
    await hooks('install', '--yes', '--target', 'claude');
    repository.commit({});
    rmSync(where.state, { recursive: true });
    expect((await hooks('install', '--yes', '--target', 'claude')).stdout).toContain('nothing to do');
    await hooks('uninstall', '--yes', '--target', 'claude');
    expect(repository.read(SETTINGS)).toBe('{\n  "a": 1\n}\n');
    expect(existsSync(join(repository.dir, '.claude/hooks/baton-activation.cjs'))).toBe(false);
  });

  test('a script that a person edited stays, and is spoken of', async () => {
    const { hooks, repository } = world();
    await hooks('install', '--yes', '--target', 'claude');
    writeFileSync(join(repository.dir, SCRIPT), '// mine');
    const { stdout } = await hooks('uninstall', '--yes', '--target', 'claude');
    expect(stdout).toContain(`${SCRIPT} is not as baton left it: it stays\n`);
    expect(repository.status()).toEqual([`?? ${SCRIPT}`]);
  });

  test('settings that were new and got other keys since keep those', async () => {
    const { hooks, repository } = world();
    await hooks('install', '--yes', '--target', 'claude');
    const text = repository.read(SETTINGS);
    writeFileSync(join(repository.dir, SETTINGS), text.replace('{', '{\n  "mine": true,'));
    await hooks('uninstall', '--yes', '--target', 'claude');
    expect(JSON.parse(repository.read(SETTINGS))).toEqual({ mine: true });
  });
});

test('killed at any moment: the settings are the old or the new ones, and all of it can be mended and taken back', async () => {
  const text = '{ "a": 1 }\n';
  const { hooks, repository, where } = world({ [SETTINGS]: text });
  for (let round = 0; round < 6; round += 1) {
    const run = await startBaton(['hooks', 'install', '--yes'], { env: where.env, cwd: repository.dir });
    setTimeout(() => run.signal('SIGKILL'), 60 + 30 * round);
    await run.ended;
    const left = repository.read(SETTINGS);
    expect(left === text || left.includes('baton-hook:edit-tracker || exit 0')).toBe(true);
    expect(() => JSON.parse(left)).not.toThrow();
    expect((await hooks('install', '--yes')).code).toBe(0);
    expect(repository.read(SETTINGS).match(/baton-hook:/g)).toHaveLength(2);
    expect((await hooks('uninstall', '--yes')).code).toBe(0);
    expect(repository.read(SETTINGS)).toBe(text);
    expect(existsSync(join(repository.dir, SCRIPT))).toBe(false);
  }
});

describe('links', () => {
  test('settings that are a link inside the project are written through', async () => {
    const { hooks, repository } = world({ 'shared/settings.json': '{}' });
    mkdirSync(join(repository.dir, '.claude'));
    symlinkSync('../shared/settings.json', join(repository.dir, SETTINGS));
    expect((await hooks('install', '--yes', '--target', 'claude')).code).toBe(0);
    expect(repository.read('shared/settings.json')).toContain('baton-hook:');
    await hooks('uninstall', '--yes', '--target', 'claude');
    expect(repository.read('shared/settings.json')).toBe('{}');
    expect(repository.read(SETTINGS)).toBe('{}');
  });

  test.each(['file', 'folder'])('settings whose %s leads outside of it are refused', async (what) => {
    const { hooks, repository, where } = world();
    const outside = join(where.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'settings.json'), '{}');
    if (what === 'folder') symlinkSync(outside, join(repository.dir, '.claude'));
    else {
      mkdirSync(join(repository.dir, '.claude'));
      symlinkSync(join(outside, 'settings.json'), join(repository.dir, SETTINGS));
    }
    const { code, stderr } = await hooks('install', '--yes', '--target', 'claude');
    expect(code).toBe(1);
    expect(stderr).toContain(`${SETTINGS} leads outside of the project`);
    expect(readdirSync(outside)).toEqual(['settings.json']);
    expect(readFileSync(join(outside, 'settings.json'), 'utf8')).toBe('{}');
  });

  test('a link to nowhere is refused', async () => {
    const { hooks, repository } = world();
    mkdirSync(join(repository.dir, '.claude'));
    symlinkSync('nowhere.json', join(repository.dir, SETTINGS));
    const { code, stderr } = await hooks('install', '--yes', '--target', 'claude');
    expect(code).toBe(1);
    expect(stderr).toContain('a link to nowhere');
    expect(existsSync(join(repository.dir, '.claude/nowhere.json'))).toBe(false);
  });

  test('the script is written through no link at all, also not one that stays inside', async () => {
    const { hooks, repository } = world({ 'elsewhere/x': 'x' });
    mkdirSync(join(repository.dir, '.claude'));
    symlinkSync('../elsewhere', join(repository.dir, '.claude', 'hooks'));
    const { code, stderr } = await hooks('install', '--yes', '--target', 'claude');
    expect(code).toBe(1);
    expect(stderr).toContain('.claude/hooks is a symbolic link: nothing is written through one');
    expect(readdirSync(join(repository.dir, 'elsewhere'))).toEqual(['x']);
    expect(existsSync(join(repository.dir, SETTINGS))).toBe(false);
  });
});

describe('baton hooks status', () => {
  const statusOf = async ({ hooks }: World, target: string) => {
    const { code, stdout } = await hooks('status', '--json', '--target', target);
    return { code, ...JSON.parse(stdout).targets[0] };
  };

  test('absent, and in force by the files where no CLI can be asked', async () => {
    const here = world();
    expect(await statusOf(here, 'claude')).toMatchObject({ code: 1, state: 'absent', script: 'missing' });
    await here.hooks('install', '--yes');
    expect(await statusOf(here, 'claude')).toMatchObject({
      code: 0,
      state: 'in-force',
      source: 'files',
      script: 'current',
    });
    expect(await statusOf(here, 'codex')).toMatchObject({ code: 1, state: 'not-trusted', source: 'files' });
    rmSync(join(here.repository.dir, SCRIPT));
    expect(await statusOf(here, 'claude')).toMatchObject({ code: 1, state: 'in-force', script: 'missing' });
  });

  test('a comment makes the file ignored, disableAllHooks of the strongest settings disables', async () => {
    const here = world();
    await here.hooks('install', '--yes', '--target', 'claude');
    const write = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    const user = join(here.where.home, '.claude', 'settings.json');
    const local = join(here.repository.dir, '.claude', 'settings.local.json');
    write(user, '{"disableAllHooks": true}');
    expect(await statusOf(here, 'claude')).toMatchObject({ code: 1, state: 'disabled' });
    write(local, '{"disableAllHooks": false}');
    expect(await statusOf(here, 'claude')).toMatchObject({ code: 0, state: 'in-force' });
    write(join(here.repository.dir, SETTINGS), `${here.repository.read(SETTINGS)}// c`);
    expect(await statusOf(here, 'claude')).toMatchObject({ code: 1, state: 'file-ignored' });
  });

  test('a CLI that answers nonsense is not believed', async () => {
    const here = world();
    await here.hooks('install', '--yes');
    fakeShell(here.where, 'echo nonsense; exit 3', { name: 'codex' });
    fakeShell(here.where, 'exit 3', { name: 'claude' });
    expect(await statusOf(here, 'codex')).toMatchObject({ state: 'not-trusted', source: 'files' });
    expect(await statusOf(here, 'claude')).toMatchObject({ state: 'in-force', source: 'files' });
  });

  test('for a person, with the way out', async () => {
    const { code, stdout } = await world().hooks('status');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'claude  absent (by its settings)\n  install them with `baton hooks install --target claude`\n' +
        'codex   absent (by its settings)\n  install them with `baton hooks install --target codex`\n',
    );
  });
});
