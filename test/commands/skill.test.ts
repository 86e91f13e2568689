import {
  appendFileSync,
  chmodSync,
  cpSync,
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
import { beforeAll, describe, expect, test } from 'vitest';
import { BATON_VERSION } from '../../src/core/version.ts';
import { withMark, withoutMark } from '../../src/publishing/ownership.ts';
import { PROGRAMS, runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { PROJECT } from '../support/project.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { onTerminal } from '../support/terminal.ts';

const SHIPPED = join(PROJECT, 'skills', 'delegate');
const CLAUDE = '.claude/skills/delegate';
const CODEX = '.agents/skills/delegate';
const FILES = [
  'SKILL.md',
  'references/dispatch-and-poll.md',
  'references/multi-task-queues.md',
  'references/review-and-land.md',
  'references/writing-the-brief.md',
  'scripts/claude-relay.mjs',
  'scripts/codex-relay.mjs',
];

interface World {
  where: Surroundings;
  repository: TestRepository;
  skill: (...args: string[]) => ReturnType<typeof runBaton>;
}

beforeAll(ensureBuilt);

function world(files: { [path: string]: string } = {}): World {
  const where = surroundings();
  const repository = makeRepository({ files: { 'README.md': 'x\n', ...files } });
  return {
    where,
    repository,
    skill: (...args) => runBaton(['skill', ...args], { env: where.env, cwd: repository.dir }),
  };
}

/** With the line end that an installed one has. */
function shipped(path: string): string {
  return readFileSync(join(SHIPPED, path), 'utf8').replace(/\n?$/, '\n');
}

/** The status of each file that a change told of, by target and path. */
function told(stdout: string): { [file: string]: string } {
  const { changes } = JSON.parse(stdout);
  const lines: [string, string][] = changes.flatMap(
    ({ target, files }: { target: string; files: { path: string; status: string; reason?: string }[] }) =>
      files.map(({ path, status, reason }): [string, string] => [
        `${target} ${path}`,
        reason === undefined ? status : `${status}: ${reason}`,
      ]),
  );
  return Object.fromEntries(lines);
}

/** As another version of baton would have left it: marked as its own, with this text. */
function leave(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), withMark(text, path.endsWith('.md') ? 'markdown' : 'program'));
}

function older(folder: string, version = '0.0.1'): void {
  for (const path of FILES) leave(folder, path, shipped(path));
  leave(folder, 'SKILL.md', shipped('SKILL.md').replace(`"${BATON_VERSION}"`, `"${version}"`));
}

describe('baton skill install and uninstall', () => {
  test('both targets, and nothing is left of it', async () => {
    const { skill, repository } = world();
    const { code, stdout, stderr } = await skill('install', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`claude ${join(repository.dir, CLAUDE)}\ncreated      SKILL.md\n`);
    expect(stdout).not.toContain('+++');
    expect(repository.status()).toEqual(
      [CODEX, CLAUDE].flatMap((folder) => FILES.map((path) => `?? ${folder}/${path}`)),
    );
    for (const path of FILES) expect(withoutMark(repository.read(`${CLAUDE}/${path}`))).toBe(shipped(path));
    const again = await skill('install', '--yes', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout).written).toBe(false);
    expect(new Set(Object.values(told(again.stdout)))).toEqual(new Set(['unchanged']));
    const out = await skill('uninstall', '--yes');
    expect(out).toMatchObject({ code: 0, stderr: '' });
    expect(out.stdout).toContain('removed      scripts/codex-relay.mjs\n');
    expect(readdirSync(repository.dir).sort()).toEqual(['.git', 'README.md']);
    expect((await skill('uninstall', '--yes')).stdout).toContain('nothing of it is there\n');
  });

  test('the relays run where they were put, with Node alone', async () => {
    const { skill, repository, where } = world();
    await skill('install', '--yes', '--target', 'claude');
    const { code, stdout } = await runBaton(['--help'], {
      env: where.env,
      file: join(repository.dir, CLAUDE, 'scripts/codex-relay.mjs'),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('--brief');
  });

  test('a dry run shows each difference, but those of programs, and writes nothing', async () => {
    const { skill, repository } = world();
    const { code, stdout } = await skill('install', '--dry-run', '--target', 'codex');
    expect(code).toBe(0);
    expect(stdout).toContain('would create references/review-and-land.md\n');
    expect(stdout).toContain(`--- /dev/null\n+++ b/${CODEX}/SKILL.md\n`);
    expect(stdout).toContain('+# Delegate a coding task\n');
    expect(stdout.length).toBeLessThan(60_000);
    const json = await skill('install', '--dry-run', '--target', 'codex', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      written: false,
      changes: [{ target: 'codex', scope: 'project', folder: join(repository.dir, CODEX), left: null }],
    });
    expect(json.stdout.length).toBeLessThan(60_000);
    expect(repository.status()).toEqual([]);
  });

  test('without a terminal nobody can say yes: nothing is written', async () => {
    const { skill, repository } = world();
    const { code, stdout, stderr } = await skill('install');
    expect(code).toBe(2);
    expect(stdout).toContain('would create SKILL.md');
    expect(stderr).toContain('--yes');
    expect(repository.status()).toEqual([]);
  });

  test.each([
    ['y', 0, FILES.length],
    ['n', 1, 0],
  ])('at a terminal the differences come first, and then the question: %s', async (key, code, files) => {
    const { repository, where } = world();
    const args = [process.execPath, PROGRAMS.baton, 'skill', 'install', '--target', 'codex'];
    const terminal = onTerminal(args, { cwd: repository.dir, env: where.env });
    await terminal.showing('Install the skill?');
    expect(terminal.shown()).toContain('+# Delegate a coding task\n');
    expect(repository.status()).toEqual([]);
    terminal.type(key);
    expect(await terminal.ended).toBe(code);
    expect(repository.status()).toHaveLength(files);
  });

  test('what a person edited stays, through install and uninstall, unless it is forced', async () => {
    const { skill, repository } = world();
    await skill('install', '--yes', '--target', 'claude');
    const edited = `${CLAUDE}/references/review-and-land.md`;
    appendFileSync(join(repository.dir, edited), 'Mine.\n');
    repository.write({ [`${CLAUDE}/notes.md`]: 'Mine, too.\n' });
    const second = await skill('install', '--yes', '--json', '--target', 'claude');
    expect(second.code).toBe(1);
    expect(told(second.stdout)).toMatchObject({
      'claude SKILL.md': 'unchanged',
      'claude references/review-and-land.md': 'skipped: it was edited since baton generated it',
    });
    expect(repository.read(edited)).toContain('Mine.\n');
    const out = await skill('uninstall', '--yes', '--json', '--target', 'claude');
    expect(out.code).toBe(1);
    expect(told(out.stdout)).toMatchObject({
      'claude SKILL.md': 'removed',
      'claude references/review-and-land.md': 'skipped: it was edited since baton wrote it: it stays',
      'claude notes.md': 'skipped: baton did not write it: it stays',
    });
    expect(repository.status()).toEqual([`?? ${CLAUDE}/notes.md`, `?? ${edited}`]);
    const forced = await skill('install', '--yes', '--force', '--json', '--target', 'claude');
    expect(forced.code).toBe(0);
    expect(told(forced.stdout)).toMatchObject({ 'claude references/review-and-land.md': 'updated' });
    expect(repository.read(`${CLAUDE}/notes.md`)).toBe('Mine, too.\n');
  });

  test('a skill of a person’s own with this name is not written over', async () => {
    const own = '---\nname: delegate\ndescription: Mine.\n---\n';
    const { skill, repository } = world({ [`${CODEX}/SKILL.md`]: own });
    const { code, stdout } = await skill('install', '--yes', '--json', '--target', 'codex');
    expect(code).toBe(1);
    expect(told(stdout)['codex SKILL.md']).toMatch(/^skipped: it is there already/);
    expect(repository.read(`${CODEX}/SKILL.md`)).toBe(own);
  });

  test('in a clone, where nothing is recorded, an older version is updated, and what is gone from it is removed', async () => {
    const { skill, repository } = world();
    const folder = join(repository.dir, CLAUDE);
    older(folder);
    leave(folder, 'references/forgotten.md', 'Of another time.\n');
    leave(folder, 'scripts/claude-relay.mjs', 'console.log(1);\n');
    chmodSync(join(folder, 'scripts/claude-relay.mjs'), 0o755);
    const { code, stdout } = await skill('install', '--yes', '--json', '--target', 'claude');
    expect(code).toBe(0);
    expect(told(stdout)).toEqual({
      ...Object.fromEntries(FILES.map((path) => [`claude ${path}`, 'unchanged'])),
      'claude SKILL.md': 'updated',
      'claude scripts/claude-relay.mjs': 'updated',
      'claude references/forgotten.md': 'removed',
    });
    expect(statSync(join(folder, 'scripts/claude-relay.mjs')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(folder, 'references/forgotten.md'))).toBe(false);
  });

  test('a copy by hand is baton’s all the same', async () => {
    const { skill, repository } = world();
    const folder = join(repository.dir, CLAUDE);
    cpSync(SHIPPED, folder, { recursive: true });
    const { code, stdout } = await skill('install', '--yes', '--json', '--target', 'claude');
    expect(code).toBe(0);
    expect(new Set(Object.values(told(stdout)))).toEqual(new Set(['updated']));
    expect((await skill('uninstall', '--yes', '--target', 'claude')).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  test('a newer version is left alone unless it is forced', async () => {
    const { skill, repository } = world();
    older(join(repository.dir, CLAUDE), '99.0.0');
    const { code, stdout } = await skill('install', '--yes', '--target', 'claude');
    expect(code).toBe(1);
    expect(stdout).toContain(`left as it is: it is of baton 99.0.0, newer than this one (${BATON_VERSION})`);
    const forced = await skill('install', '--yes', '--target', 'claude', '--force', '--json');
    expect(told(forced.stdout)).toMatchObject({ 'claude SKILL.md': 'updated' });
  });

  test('nothing is written through a link in a repository', async () => {
    const { skill, repository, where } = world();
    const outside = join(where.root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(repository.dir, '.claude'));
    const { code, stdout } = await skill('install', '--yes', '--target', 'claude');
    expect(code).toBe(1);
    expect(stdout).toContain('.claude is a symbolic link: nothing is written through one');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('where one product’s folder is a link to the other’s, one is both', async () => {
    const { skill, repository } = world({ '.claude/skills/.keep': '' });
    mkdirSync(join(repository.dir, '.agents'));
    symlinkSync(join('..', '.claude', 'skills'), join(repository.dir, '.agents', 'skills'));
    expect((await skill('install', '--yes', '--target', 'codex')).code).toBe(0);
    expect(repository.read(`${CLAUDE}/SKILL.md`)).toContain('name: delegate');
    expect((await skill('install', '--yes')).code).toBe(0);
    const { stdout } = await skill('status', '--target', 'codex');
    expect(stdout).toContain('  project installed');
    expect((await skill('uninstall', '--yes')).code).toBe(0);
    expect(existsSync(join(repository.dir, CLAUDE))).toBe(false);
  });

  test('`baton skills undo` takes an uninstall back', async () => {
    const { skill, repository, where } = world();
    await skill('install', '--yes', '--target', 'codex');
    await skill('uninstall', '--yes', '--target', 'codex');
    const { code } = await runBaton(['skills', 'undo'], { env: where.env, cwd: repository.dir });
    expect(code).toBe(0);
    expect(withoutMark(repository.read(`${CODEX}/SKILL.md`))).toBe(shipped('SKILL.md'));
  });

  test('it is none of the skills that `baton skills` keeps for the repository', async () => {
    const { skill, repository, where } = world();
    await skill('install', '--yes');
    repository.commit();
    const run = (...args: string[]) => runBaton(['skills', ...args], { env: where.env, cwd: repository.dir });
    expect(await run('sync', '--check')).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse((await run('rules')).stdout).skills).toEqual({});
  });

  test('outside a repository, and both scopes at once, are usage errors', async () => {
    const { where } = world();
    for (const [args, message] of [
      [['install', '--yes'], '--user'],
      [['install', '--user', '--project'], 'exclude each other'],
      [['uninstall', '--target', 'x'], 'known targets'],
    ] as const) {
      const { code, stderr } = await runBaton(['skill', ...args], { env: where.env, cwd: where.tmp });
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

describe('baton skill install --user', () => {
  test('puts it into the home, also outside a repository, and takes it out again', async () => {
    const { where } = world();
    const run = (...args: string[]) => runBaton(['skill', ...args], { env: where.env, cwd: where.tmp });
    const dry = await run('install', '--user', '--dry-run');
    expect(dry.stdout).toContain(`claude ${join(where.home, CLAUDE)}\nwould create SKILL.md\n`);
    expect(readdirSync(where.home)).toEqual([]);
    const { code, stdout } = await run('install', '--user', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`codex ${join(where.home, CODEX)}\ncreated      SKILL.md\n`);
    for (const folder of [CLAUDE, CODEX])
      expect(withoutMark(readFileSync(join(where.home, folder, 'SKILL.md'), 'utf8'))).toBe(
        shipped('SKILL.md'),
      );
    expect((await run('uninstall', '--user', '--yes')).code).toBe(0);
    expect(readdirSync(where.home)).toEqual([]);
  });

  test('follows the links and the variables by which people move their settings', async () => {
    const { where } = world();
    const moved = join(where.root, 'moved');
    const dotfiles = join(where.root, 'dotfiles');
    mkdirSync(dotfiles);
    symlinkSync(dotfiles, join(where.home, '.agents'));
    const env = { ...where.env, CLAUDE_CONFIG_DIR: moved };
    const { code } = await runBaton(['skill', 'install', '--user', '--yes'], { env, cwd: where.tmp });
    expect(code).toBe(0);
    expect(existsSync(join(moved, 'skills/delegate/SKILL.md'))).toBe(true);
    expect(existsSync(join(dotfiles, 'skills/delegate/SKILL.md'))).toBe(true);
    await runBaton(['skill', 'uninstall', '--user', '--yes'], { env, cwd: where.tmp });
    expect(readdirSync(moved)).toEqual([]);
    expect(readdirSync(dotfiles)).toEqual([]);
    expect(existsSync(join(where.home, '.agents'))).toBe(true);
  });
});

describe('a home in which a file is in the way', () => {
  test('is said to be so, and nothing is written', async () => {
    const { skill, where } = world();
    writeFileSync(join(where.home, '.agents'), 'Mine.\n');
    const { code, stdout, stderr } = await skill('install', '--user', '--yes', '--target', 'codex');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/skipped +SKILL\.md: .*\.agents/);
    expect((await skill('status', '--target', 'codex')).stderr).toBe('');
    expect(readFileSync(join(where.home, '.agents'), 'utf8')).toBe('Mine.\n');
  });
});

describe('baton skill status', () => {
  async function status({ skill }: World, target = 'claude') {
    const { code, stdout } = await skill('status', '--json', '--target', target);
    const [found] = JSON.parse(stdout).targets;
    const [project, user] = found.places;
    return { code, found, project, user };
  }

  test('says where it is, of which version, and whether claude tells its model of it', async () => {
    const at = world();
    expect(await status(at)).toMatchObject({ code: 1, project: { state: 'absent', seen: null } });
    await at.skill('install', '--yes');
    expect(await status(at)).toMatchObject({
      code: 0,
      found: { how: 'computed', seenAt: join(at.repository.dir, CLAUDE, 'SKILL.md') },
      project: { state: 'installed', version: BATON_VERSION, seen: true, reasons: [], edited: [] },
      user: { state: 'absent' },
    });
    appendFileSync(join(at.repository.dir, CLAUDE, 'SKILL.md'), 'Mine.\n');
    expect(await status(at)).toMatchObject({ code: 1, project: { state: 'edited', edited: ['SKILL.md'] } });
    rmSync(join(at.repository.dir, CLAUDE), { recursive: true });
    older(join(at.repository.dir, CLAUDE));
    const { code, stdout } = await at.skill('status', '--target', 'claude');
    expect(code).toBe(1);
    expect(stdout).toContain('  project older (0.0.1), claude would tell its model of it\n');
    expect(stdout).toContain('bring it up to date: baton skill install --project --target claude\n');
  });

  test('says what hides it: a personal one of the same name comes first', async () => {
    const at = world();
    await at.skill('install', '--yes', '--target', 'claude');
    await at.skill('install', '--yes', '--user', '--target', 'claude');
    const first = join(at.where.home, CLAUDE, 'SKILL.md');
    const { project, user, code } = await status(at);
    expect(project).toMatchObject({ seen: false, reasons: [`${first} comes before it`] });
    expect(user).toMatchObject({ state: 'installed', seen: true });
    expect(code).toBe(0);
  });

  test.each([
    ['.claude/settings.json', { skillOverrides: { delegate: 'off' } }, 'skillOverrides to "off"'],
    ['.claude/settings.local.json', { permissions: { deny: ['Skill'] } }, 'denies the tool Skill'],
  ])('says that %s turns it off', async (path, settings, why) => {
    const at = world({ [path]: JSON.stringify(settings) });
    await at.skill('install', '--yes', '--target', 'claude');
    const { project, code } = await status(at);
    expect(project).toMatchObject({
      state: 'installed',
      seen: false,
      reasons: [expect.stringContaining(`${join(at.repository.dir, path)} `)],
    });
    expect(project.reasons[0]).toContain(why);
    expect(code).toBe(1);
  });

  test('believes codex itself', async () => {
    const at = world();
    await at.skill('install', '--yes', '--target', 'codex');
    const folder = join(at.repository.dir, CODEX);
    const line = `- delegate: Hands over. (file: ${join(folder, 'SKILL.md')})`;
    const prompt = (lines: string) =>
      JSON.stringify([
        { text: `<skills_instructions>\n### Available skills\n${lines}\n</skills_instructions>` },
      ]);
    fakeShell(at.where, `printf %s ${quote(prompt(line))}`, { name: 'codex' });
    expect(await status(at, 'codex')).toMatchObject({
      code: 0,
      found: { how: 'asked' },
      project: { state: 'installed', seen: true },
    });
    fakeShell(at.where, `printf %s ${quote(prompt('- other: Other. (file: /x/SKILL.md)'))}`, {
      name: 'codex',
    });
    expect(await status(at, 'codex')).toMatchObject({
      code: 1,
      found: { how: 'asked', seenAt: null },
      project: { state: 'installed', seen: false },
    });
  });

  test('holds outside a repository, and with something in the way', async () => {
    const at = world();
    const { stdout } = await runBaton(['skill', 'status', '--json'], {
      env: at.where.env,
      cwd: at.where.tmp,
    });
    expect(JSON.parse(stdout).targets).toMatchObject([{ places: [{ scope: 'user' }] }, {}]);
    mkdirSync(join(at.repository.dir, '.claude'));
    symlinkSync('/nowhere', join(at.repository.dir, '.claude/skills'));
    expect(await status(at)).toMatchObject({
      project: {
        state: 'absent',
        seen: null,
        problems: ['.claude/skills is a symbolic link: nothing is written through one'],
      },
    });
  });
});
