import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { approveProject, fleetText, writeGlobal, writeProject } from '../lanes/fleets.ts';
import { type Ended, PROGRAMS, runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';

beforeAll(ensureBuilt);

interface World {
  where: Surroundings;
  dir: string;
  globalPath: string;
  projectPath: string;
  lanes: (...args: string[]) => Promise<Ended>;
}

/** A repository, and `baton lanes` in it. */
function world(): World {
  const where = surroundings();
  const { dir } = makeRepository();
  return {
    where,
    dir,
    globalPath: join(where.home, '.config', 'delegate-skills', 'config.json'),
    projectPath: join(dir, '.delegate', 'config.json'),
    lanes: (...args) => runBaton(['lanes', ...args], { env: where.env, cwd: dir }),
  };
}

/** What a command printed as JSON, and nothing besides. */
function jsonOf({ code, stdout, stderr }: Ended): unknown {
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

/** Exit 2, one line on stderr that says this, and nothing on stdout. */
function expectRefusal({ code, stdout, stderr }: Ended, text: string): void {
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^baton: [^\n]+\n$/);
  expect(stderr).toContain(text);
}

describe('baton lanes list', () => {
  it('says where lanes would be, and how to make one', async () => {
    const { lanes, globalPath, projectPath } = world();
    const { code, stdout } = await lanes('list');
    expect(code).toBe(0);
    expect(stdout).toContain(`global  ${globalPath}  (none)`);
    expect(stdout).toContain(`project  ${projectPath}  (none)`);
    expect(stdout).toContain('baton lanes set <name> --implementer claude');
  });

  it('shows each lane, and which of them count', async () => {
    const { where, dir, lanes, globalPath, projectPath } = world();
    writeGlobal(where, {
      fast: { implementer: 'claude', model: 'haiku', timeout: '5m' },
      ui: { implementer: 'opencode', model: 'a/b' },
      odd: { implementer: 'claude', force: true },
    });
    writeProject(dir, { fast: { implementer: 'codex', readOnly: true } });
    const before = await lanes('list');
    expect(before.stdout).toMatch(
      /fast +claude +model haiku, timeout 5m {2}\(used while the lane of the project is not approved\)/,
    );
    expect(before.stdout).toMatch(/ui +opencode model a\/b {2}\(baton does not drive it\)/);
    expect(before.stdout).toMatch(/odd +"force" is not supported by claude/);
    expect(before.stdout).toMatch(/fast +codex +readOnly true {2}\(not approved\)/);
    expect(before.stdout).toContain('`baton lanes approve`');

    await approveProject(dir);
    expect((await lanes('list')).stdout).toMatch(/fast +claude .*\(replaced by the lane of the project\)/);
    expect(jsonOf(await lanes('list', '--json'))).toEqual({
      global: { path: globalPath, present: true, problem: null },
      project: {
        path: projectPath,
        present: true,
        approved: true,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        problem: null,
      },
      lanes: [
        {
          lane: 'fast',
          source: 'global',
          state: 'replaced',
          implementer: 'claude',
          dials: { model: 'haiku', timeout: '5m' },
          problem: null,
        },
        {
          lane: 'ui',
          source: 'global',
          state: 'usable',
          implementer: 'opencode',
          dials: { model: 'a/b' },
          problem: null,
        },
        {
          lane: 'odd',
          source: 'global',
          state: 'broken',
          implementer: null,
          dials: null,
          problem: expect.stringContaining('"force"'),
        },
        {
          lane: 'fast',
          source: 'project',
          state: 'usable',
          implementer: 'codex',
          dials: { readOnly: true },
          problem: null,
        },
      ],
    });
  });

  it('shows the user’s where there is no repository, or a file cannot be used', async () => {
    const { where, dir, lanes } = world();
    writeGlobal(where, { fast: { implementer: 'claude' } });
    const outside = await runBaton(['lanes', 'list', '--json'], { env: where.env, cwd: where.root });
    expect(jsonOf(outside)).toMatchObject({ project: null, lanes: [{ lane: 'fast', state: 'usable' }] });
    writeProject(dir, '{}');
    const unusable = (await lanes('list')).stdout;
    expect(unusable).toContain('not used: it has no version');
    expect(unusable).not.toContain('lanes approve');
  });

  it('is not driven by what stands in a file', async () => {
    const { dir, lanes } = world();
    writeProject(dir, {
      'a\u001b[2Jb': { implementer: '\u001b]0;x\u0007' },
      ok: { implementer: 'kimi', model: '\u001b[31m\u202e' },
    });
    for (const command of ['list', 'validate', 'approve']) {
      const { stdout, stderr } = await lanes(command);
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    }
  });
});

describe('baton lanes resolve', () => {
  it('prints one line of JSON, what a dispatch would take', async () => {
    const { where, lanes } = world();
    writeGlobal(where, {
      fast: { implementer: 'claude', timeout: '5m', model: 'haiku' },
      plain: { implementer: 'kimi' },
    });
    const expected = {
      lane: 'fast',
      source: 'global',
      implementer: 'claude',
      dials: { model: 'haiku', timeout: '5m' },
    };
    expect(jsonOf(await lanes('resolve', '--lane', 'fast'))).toEqual(expected);
    expect(jsonOf(await lanes('resolve', '--lane', 'fast', '--implementer', 'claude', '--json'))).toEqual(
      expected,
    );
    expect(jsonOf(await lanes('resolve', '--lane', 'plain'))).toEqual({
      lane: 'plain',
      source: 'global',
      implementer: 'kimi',
      dials: {},
    });
    expectRefusal(
      await lanes('resolve', '--lane', 'fast', '--implementer', 'codex'),
      'is bound to claude, not to "codex"',
    );
    expectRefusal(
      await lanes('resolve', '--lane', 'slow'),
      '--lane "slow" is not known; there are fast, plain (global: ',
    );
    expectRefusal(await lanes('resolve'), '--lane');
  });

  it('says on stderr that the project has another of that name', async () => {
    const { where, dir, lanes } = world();
    writeGlobal(where, { fast: { implementer: 'claude' } });
    writeProject(dir, { fast: { implementer: 'codex' } });
    const { code, stdout, stderr } = await lanes('resolve', '--lane', 'fast');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: 'global' });
    expect(stderr).toContain('`baton lanes approve`');
    await approveProject(dir);
    expect(jsonOf(await lanes('resolve', '--lane', 'fast'))).toMatchObject({
      source: 'project',
      implementer: 'codex',
    });
  });
});

describe('baton lanes set and unset', () => {
  it('make a lane, change it and take it out', async () => {
    const { lanes, globalPath } = world();
    const made = await lanes(
      'set',
      'fast',
      '--implementer',
      'claude',
      '--model',
      'haiku',
      '--effort',
      'low',
      '--timeout',
      '5m',
      '--read-only',
    );
    expect(made.stdout).toBe(
      `fast  claude  model haiku, effort low, timeout 5m, readOnly true\nwritten to ${globalPath}\n`,
    );
    expect(statSync(globalPath).mode & 0o777).toBe(0o600);
    expect(jsonOf(await lanes('set', 'fast', '--effort', 'max', '--no-read-only', '--json'))).toEqual({
      path: globalPath,
      source: 'global',
      approved: true,
      lane: 'fast',
      implementer: 'claude',
      dials: { model: 'haiku', effort: 'max', timeout: '5m', readOnly: false },
    });
    await lanes('unset', 'fast', 'effort', 'readOnly');
    expect(readFileSync(globalPath, 'utf8')).toBe(
      fleetText({ fast: { implementer: 'claude', model: 'haiku', timeout: '5m' } }),
    );
    await lanes('set', 'fast', '--implementer', 'codex', '--sandbox', 'workspace-write');
    expect(readFileSync(globalPath, 'utf8')).toBe(
      fleetText({ fast: { implementer: 'codex', sandbox: 'workspace-write' } }),
    );
    expect((await lanes('unset', 'fast')).code).toBe(0);
    expect(readFileSync(globalPath, 'utf8')).toBe(fleetText({}));
  });

  it('have a flag for every dial of the format', async () => {
    const { lanes, globalPath } = world();
    const flags =
      '--model m --effort e --variant v --timeout 1h --no-read-only --sandbox s --permission-mode p --force --provider o';
    const { code } = await lanes('set', 'all', '--implementer', 'cursor', ...flags.split(' '));
    expect(code).toBe(0);
    const dials = {
      model: 'm',
      effort: 'e',
      variant: 'v',
      timeout: '1h',
      readOnly: false,
      sandbox: 's',
      permissionMode: 'p',
      force: true,
      provider: 'o',
    };
    expect(readFileSync(globalPath, 'utf8')).toBe(fleetText({ all: { implementer: 'cursor', ...dials } }));
  });

  it('write where the lane is, and where they are told', async () => {
    const { where, dir, lanes, projectPath } = world();
    writeGlobal(where, { mine: { implementer: 'claude' }, both: { implementer: 'claude' } });
    writeProject(dir, { ours: { implementer: 'codex' }, both: { implementer: 'codex' } });
    expect(jsonOf(await lanes('set', 'mine', '--effort', 'low', '--json'))).toMatchObject({
      source: 'global',
    });
    expect(jsonOf(await lanes('set', 'ours', '--effort', 'low', '--json'))).toMatchObject({
      source: 'project',
      path: projectPath,
    });
    expect(jsonOf(await lanes('set', 'both', '--effort', 'low', '--project', '--json'))).toMatchObject({
      source: 'project',
    });
    expectRefusal(await lanes('set', 'both', '--effort', 'low'), 'say --global or --project');
    expectRefusal(await lanes('unset', 'mine', '--project'), 'there is no lane "mine"');
    expectRefusal(await lanes('set', 'x', '--global', '--project'), 'exclude each other');
    const outside = await runBaton(['lanes', 'set', 'x', '--implementer', 'claude', '--project'], {
      env: where.env,
      cwd: where.root,
    });
    expectRefusal(outside, '--project needs a git repository');
  });

  it('make an approval void, and give it anew only to what was approved before', async () => {
    const { dir, lanes, projectPath } = world();
    const fresh = await lanes('set', 'ours', '--implementer', 'codex', '--project', '--approve');
    expect(fresh.stdout).toContain(`written to ${projectPath}, and approved`);
    expect(statSync(projectPath).mode & 0o777).toBe(0o644);
    expect(jsonOf(await lanes('resolve', '--lane', 'ours'))).toMatchObject({ source: 'project' });

    const edited = await lanes('set', 'ours', '--effort', 'low');
    expect(edited.stdout).toContain(
      'it does not count as it is now: `baton lanes approve` shows it and asks',
    );
    expectRefusal(await lanes('resolve', '--lane', 'ours'), 'not approved as it is now');

    const before = readFileSync(projectPath);
    expectRefusal(
      await lanes('set', 'ours', '--effort', 'high', '--approve'),
      'was not approved before this edit either',
    );
    expectRefusal(await lanes('unset', 'ours', '--approve'), 'was not approved before');
    expect(readFileSync(projectPath).equals(before)).toBe(true);
    expectRefusal(await lanes('resolve', '--lane', 'ours'), 'not approved as it is now');

    await approveProject(dir);
    expect(jsonOf(await lanes('set', 'ours', '--effort', 'high', '--approve', '--json'))).toMatchObject({
      approved: true,
    });
    expect(jsonOf(await lanes('resolve', '--lane', 'ours'))).toMatchObject({ dials: { effort: 'high' } });
    expectRefusal(
      await lanes('set', 'mine', '--implementer', 'claude', '--global', '--approve'),
      'your own needs no approval',
    );
  });

  it('keep a link, its mode, and whatever else is in the file', async () => {
    const { where, lanes, globalPath } = world();
    const text =
      '\ufeff{\r\n\t"version": "delegate-fleet.v1",\r\n\t"owner": "me",\r\n\t"lanes": {\r\n\t\t"a": { "implementer": "claude" }\r\n\t}\r\n}\r\n';
    writeGlobal(where, text);
    const target = join(where.root, 'fleet.json');
    renameSync(globalPath, target);
    chmodSync(target, 0o640);
    symlinkSync(target, globalPath);
    expect((await lanes('set', 'a', '--model', 'opus')).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe(text.replace('"claude" }', '"claude", "model": "opus" }'));
    expect(readlinkSync(globalPath)).toBe(target);
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  it('write nothing that would not hold', async () => {
    const { where, dir, lanes, globalPath } = world();
    expectRefusal(await lanes('set', 'fast'), 'needs an implementer');
    expectRefusal(
      await lanes('set', 'fast', '--implementer', 'gpt'),
      '"gpt" is not known: write one of claude, codex',
    );
    expectRefusal(
      await lanes('set', 'fast', '--implementer', 'claude', '--sandbox', 'read-only'),
      'claude has model, effort, timeout, readOnly',
    );
    expectRefusal(
      await lanes('set', 'fast', '--implementer', 'codex', '--read-only', '--sandbox', 'workspace-write'),
      'contradict',
    );
    expectRefusal(
      await lanes('set', 'fast', '--implementer', 'claude', '--timeout', '90'),
      'is not a duration',
    );
    expectRefusal(await lanes('set', '__proto__', '--implementer', 'claude'), 'is not the name of a lane');
    expectRefusal(await lanes('set', 'fast', '--model'), '--model');
    expectRefusal(await lanes('set'), 'lane');
    expectRefusal(await lanes('unset', 'fast'), 'there is no lane "fast"');
    expect(existsSync(dirname(globalPath))).toBe(false);

    writeGlobal(where, '{ // mine\n}');
    expectRefusal(await lanes('set', 'fast', '--implementer', 'claude'), 'comments are not allowed');
    expect(readFileSync(globalPath, 'utf8')).toBe('{ // mine\n}');

    const outside = join(where.root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(dir, '.delegate'));
    const set = ['set', 'fast', '--implementer', 'claude', '--project'];
    expectRefusal(await lanes(...set), 'symbolic link');
    writeFileSync(join(outside, 'config.json'), fleetText({}));
    expectRefusal(await lanes(...set, '--approve'), 'symbolic link');
    expect(readFileSync(join(outside, 'config.json'), 'utf8')).toBe(fleetText({}));
  });
});

describe('baton lanes approve', () => {
  const OURS = {
    hard: { implementer: 'codex', sandbox: 'danger-full-access' },
    fast: { implementer: 'claude' },
    odd: {},
  };

  it('shows the file and what it would do, and needs a yes', async () => {
    const { where, dir, lanes } = world();
    writeGlobal(where, { fast: { implementer: 'claude', readOnly: true } });
    writeProject(dir, OURS);
    const asked = await lanes('approve');
    expect(asked.code).toBe(2);
    for (const line of fleetText(OURS).trimEnd().split('\n')) expect(asked.stdout).toContain(`  ${line}\n`);
    expect(asked.stdout).toMatch(/fast +claude .*\(takes the place of your own\)/);
    expect(asked.stdout).toMatch(/odd +it names no implementer/);
    expect(asked.stdout).toContain('hard lets the implementer do whatever you may: it has no sandbox');
    expect(asked.stderr).toContain('--yes');
    expect(existsSync(join(dir, '.git', 'delegate-skills'))).toBe(false);

    const said = await lanes('approve', '--yes');
    expect(said.stdout).toContain(
      `approved, in ${join(dir, '.git', 'delegate-skills', 'project-config.sha256')}`,
    );
    expect(jsonOf(await lanes('resolve', '--lane', 'hard'))).toMatchObject({ source: 'project' });
    expect((await lanes('approve')).stdout).toContain('it is approved already');
    expect(jsonOf(await lanes('approve', '--json'))).toMatchObject({ approved: true, files: [] });
  });

  it('says the same as JSON', async () => {
    const { where, dir, lanes, projectPath } = world();
    writeGlobal(where, { fast: { implementer: 'claude' } });
    writeProject(dir, OURS);
    expectRefusal(await lanes('approve', '--json'), '--yes');
    expect(jsonOf(await lanes('approve', '--yes', '--json'))).toEqual({
      path: projectPath,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      approved: true,
      files: [join(dir, '.git', 'delegate-skills', 'project-config.sha256')],
      lanes: [
        {
          lane: 'hard',
          implementer: 'codex',
          dials: { sandbox: 'danger-full-access' },
          problem: null,
          replaces: false,
        },
        { lane: 'fast', implementer: 'claude', dials: {}, problem: null, replaces: true },
        { lane: 'odd', implementer: null, dials: null, problem: expect.any(String), replaces: false },
      ],
    });
  });

  it.each([
    ['y', '', true],
    ['n', '', false],
    ['y', '--json', true],
  ])('asks on a terminal, after it was shown: %s %s', (key, json, approved) => {
    const { where, dir } = world();
    writeProject(dir, OURS);
    // `script` gives the command a terminal of its own; one without a width shows a sign a line.
    const shown = spawnSync(
      'script',
      ['-qec', `stty cols 200; ${process.execPath} ${PROGRAMS.baton} lanes approve ${json}`, '/dev/null'],
      {
        cwd: dir,
        env: { ...where.env, TERM: 'xterm' },
        input: key,
        encoding: 'utf8',
      },
    );
    // The question hides the cursor first.
    expect(shown.stdout.split('\u001b[?25l')[0]).toContain('it has no sandbox');
    const told = approved ? 'approved, in ' : 'not approved, nothing was written';
    expect(shown.stdout).toContain(json ? '"approved":true' : told);
    expect(shown.status).toBe(approved ? 0 : 1);
    expect(existsSync(join(dir, '.git', 'delegate-skills', 'project-config.sha256'))).toBe(approved);
  });

  it('shows signs that hide or turn a line', async () => {
    const { dir, lanes } = world();
    writeProject(dir, '{ "version": "delegate-fleet.v1", "lanes": {}, "note": "\u202e\u200bcod\u2066x" }');
    const { stdout } = await lanes('approve', '--yes');
    expect(stdout).toContain('"\\u{202e}\\u{200b}cod\\u{2066}x"');
  });

  // They may also be written as escapes, which the file shows and its reading does not.
  it('shows them in what was read as well', async () => {
    const { dir, lanes } = world();
    const lane = '{ "implementer": "claude", "mo\\u202edel": "x" }';
    writeProject(dir, `{ "version": "delegate-fleet.v1", "lanes": { "x\\u202ey": {}, "z": ${lane} } }`);
    for (const args of [['list'], ['validate'], ['approve', '--yes'], ['resolve', '--lane', 'z']]) {
      const { stdout, stderr } = await lanes(...args);
      expect(stdout + stderr).not.toContain('\u202e');
      expect(stdout + stderr).toContain('\\u{202e}');
    }
  });

  it('is for a file that could count', async () => {
    const { where, dir, lanes, projectPath } = world();
    expectRefusal(await lanes('approve', '--yes'), 'there is nothing to approve');
    const outside = await runBaton(['lanes', 'approve', '--yes'], { env: where.env, cwd: where.root });
    expectRefusal(outside, 'there is no project here');
    writeProject(dir, '{');
    expectRefusal(await lanes('approve', '--yes'), 'cannot be approved: it is no strict JSON');
    rmSync(projectPath);
    const elsewhere = join(where.root, 'lanes.json');
    writeFileSync(elsewhere, fleetText(OURS));
    symlinkSync(elsewhere, projectPath);
    expectRefusal(await lanes('approve', '--yes'), 'symbolic link');
    expect(existsSync(join(dir, '.git', 'delegate-skills'))).toBe(false);
  });
});

describe('baton lanes validate', () => {
  it('checks both files, and says all that is wrong', async () => {
    const { where, dir, lanes, globalPath, projectPath } = world();
    expect(await lanes('validate')).toMatchObject({ code: 0, stdout: 'there are no files of lanes yet\n' });
    writeGlobal(where, { fast: { implementer: 'claude' } });
    writeProject(dir, { a: { implementer: 'claude', model: '-x' }, b: { implementer: 'codex' }, 'c d': {} });
    const { code, stdout } = await lanes('validate');
    expect(code).toBe(1);
    expect(stdout).toContain(`${globalPath}  ok, 1 lane\n`);
    expect(stdout).toMatch(/config\.json {2}wrong\n {2}a: model "-x" is not .*\n {2}c d: the name is not /);
    writeProject(dir, { b: { implementer: 'codex' } });
    expect((await lanes('validate')).stdout).toContain(`${projectPath}  ok, 1 lane, not approved\n`);
    expect(jsonOf(await lanes('validate', '--json'))).toEqual({
      valid: true,
      files: [
        {
          path: globalPath,
          source: 'global',
          approved: null,
          problem: null,
          lanes: [{ lane: 'fast', implementer: 'claude', problem: null }],
        },
        {
          path: projectPath,
          source: 'project',
          approved: false,
          problem: null,
          lanes: [{ lane: 'b', implementer: 'codex', problem: null }],
        },
      ],
    });
  });

  it('checks the file that it is given', async () => {
    const { where, lanes } = world();
    const file = join(where.root, 'a.json');
    writeFileSync(file, fleetText({ fast: { implementer: 'claude' } }));
    expect(await lanes('validate', file)).toMatchObject({ code: 0 });
    writeFileSync(file, 'no JSON');
    expect(await lanes('validate', file)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('no strict JSON'),
    });
    expectRefusal(await lanes('validate', join(where.root, 'none.json')), 'cannot be read');
  });
});

it('refuses what it does not know, in one line', async () => {
  const { dir, lanes } = world();
  expectRefusal(await lanes('lsit'), 'lsit');
  expectRefusal(await lanes('list', '--bogus'), '--bogus');
  expectRefusal(await lanes('list', '--cd', '/no/such/folder'), '/no/such/folder');
  expect(readdirSync(dir).sort()).toEqual(['.git', 'README.md']);
});
