import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newRunId } from '../../src/core/ids.ts';
import { acquireTreeLock, type TreeLock } from '../../src/rundir/tree-lock.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { contend } from './contenders.ts';

let root: string;
let where: { stateHome: string; treeTop: string };
const held: TreeLock[] = [];
beforeEach(() => {
  root = temporaryFolder();
  where = { stateHome: join(root, 'state'), treeTop: join(root, 'tree') };
  mkdirSync(where.treeTop);
  vi.stubEnv('TMPDIR', root);
});
afterEach(() => {
  for (const lock of held.splice(0)) lock.release();
  vi.unstubAllEnvs();
});

function acquire(runId = newRunId(), change: Partial<typeof where> = {}): TreeLock {
  const lock = acquireTreeLock({ ...where, ...change, runId });
  held.push(lock);
  return lock;
}

const locksIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
const stateLocks = (): string => join(where.stateHome, 'locks');
const tempLocks = (): string => join(root, `baton-locks-${process.getuid?.() ?? 'user'}`);

/** Replaces what the one lock in the state folder says about its holder. */
function rewriteHolder(change: object): void {
  const [name] = locksIn(stateLocks());
  const file = join(stateLocks(), name ?? '', 'holder.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
}

describe('one working tree', () => {
  it('has one write run: the second is refused with the first one named and the way out', () => {
    const first = newRunId();
    acquire(first);
    expect(() => acquire()).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: expect.stringMatching(new RegExp(`${first}, since \\d{4}-.*process ${process.pid}`)),
        hint: expect.stringContaining('git worktree add'),
      }),
    );
  });

  it('is free again after the release, and nothing stays behind', () => {
    const lock = acquire();
    lock.release();
    lock.release();
    expect(locksIn(stateLocks())).toEqual([]);
    acquire().release();
    expect(locksIn(tempLocks())).toEqual([]);
  });

  it('is the same tree through a link, and another one is another', () => {
    acquire();
    symlinkSync(where.treeTop, join(root, 'link'));
    expect(() => acquire(newRunId(), { treeTop: join(root, 'link') })).toThrow('a write run is at work');
    mkdirSync(join(root, 'other', 'tree'), { recursive: true });
    acquire(newRunId(), { treeTop: join(root, 'other', 'tree') });
  });

  it('keeps its lock where only we can reach it', () => {
    const before = process.umask(0);
    try {
      acquire();
    } finally {
      process.umask(before);
    }
    const [name] = locksIn(stateLocks());
    expect(statSync(stateLocks()).mode & 0o777).toBe(0o700);
    expect(statSync(join(stateLocks(), name ?? '')).mode & 0o777).toBe(0o700);
    expect(statSync(join(stateLocks(), name ?? '', 'holder.json')).mode & 0o777).toBe(0o600);
  });
});

describe('a lock whose holder is gone', () => {
  it.each([
    ['dead', { process: { pid: 2 ** 30, birth: null } }],
    ["another process with the holder's number", { process: { pid: process.pid, birth: 'another moment' } }],
    ['unreadable after a power cut', { process: 'half' }],
  ])('is taken over: %s', (_name, change) => {
    const first = acquire();
    rewriteHolder(change);
    const second = newRunId();
    const lock = acquire(second);
    expect(() => acquire()).toThrow(second);

    // The first one, were it alive after all, does not give away what is the second one's.
    first.release();
    expect(() => acquire()).toThrow(second);
    lock.release();
    expect(locksIn(stateLocks())).toEqual([]);
  });

  it('is taken over after a kill in the middle of giving it back, or of taking it over', () => {
    acquire();
    const [name = ''] = locksIn(stateLocks());
    const path = join(stateLocks(), name);
    rmSync(join(path, 'holder.json'));
    acquire().release();

    acquire();
    rewriteHolder({ process: { pid: 2 ** 30, birth: null } });
    mkdirSync(`${path}.takeover`);
    writeFileSync(join(`${path}.takeover`, 'holder.json'), readFileSync(join(path, 'holder.json')));
    acquire().release();
    expect(locksIn(stateLocks())).toEqual([]);
  });

  it('goes to one of many that want it at once, after a real kill', async () => {
    const tree = { ...where };
    const [victim] = await contend([{ what: 'tree-lock', request: { ...tree, runId: newRunId() } }]);
    expect(victim?.refusal).toBe(null);
    expect(() => acquire()).toThrow(victim?.got ?? '');
    await victim?.kill();

    for (let round = 0; round < 3; round += 1) {
      const contenders = await contend(
        Array.from({ length: 8 }, () => ({ what: 'tree-lock', request: { ...tree, runId: newRunId() } })),
      );
      const winners = contenders.filter(({ got }) => got !== null);
      expect(winners).toHaveLength(1);
      for (const { got, refusal } of contenders) expect(got ?? refusal).toContain(winners[0]?.got);
      await Promise.all(contenders.map((contender) => contender.kill()));
    }
    acquire().release();
    expect(locksIn(stateLocks())).toEqual([]);
  });
});

describe('something else in the place of a lock', () => {
  it.each(['link', 'file'])('is left untouched: a %s', (kind) => {
    acquire().release();
    acquire();
    const [name = ''] = locksIn(stateLocks());
    const path = join(stateLocks(), name);
    held.splice(0).at(-1)?.release();
    const victim = temporaryFolder();
    if (kind === 'link') symlinkSync(victim, path);
    else writeFileSync(path, 'mine');
    expect(() => acquire()).toThrow(path);
    expect(readdirSync(victim)).toEqual([]);
    expect(locksIn(stateLocks())).toEqual([name]);
  });
});

describe('where the state folder cannot be written', () => {
  beforeEach(() => writeFileSync(where.stateHome, 'a file'));

  it('the lock lies in a folder of our own under the temporary folder', () => {
    const first = newRunId();
    const lock = acquire(first);
    expect(statSync(tempLocks()).mode & 0o777).toBe(0o700);
    expect(locksIn(tempLocks())).toHaveLength(1);
    expect(() => acquire()).toThrow(first);
    lock.release();
    expect(locksIn(tempLocks())).toEqual([]);
  });

  it('that lock also holds against a run that can write the state folder', () => {
    const first = newRunId();
    acquire(first);
    rmSync(where.stateHome);
    expect(() => acquire()).toThrow(first);
    expect(locksIn(stateLocks())).toEqual([]);
  });

  it.each(['link', 'open to others'])('a folder that is not ours alone is not used: %s', (kind) => {
    if (kind === 'link') symlinkSync(temporaryFolder(), tempLocks());
    else mkdirSync(tempLocks(), { mode: 0o755 });
    expect(() => acquire()).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: expect.stringContaining(tempLocks()),
        hint: expect.stringContaining('BATON_HOME'),
      }),
    );
    expect(locksIn(tempLocks())).toEqual([]);
  });
});
