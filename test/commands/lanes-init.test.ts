import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { approveProject, fleetText, writeGlobal, writeProject } from '../lanes/fleets.ts';
import { type Ended, PROGRAMS, runBaton, startBaton, untilFile } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { alone, fakeClaude, fakeCodex } from '../support/clis.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { KEYS, onTerminal, type Terminal } from '../support/terminal.ts';

beforeAll(ensureBuilt);

interface World {
  where: Surroundings;
  dir: string;
  globalPath: string;
  projectPath: string;
  init: (...args: string[]) => Promise<Ended>;
  asked: (...args: string[]) => Terminal;
}

/** A repository, and a machine with nothing on it but what the test puts there. */
function world(): World {
  const where = alone(surroundings());
  const { dir } = makeRepository();
  return {
    where,
    dir,
    globalPath: join(where.home, '.config', 'delegate-skills', 'config.json'),
    projectPath: join(dir, '.delegate', 'config.json'),
    init: (...args) => runBaton(['lanes', 'init', ...args], { env: where.env, cwd: dir }),
    asked: (...args) =>
      onTerminal([process.execPath, PROGRAMS.baton, 'lanes', 'init', ...args], {
        cwd: dir,
        env: where.env,
      }),
  };
}

function bothClis(): World {
  const made = world();
  fakeClaude(made.where);
  fakeCodex(made.where);
  return made;
}

function lanesIn(path: string): unknown {
  const file: { lanes: unknown } = JSON.parse(readFileSync(path, 'utf8'));
  return file.lanes;
}

const DEFAULTS = {
  mechanical: { implementer: 'claude', effort: 'low', timeout: '20m' },
  hard: { implementer: 'claude', effort: 'high', timeout: '2h' },
  review: { implementer: 'codex', effort: 'medium', timeout: '30m', readOnly: true },
};

describe('baton lanes init --yes', () => {
  it('writes lanes for the CLIs that are there, and says where each value came from', async () => {
    const { init, globalPath } = bothClis();
    const { code, stdout, stderr } = await init('--yes');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${globalPath}  (new)\n  {\n`);
    expect(stdout).toMatch(
      /review\n +implementer +codex +discovered {2}\(codex-cli 0\.171\.0, signed in\)\n/,
    );
    expect(stdout).toMatch(
      /timeout +30m +default\n +readOnly +true +default {2}\(a review changes nothing\)/,
    );
    expect(stdout).toContain(`written to ${globalPath}\n`);
    expect(lanesIn(globalPath)).toEqual(DEFAULTS);
  });

  it('makes lanes of one CLI where there is one', async () => {
    const { where, init, globalPath } = world();
    fakeCodex(where, { signedIn: false });
    const { code, stdout } = await init('--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      path: globalPath,
      source: 'global',
      written: true,
      approved: true,
    });
    expect(stdout).toContain('"why":"codex-cli 0.171.0, not signed in"');
    expect(lanesIn(globalPath)).toMatchObject({
      mechanical: { implementer: 'codex' },
      review: { implementer: 'codex', readOnly: true },
    });
  });

  it('leaves what is there as it is, down to order and unknown keys', async () => {
    const { where, init, globalPath } = bothClis();
    const before = `{\n\t"note": [1, 2],\n\t"version": "delegate-fleet.v1",\n\t"lanes": {\n\t\t"hard": {"implementer": "codex", "effort": "max"},\n\t\t"ui": { "implementer": "opencode" }\n\t}, "more": {}\n}\n`;
    writeGlobal(where, before);
    const { code, stdout } = await init('--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('hard  is there already, and stays as it is: codex, effort max');
    const after = readFileSync(globalPath, 'utf8');
    expect(after.startsWith(before.slice(0, before.indexOf('"ui"')))).toBe(true);
    expect(after.endsWith(', "more": {}\n}\n')).toBe(true);
    expect(lanesIn(globalPath)).toEqual({
      hard: { implementer: 'codex', effort: 'max' },
      ui: { implementer: 'opencode' },
      mechanical: DEFAULTS.mechanical,
      review: DEFAULTS.review,
    });

    const again = await init('--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      written: false,
      lanes: [{ state: 'same' }, { lane: 'hard', state: 'kept' }, { state: 'same' }],
    });
    expect(readFileSync(globalPath, 'utf8')).toBe(after);
  });

  it('writes behind a link that leads to nothing yet', async () => {
    const { where, init, globalPath } = bothClis();
    const dotfiles = join(where.root, 'dotfiles', 'lanes.json');
    mkdirSync(dirname(globalPath), { recursive: true });
    symlinkSync('../../../dotfiles/lanes.json', globalPath);
    expect(await init('--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(lstatSync(globalPath).isSymbolicLink()).toBe(true);
    expect(lanesIn(dotfiles)).toEqual(DEFAULTS);
  });

  it('writes the project’s file, and leaves its approval to a person', async () => {
    const { where, dir, init, projectPath, globalPath } = bothClis();
    writeGlobal(where, { hard: { implementer: 'claude' } });
    writeProject(dir, { ui: { implementer: 'claude' } });
    await approveProject(dir);
    const { code, stdout } = await init('--yes', '--project');
    expect(code).toBe(0);
    expect(stdout).toContain('hard  (takes the place of your own)');
    expect(stdout).toContain('it has to be approved before it counts');
    expect(stdout).toContain('`baton lanes approve`');
    expect(lanesIn(projectPath)).toEqual({ ui: { implementer: 'claude' }, ...DEFAULTS });
    expect(readFileSync(globalPath, 'utf8')).toBe(fleetText({ hard: { implementer: 'claude' } }));
    const listed = await runBaton(['lanes', 'list'], { env: where.env, cwd: dir });
    expect(listed.stdout).toContain('(not approved)');
  });
});

describe('what cannot be', () => {
  it.each([
    ['nobody to ask', [], 'nobody can be asked which lanes to make (no terminal); --yes'],
    ['two files', ['--yes', '--global', '--project'], '--global and --project exclude each other'],
    ['a folder that is not there', ['--yes', '--cd', '/not/there'], '--cd "/not/there" cannot be used'],
  ])('%s: one line, exit 2', async (_, args, text) => {
    const { init, globalPath } = bothClis();
    const { code, stdout, stderr } = await init(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^baton: [^\n]+\n$/);
    expect(stderr).toContain(text);
    expect(existsSync(globalPath)).toBe(false);
  });

  it('no CLI, and a file that is broken', async () => {
    const { where, init, globalPath } = world();
    const none = await init('--yes');
    expect([none.code, none.stdout]).toEqual([1, '']);
    expect(none.stderr).toContain('there is no agent CLI here that baton can start');
    expect(none.stderr).toContain('`baton doctor`');
    writeGlobal(where, '{ "version": "delegate-fleet.v1", "lanes": {}, // mine\n }');
    const broken = await init('--yes');
    expect([broken.code, broken.stdout]).toEqual([2, '']);
    expect(broken.stderr).toContain('is broken, and left as it is');
    expect(readFileSync(globalPath, 'utf8')).toContain('// mine');
  });

  it('a project outside of a repository', async () => {
    const { where } = bothClis();
    const { code, stderr } = await runBaton(['lanes', 'init', '--yes', '--project'], {
      env: where.env,
      cwd: temporaryFolder(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--project needs a git repository');
  });

  it('a signal while it looks for CLIs ends it: nothing is written', async () => {
    const { where, dir, globalPath } = world();
    const begun = join(where.root, 'begun');
    fakeShell(where, `echo yes >${quote(begun)}; while :; do read -r line || exec sleep 60; done`, {
      name: 'claude',
      version: null,
    });
    where.env['PATH'] = `${where.env['PATH'] ?? ''}:/usr/bin:/bin`;
    const started = await startBaton(['lanes', 'init', '--yes'], { env: where.env, cwd: dir });
    await untilFile(begun);
    started.signal('SIGTERM');
    expect((await started.ended).code).toBe(143);
    expect(existsSync(globalPath)).toBe(false);
  });
});

describe('on a terminal', () => {
  it('takes the defaults after one question, and writes after a yes', async () => {
    const { asked, globalPath } = bothClis();
    const terminal = asked();
    await terminal.showing('mechanical: claude, hard: claude, review: codex');
    terminal.type(KEYS.enter);
    await terminal.showing(`write ${globalPath}?`);
    expect(terminal.shown()).toContain('where each value came from');
    expect(existsSync(globalPath)).toBe(false);
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(lanesIn(globalPath)).toEqual(DEFAULTS);
  });

  it('asks four questions of those who want them', async () => {
    const { asked, globalPath } = bothClis();
    const terminal = asked();
    await terminal.showing('up to four questions');
    for (const [question, keys] of [
      ['which lanes?', [KEYS.down, KEYS.enter]],
      ['who does the work?', [KEYS.down, KEYS.enter]],
      ['who reviews it?', [KEYS.enter]],
      ['at what pace?', [KEYS.down, KEYS.enter]],
      ['which model of codex?', [KEYS.down, KEYS.enter]],
    ] as const) {
      if (question !== 'which lanes?') await terminal.showing(question);
      for (const key of keys) terminal.type(key);
    }
    await terminal.showing('write ');
    expect(terminal.shown()).toMatch(/model +gpt-a +your answer {2}\(one of those that codex says it has\)/);
    expect(terminal.shown()).toMatch(/effort +low +your answer {2}\(quick pace\)/);
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(lanesIn(globalPath)).toEqual({
      mechanical: { implementer: 'codex', model: 'gpt-a', effort: 'low', timeout: '10m' },
      hard: { implementer: 'codex', model: 'gpt-a', effort: 'medium', timeout: '45m' },
      review: { implementer: 'claude', effort: 'low', timeout: '15m', readOnly: true },
    });
  });

  it.each([
    ['left', [KEYS.enter], { implementer: 'codex' }],
    ['replaced', [KEYS.down, KEYS.enter], DEFAULTS.hard],
  ])('a lane of that name is %s by the answer', async (_, keys, hard) => {
    const { where, asked, globalPath } = bothClis();
    writeGlobal(where, { hard: { implementer: 'codex' } });
    const terminal = asked();
    await terminal.showing('the defaults');
    terminal.type(KEYS.enter);
    await terminal.showing(
      'there is a lane hard already (codex). Replace it by claude, effort high, timeout 2h?',
    );
    for (const key of keys) terminal.type(key);
    await terminal.showing('write ');
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(lanesIn(globalPath)).toMatchObject({ hard });
  });

  it.each([
    ['y', 0, true],
    ['n', 0, false],
  ])('the project’s file is shown before its approval is asked for: %s', async (key, code, approved) => {
    const { dir, asked, projectPath } = bothClis();
    const terminal = asked('--project');
    await terminal.showing('the defaults');
    terminal.type(KEYS.enter);
    await terminal.showing(`write ${projectPath}?`);
    expect(terminal.shown()).toContain('"implementer": "codex"');
    expect(terminal.shown()).toContain('it has to be approved before it counts');
    terminal.type('y');
    await terminal.showing('approve it as it was shown?');
    terminal.type(key);
    expect(await terminal.ended).toBe(code);
    expect(existsSync(join(dir, '.git', 'delegate-skills', 'project-config.sha256'))).toBe(approved);
    expect(lanesIn(projectPath)).toEqual(DEFAULTS);
  });

  it.each([
    ['a no at the end', [KEYS.enter], 'n', 1],
    ['Ctrl-D at the first question', [], KEYS.ctrlD, 130],
    ['Ctrl-D at the end', [KEYS.enter], KEYS.ctrlD, 130],
    ['Ctrl-C at the end', [KEYS.enter], KEYS.ctrlC, 130],
    ['Ctrl-C at the first question', [], KEYS.ctrlC, 130],
    ['Ctrl-C at the second', [KEYS.down, KEYS.enter], KEYS.ctrlC, 130],
  ])('%s writes nothing', async (_, before, last, code) => {
    const { asked, globalPath } = bothClis();
    const terminal = asked();
    await terminal.showing('up to four questions');
    for (const key of before) terminal.type(key);
    if (before.length > 0) await terminal.showing(before.length === 1 ? 'write ' : 'who does the work?');
    terminal.type(last);
    expect(await terminal.ended).toBe(code);
    expect(terminal.shown()).toContain('nothing was written');
    expect(existsSync(globalPath)).toBe(false);
  });

  it('a lane with fields that baton does not know is not offered to be replaced', async () => {
    const { where, asked, globalPath } = bothClis();
    writeGlobal(where, { hard: { implementer: 'claude', colour: 'blue' } });
    const terminal = asked();
    await terminal.showing('the defaults');
    terminal.type(KEYS.enter);
    await terminal.showing('write ');
    expect(terminal.shown()).toContain('hard  is there already, and stays as it is: it is broken');
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(lanesIn(globalPath)).toMatchObject({ hard: { implementer: 'claude', colour: 'blue' } });
  });

  it('writes nothing where the file became another one since it was shown', async () => {
    const { where, asked, globalPath } = bothClis();
    const terminal = asked();
    await terminal.showing('the defaults');
    terminal.type(KEYS.enter);
    await terminal.showing('write ');
    writeGlobal(where, { other: { implementer: 'codex' } });
    terminal.type('y');
    expect(await terminal.ended).toBe(1);
    expect(terminal.shown()).toContain('was changed meanwhile: nothing was written');
    expect(lanesIn(globalPath)).toEqual({ other: { implementer: 'codex' } });
  });

  it('a signal at a question ends it, and nothing is written', async () => {
    const { where, dir, globalPath } = bothClis();
    const pid = join(where.root, 'pid');
    const terminal = onTerminal(
      [
        '/bin/sh',
        '-c',
        `echo $$ >${quote(pid)}; exec ${quote(process.execPath)} ${quote(PROGRAMS.baton)} lanes init`,
      ],
      { cwd: dir, env: where.env },
    );
    await terminal.showing('the defaults');
    process.kill(Number(await untilFile(pid)), 'SIGTERM');
    expect(await terminal.ended).toBe(143);
    expect(terminal.shown()).toContain('nothing was written');
    expect(existsSync(globalPath)).toBe(false);
  });

  it('--json asks as well, and prints one document', async () => {
    const { where, dir } = bothClis();
    const out = join(where.root, 'out.json');
    const terminal = onTerminal(
      [
        '/bin/sh',
        '-c',
        `exec ${quote(process.execPath)} ${quote(PROGRAMS.baton)} lanes init --json >${quote(out)}`,
      ],
      { cwd: dir, env: where.env },
    );
    await terminal.showing('the defaults');
    terminal.type(KEYS.enter);
    await terminal.showing('write ');
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      written: true,
      lanes: [{ lane: 'mechanical', state: 'new' }, { lane: 'hard' }, { lane: 'review' }],
    });
  });
});
