import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { newRunId } from '../../src/core/ids.ts';
import { createRunDirectory, type RunDirectory } from '../../src/rundir/directory.ts';
import { ARTIFACTS, isOwnName } from '../../src/rundir/layout.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { contend } from './contenders.ts';

const open: RunDirectory[] = [];
afterEach(() => {
  for (const directory of open.splice(0)) directory.close();
});

interface Place {
  stateHome: string;
  treeTop: string;
}

function place(): Place {
  const root = temporaryFolder();
  const treeTop = join(root, 'tree');
  mkdirSync(treeTop);
  return { stateHome: join(root, 'state'), treeTop };
}

function create(where: Place, outDir: string | null = null): RunDirectory {
  const directory = createRunDirectory({ ...where, outDir, runId: newRunId() });
  open.push(directory);
  return directory;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a directory in the state folder', () => {
  it('is named after the tree and the run, and holds a live record and the reserve', () => {
    const where = place();
    const made = create(where);
    expect(made.created).toBe(true);
    expect(made.unrecorded).toBe(null);
    expect(basename(made.path)).toBe(made.id);
    expect(basename(dirname(made.path))).toMatch(/^tree-[0-9a-f]{12}$/);
    expect(readdirSync(made.path).sort()).toEqual(['.reserve', 'run.json']);
    expect(statSync(join(made.path, '.reserve')).blocks * 512).toBeGreaterThanOrEqual(1024 ** 2);
  });

  it('is closed to others, under any umask', () => {
    const where = place();
    const before = process.umask(0);
    let made: RunDirectory;
    try {
      made = create(where);
    } finally {
      process.umask(before);
    }
    for (let folder = made.path; folder.startsWith(where.stateHome); folder = dirname(folder)) {
      expect(modeOf(folder)).toBe('700');
    }
    for (const name of readdirSync(made.path)) expect(modeOf(join(made.path, name))).toBe('600');
  });

  it.each(['-rf', '.hidden', 'with space\nand newline', 'ünï', '💥', 'x'.repeat(200)])(
    'takes a tree named %j',
    (name) => {
      const { stateHome, treeTop } = place();
      mkdirSync(join(treeTop, name));
      const made = create({ stateHome, treeTop: join(treeTop, name) });
      expect(basename(dirname(made.path))).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,39}-[0-9a-f]{12}$/);
    },
  );

  it('is the same for a tree that is reached through a link', () => {
    const where = place();
    const link = `${where.treeTop}-link`;
    symlinkSync(where.treeTop, link);
    expect(dirname(create({ ...where, treeTop: link }).path)).toBe(dirname(create(where).path));
  });

  it('never takes one that exists', () => {
    const where = place();
    const first = create(where);
    expect(() => createRunDirectory({ ...where, outDir: null, runId: first.id })).toThrow(UsageError);
  });

  it('gives the reserve back when it is closed', () => {
    const made = create(place());
    made.close();
    expect(readdirSync(made.path)).toEqual(['run.json']);
  });

  it('is refused with the remedy where the state folder cannot be written', () => {
    const where = place();
    writeFileSync(where.stateHome, 'a file');
    expect(() => create(where)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: expect.stringContaining(where.stateHome),
        hint: expect.stringMatching(/--out-dir.*BATON_HOME/),
      }),
    );
  });
});

describe('an --out-dir', () => {
  it('is made with the folders above it, closed to others', () => {
    const where = place();
    const outDir = join(dirname(where.treeTop), 'a', 'b', 'c');
    const before = process.umask(0);
    try {
      create(where, outDir);
    } finally {
      process.umask(before);
    }
    expect(modeOf(outDir)).toBe('700');
    expect(modeOf(dirname(outDir))).toBe('700');
    for (const name of readdirSync(outDir)) expect(modeOf(join(outDir, name))).toBe('600');
  });

  it('is resolved against the working directory', () => {
    const where = place();
    vi.spyOn(process, 'cwd').mockReturnValue(where.treeTop);
    const made = create(where, 'out');
    vi.restoreAllMocks();
    expect(made.path).toBe(join(where.treeTop, 'out'));
    expect(made.created).toBe(true);
  });

  it('is refused where it is a file, or lies below one', () => {
    const where = place();
    const file = join(where.treeTop, 'file');
    writeFileSync(file, 'mine');
    for (const outDir of [file, join(file, 'below')]) {
      expect(() => create(where, outDir)).toThrow(
        expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(outDir) }),
      );
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('loses the artifacts of an earlier run and nothing else', () => {
    const where = place();
    const outDir = temporaryFolder();
    create(where, outDir).close();
    for (const name of Object.values(ARTIFACTS)) {
      const folders: string[] = [ARTIFACTS.objects, ARTIFACTS.snapshot, ARTIFACTS.gateOutput];
      if (folders.includes(name)) {
        mkdirSync(join(outDir, name, 'ab'), { recursive: true });
        writeFileSync(join(outDir, name, 'ab', 'cdef'), 'stale');
      } else if (name !== ARTIFACTS.live) writeFileSync(join(outDir, name), 'stale');
    }
    writeFileSync(join(outDir, '.result.json.0123456789ab.tmp'), 'half of it');
    writeFileSync(join(outDir, 'notes.txt'), 'mine');
    mkdirSync(join(outDir, 'folder'));

    const made = create(where, outDir);
    expect(made.created).toBe(false);
    expect(readdirSync(outDir).sort()).toEqual(['.reserve', 'folder', 'notes.txt', 'run.json']);
    expect(readFileSync(join(outDir, 'run.json'), 'utf8')).toContain(made.id);
  });

  it('loses the result that an older relay left, which wrote no run.json', () => {
    const outDir = temporaryFolder();
    writeFileSync(join(outDir, 'result.json'), '{"schema":"delegate-relay.result.v1","status":"completed"}');
    create(place(), outDir);
    expect(existsSync(join(outDir, 'result.json'))).toBe(false);
  });

  it.each(Object.values(ARTIFACTS))('is refused untouched where %s is a link', (name) => {
    const where = place();
    const outDir = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'precious');
    writeFileSync(join(outDir, 'brief.txt.keep'), 'mine');
    if (name !== ARTIFACTS.result)
      writeFileSync(join(outDir, ARTIFACTS.result), '{"schema":"delegate-relay.result.v1"}');
    symlinkSync(victim, join(outDir, name));
    const before = readdirSync(outDir).sort();

    expect(() => create(where, outDir)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(join(outDir, name)) }),
    );
    expect(readdirSync(outDir).sort()).toEqual(before);
    expect(lstatSync(join(outDir, name)).isSymbolicLink()).toBe(true);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it('is refused where an artifact is a link to a folder or to nothing, a folder, or a pipe', () => {
    const where = place();
    const plant: { [name: string]: (path: string) => void } = {
      objects: (path) => symlinkSync(temporaryFolder(), path),
      'result.json': (path) => symlinkSync('/nowhere/at/all', path),
      'events.jsonl': (path) => mkdirSync(path),
      'run.json': (path) => execFileSync('mkfifo', [path]),
      snapshot: (path) => writeFileSync(path, 'a file'),
      'gate-output': (path) => symlinkSync(temporaryFolder(), path),
    };
    for (const [name, make] of Object.entries(plant)) {
      const outDir = temporaryFolder();
      make(join(outDir, name));
      expect(() => create(where, outDir)).toThrow(join(outDir, name));
      expect(readdirSync(outDir)).toEqual([name]);
    }
  });

  it('takes no claim through a link', () => {
    const outDir = temporaryFolder();
    const victim = temporaryFolder();
    symlinkSync(victim, join(outDir, '.baton-claim'));
    expect(() => create(place(), outDir)).toThrow(join(outDir, '.baton-claim'));
    expect(readdirSync(victim)).toEqual([]);
    expect(readdirSync(outDir)).toEqual(['.baton-claim']);
  });

  it('removes links below objects/ without following them', () => {
    const where = place();
    const outDir = temporaryFolder();
    create(where, outDir).close();
    const victim = temporaryFolder();
    writeFileSync(join(victim, 'file'), 'precious');
    mkdirSync(join(outDir, 'objects'));
    symlinkSync(victim, join(outDir, 'objects', 'folder'));
    symlinkSync(join(victim, 'file'), join(outDir, 'objects', 'file'));
    create(where, outDir);
    expect(existsSync(join(outDir, 'objects'))).toBe(false);
    expect(readFileSync(join(victim, 'file'), 'utf8')).toBe('precious');
  });

  it('leaves the other name of a file with two names as it was', () => {
    const outDir = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'precious');
    linkSync(victim, join(outDir, 'result.json'));
    create(place(), outDir);
    expect(existsSync(join(outDir, 'result.json'))).toBe(false);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it("is refused where it is a repository's git directory: its objects stay", () => {
    const repository = makeRepository();
    const before = repository.fingerprint();
    const gitDir = join(repository.dir, '.git');
    expect(() => create(place(), gitDir)).toThrow(join(gitDir, 'objects'));
    expect(repository.fingerprint()).toEqual(before);
  });

  it('may lie in the tree, and has only names there that are known as its own', () => {
    const where = place();
    const outDir = join(where.treeTop, 'out');
    expect(create(where, outDir).unrecorded).toBe(null);
    expect(readdirSync(outDir).every(isOwnName)).toBe(true);
    expect(['.run.json.0123456789ab.tmp', '.baton-claim', '.baton-claim.takeover'].every(isOwnName)).toBe(
      true,
    );
    expect(['notes.txt', '.notes.txt.0123456789ab.tmp', 'result.json.bak'].some(isOwnName)).toBe(false);
  });

  it('works where the state folder cannot be written, and says that the run is not recorded', () => {
    const where = place();
    writeFileSync(where.stateHome, 'a file');
    const made = create(where, temporaryFolder());
    expect(made.unrecorded).toContain('not recorded');
    expect(made.unrecorded).toContain(where.stateHome);
    expect(existsSync(join(made.path, 'run.json'))).toBe(true);
  });
});

describe('a directory in use', () => {
  it('is refused while its run lives, in this process too, and free once it has ended', () => {
    const where = place();
    const outDir = temporaryFolder();
    const first = create(where, outDir);
    expect(() => create(where, outDir)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(first.id) }),
    );
    expect(readFileSync(join(outDir, 'run.json'), 'utf8')).toContain(first.id);
    first.close();
    expect(create(where, outDir).path).toBe(outDir);
  });

  it('is free again after its baton was killed', async () => {
    const where = place();
    const outDir = temporaryFolder();
    const [other] = await contend([{ what: 'directory', request: { ...where, outDir, runId: newRunId() } }]);
    expect(other?.got).toBe(outDir);
    expect(() => create(where, outDir)).toThrow('in use');
    await other?.kill();
    expect(create(where, outDir).path).toBe(outDir);
  });
});

describe('twenty at once', () => {
  it('get twenty directories', async () => {
    const where = place();
    const contenders = await contend(
      Array.from({ length: 20 }, () => ({
        what: 'directory',
        request: { ...where, outDir: null, runId: newRunId() },
      })),
    );
    expect(contenders.map(({ refusal }) => refusal).filter(Boolean)).toEqual([]);
    expect(new Set(contenders.map(({ got }) => got)).size).toBe(20);
    for (const { got } of contenders) {
      const path = got ?? '';
      expect(JSON.parse(readFileSync(join(path, 'run.json'), 'utf8')).runId).toBe(basename(path));
    }
  });

  it('of which all want one --out-dir: one gets it', async () => {
    const where = place();
    const outDir = join(dirname(where.treeTop), 'out');
    const contenders = await contend(
      Array.from({ length: 20 }, () => ({
        what: 'directory',
        request: { ...where, outDir, runId: newRunId() },
      })),
    );
    expect(contenders.filter(({ got }) => got !== null)).toHaveLength(1);
    for (const { got, refusal } of contenders) expect(got ?? refusal).toContain(outDir);
    expect(readdirSync(outDir).sort()).toEqual(['.reserve', 'run.json']);
  });
});
