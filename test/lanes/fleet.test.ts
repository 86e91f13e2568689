import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fleet, globalFleetPath, readFleet } from '../../src/lanes/fleet.ts';
import { resolveLane } from '../../src/lanes/resolve.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  approveByHand,
  approveProject,
  fleetIn,
  fleetText,
  hashOf,
  located,
  writeGlobal,
  writeProject,
} from './fleets.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 60) };

const OWN = { mine: { implementer: 'claude', model: 'opus' } };
const THEIRS = { theirs: { implementer: 'codex', sandbox: 'danger-full-access' } };

function worktreeOf(repository: TestRepository): string {
  const dir = join(temporaryFolder(), 'linked');
  repository.git('worktree', 'add', '-q', dir);
  return dir;
}

describe('where the files are', () => {
  it('is under XDG_CONFIG_HOME, else ~/.config', () => {
    const file = join('delegate-skills', 'config.json');
    expect(globalFleetPath({ HOME: '/h' })).toBe(join('/h/.config', file));
    expect(globalFleetPath({ HOME: '/h', XDG_CONFIG_HOME: '/x' })).toBe(join('/x', file));
    expect(globalFleetPath({ HOME: '/h', XDG_CONFIG_HOME: 'relative' })).toBe(join('/h/.config', file));
  });

  it('may be a link, for the user’s own', async () => {
    const where = surroundings();
    const elsewhere = join(where.root, 'dotfiles.json');
    writeFileSync(elsewhere, fleetText(OWN));
    const path = writeGlobal(where, '');
    rmSync(path);
    symlinkSync(elsewhere, path);
    const { global } = await fleetIn(where, makeRepository().dir);
    expect(global).toMatchObject({ present: true, problem: null, lanes: [{ name: 'mine' }] });
  });

  it('is a file of a sane size', async () => {
    const where = surroundings();
    const { dir } = makeRepository();
    const path = writeGlobal(where, `${' '.repeat(1024 * 1024)}${fleetText(OWN)}`);
    expect((await fleetIn(where, dir)).global.problem).toContain('the limit is');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect((await fleetIn(where, dir)).global.problem).toBe('it is no regular file');
    rmSync(path);
    mkdirSync(path);
    expect((await fleetIn(where, dir)).global).toMatchObject({
      present: true,
      lanes: [],
      problem: expect.any(String),
    });
    rmSync(dirname(path), { recursive: true });
    writeFileSync(dirname(path), '');
    expect((await fleetIn(where, dir)).global).toMatchObject({ present: false, problem: null });
  });
});

describe('an approval', () => {
  it.each(['--absolute-git-dir', '--git-common-dir'] as const)(
    'that another program wrote below %s counts',
    async (which) => {
      const where = surroundings();
      const main = makeRepository();
      for (const dir of [main.dir, worktreeOf(main)]) {
        writeProject(dir, { [dir === main.dir ? 'main' : 'linked']: { implementer: 'claude' } });
        expect((await fleetIn(where, dir)).project?.approved).toBe(false);
        approveByHand(dir, which, which === '--git-common-dir');
        expect((await fleetIn(where, dir)).project?.approved).toBe(true);
      }
    },
  );

  it('of baton’s is what the other program looks for', async () => {
    const main = makeRepository();
    const dir = worktreeOf(main);
    for (const [at, where] of [
      [main.dir, join(main.dir, '.git')],
      [dir, join(main.dir, '.git', 'worktrees', 'linked')],
    ] as const) {
      const path = writeProject(at, THEIRS);
      const [file] = await approveProject(at);
      expect(file).toBe(join(where, 'delegate-skills', 'project-config.sha256'));
      expect(readFileSync(file ?? '', 'utf8')).toBe(`${hashOf(path)}\n`);
    }
  });

  it('is for these bytes, here: neither an edit nor a clone has it', async () => {
    const where = surroundings();
    const repository = makeRepository({ files: { '.delegate/config.json': fleetText(THEIRS) } });
    await approveProject(repository.dir);
    expect((await fleetIn(where, repository.dir)).project?.approved).toBe(true);
    const clone = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', repository.dir, clone], { env: { PATH: process.env['PATH'] } });
    expect((await fleetIn(where, clone)).project).toMatchObject({ present: true, approved: false });
    writeProject(repository.dir, `${fleetText(THEIRS)} `);
    expect((await fleetIn(where, repository.dir)).project?.approved).toBe(false);
  });
});

describe('a file that comes with a repository', () => {
  /** What a lane of the project, and one of the user's, is good for. */
  function outcomeOf(fleet: Fleet): { mine: unknown; theirs: unknown } {
    const attempt = (name: string): unknown => {
      try {
        return resolveLane(fleet, name).lane;
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    return { mine: attempt('mine'), theirs: attempt('theirs') };
  }

  async function outcome(where: Surroundings, dir: string): Promise<{ mine: unknown; theirs: unknown }> {
    return outcomeOf(await fleetIn(where, dir));
  }

  const MINE = { name: 'mine', source: 'global', implementer: 'claude', dials: { model: 'opus' } };

  it.each<[string, (dir: string) => void]>([
    ['is a link', (dir) => linkTo(dir, '.delegate/config.json')],
    ['dangles', (dir) => linkTo(dir, '.delegate/config.json', false)],
    ['lies in a folder that is a link', (dir) => linkTo(dir, '.delegate')],
    ['is a pipe', (dir) => place(dir, (path) => void execFileSync('mkfifo', [path]))],
    ['is a folder', (dir) => place(dir, (path) => mkdirSync(path))],
    ['is huge', (dir) => place(dir, (path) => writeFileSync(path, ' '.repeat(2 * 1024 * 1024)))],
    ['is no text', (dir) => place(dir, (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00])))],
    ['is no JSON', (dir) => place(dir, (path) => writeFileSync(path, '{ "version": '))],
    ['lies below a file', (dir) => writeFileSync(join(dir, '.delegate'), '')],
  ])('and %s takes nothing away from the user, and gives nothing', async (_, make) => {
    const where = surroundings();
    writeGlobal(where, OWN);
    const { dir } = makeRepository();
    make(dir);
    expect(await outcome(where, dir)).toEqual({
      mine: MINE,
      theirs: expect.stringContaining('is not known'),
    });
    const { project } = await fleetIn(where, dir);
    expect(project).toMatchObject({ approved: false, lanes: [] });
  });

  it('cannot be read, and takes nothing away', async () => {
    const where = surroundings();
    writeGlobal(where, OWN);
    const { dir } = makeRepository();
    chmodSync(writeProject(dir, THEIRS), 0);
    expect((await outcome(where, dir)).mine).toEqual(MINE);
  });

  it('is no approval, whatever else it puts there', async () => {
    const where = surroundings();
    writeGlobal(where, OWN);
    const repository = makeRepository({
      files: {
        '.delegate/config.json': fleetText({
          ...THEIRS,
          mine: { implementer: 'codex', sandbox: 'danger-full-access' },
        }),
      },
    });
    const sum = hashOf(join(repository.dir, '.delegate/config.json'));
    repository.write({
      '.delegate/project-config.sha256': `${sum}\n`,
      'delegate-skills/project-config.sha256': `${sum}\n`,
      '.delegate/delegate-skills/project-config.sha256': `${sum}\n`,
    });
    expect(await outcome(where, repository.dir)).toEqual({
      mine: MINE,
      theirs: expect.stringContaining('not approved'),
    });
  });

  it('says anything at all, and without approval gives no lane and takes none', async () => {
    const where = surroundings();
    writeGlobal(where, OWN);
    const { dir } = makeRepository();
    const repository = await located(dir);
    const name = fc.constantFrom(
      'mine',
      'theirs',
      '__proto__',
      'constructor',
      'toString',
      'version',
      'lanes',
    );
    const field = fc.constantFrom(
      'implementer',
      'model',
      'sandbox',
      'permissionMode',
      'readOnly',
      '__proto__',
      'constructor',
    );
    const value = fc.constantFrom<unknown>(
      'claude',
      'codex',
      'danger-full-access',
      'bypassPermissions',
      false,
      true,
      null,
      {},
      [],
      'opus',
    );
    const lane = fc.dictionary(field, value, { maxKeys: 5 });
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .array(fc.tuple(name, lane), { maxLength: 6 })
        .map(
          (lanes) =>
            `{"version":"delegate-fleet.v1","lanes":{${lanes.map(([key, body]) => `${JSON.stringify(key)}:${JSON.stringify(body)}`).join(',')}}}`,
        ),
    );
    fc.assert(
      fc.property(text, (content) => {
        writeProject(dir, content);
        const seen = outcomeOf(readFleet({ repository, env: where.env }));
        expect(seen.mine).toEqual(MINE);
        expect(seen.theirs).toMatch(/is not known|not approved/);
      }),
      RUNS,
    );
  });
});

function place(dir: string, make: (path: string) => void): void {
  mkdirSync(join(dir, '.delegate'));
  make(join(dir, '.delegate', 'config.json'));
}

/** Links this path of the repository to the same thing outside of it, which is approved there, or is not there. */
function linkTo(dir: string, path: string, there = true): void {
  const outside = temporaryFolder();
  if (there) writeProject(outside, { ...OWN, ...THEIRS });
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  symlinkSync(join(outside, path), join(dir, path));
}
