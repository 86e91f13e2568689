import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { systemCode } from '../../src/core/errors.ts';
import { newRunId } from '../../src/core/ids.ts';
import { publish, writeSkillFiles } from '../../src/publishing/publish.ts';
import { undoPublication } from '../../src/publishing/undo-publication.ts';
import { acquireTreeLock } from '../../src/rundir/tree-lock.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { interrupt } from './interrupt.ts';
import { litter, put, type Scene, scene, SKILL, skill, snapshot } from './publishing.ts';

const BIG = 'x'.repeat(600_000);

describe('two that publish at once', () => {
  it('do so one after the other: all files are of one of them, and nothing is left over', async () => {
    const at = scene();
    const startSignal = join(temporaryFolder(), 'go');
    const writers = ['a', 'b', 'c'].map((text) => {
      const files = ['CLAUDE.md', 'AGENTS.md', SKILL].map((path) => skill(text, path));
      const options = { env: at.env };
      return interrupt({ verb: 'publish', root: at.root, files, options, dieAt: 0, startSignal, times: 3 });
    });
    writeFileSync(startSignal, '');
    await Promise.all(writers);
    const held = ['CLAUDE.md', 'AGENTS.md', SKILL].map((path) => readFileSync(join(at.root, path), 'utf8'));
    expect(new Set(held).size).toBe(1);
    expect(litter(at.root)).toEqual([]);
    expect(readdirSync(join(at.env['BATON_HOME'] ?? '', 'locks'))).toEqual([]);
  });

  it('in one process too', async () => {
    const at = scene();
    const texts = ['a', 'b', 'c'];
    const outcomes = await Promise.all(
      texts.map((text) => writeSkillFiles(at.root, [skill(text)], { env: at.env })),
    );
    expect(new Set(outcomes.map(({ publication }) => publication))).toEqual(new Set(['1', '2', '3']));
  });

  it('take the lock of one that was killed', async () => {
    const at = scene();
    const files = [skill()];
    await interrupt({ verb: 'publish', root: at.root, files, options: { env: at.env }, dieAt: 2 });
    expect(readdirSync(join(at.env['BATON_HOME'] ?? '', 'locks')).length).toBeGreaterThan(0);
    const outcome = await writeSkillFiles(at.root, files, { env: at.env });
    expect(outcome.files[0]?.status).toBe('created');
  });

  it('are refused while a write run is at work, whose evidence it would spoil', async () => {
    const at = scene();
    const lock = acquireTreeLock({
      stateHome: at.env['BATON_HOME'] ?? '',
      treeTop: at.root,
      runId: newRunId(),
    });
    onTestFinished(() => lock.release());
    await expect(writeSkillFiles(at.root, [skill()], { env: at.env })).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('a write run is at work'),
    });
    expect(snapshot(at.root)).toEqual({});
  });
});

describe('a full disk', () => {
  it('under the root: nothing was changed, nothing is left over, and it is said', async (context) => {
    const at = { ...scene(), root: smallDisk(context) };
    await writeSkillFiles(at.root, [skill('one'), skill('one', 'CLAUDE.md')], { env: at.env });
    const filler = fill(at.root, 100_000);
    const before = snapshot(at.root);
    const files = [skill('two', 'CLAUDE.md'), skill(BIG), skill('two', 'AGENTS.md')];
    await expect(writeSkillFiles(at.root, files, { env: at.env })).rejects.toMatchObject({
      code: 'publish',
      message: expect.stringMatching(/nothing was changed: ENOSPC/),
      hint: expect.stringContaining('make room'),
    });
    expect(snapshot(at.root)).toEqual(before);
    rmSync(filler);
    const outcome = await writeSkillFiles(at.root, files, { env: at.env });
    expect(outcome.files.map(({ status }) => status)).toEqual(['updated', 'updated', 'created']);
  });

  it.for([0, 2_000, 6_000, 20_000])(
    'under the state folder, with %i bytes left: the same',
    async (room, context) => {
      const state = smallDisk(context);
      const at = scene();
      const env = { ...at.env, BATON_HOME: state };
      await writeSkillFiles(at.root, [skill('one')], { env });
      const before = snapshot(at.root);
      const filler = fill(state, room);
      await expect(
        writeSkillFiles(at.root, [skill('two'), skill(BIG, 'AGENTS.md')], { env }),
      ).rejects.toMatchObject({
        name: 'BatonError',
      });
      expect(snapshot(at.root)).toEqual(before);
      rmSync(filler);
      const outcome = await writeSkillFiles(at.root, [skill('two')], { env });
      expect(outcome.files[0]?.status).toBe('updated');
    },
  );
});

describe('what may not be written', () => {
  it('a folder without permission is skipped, and the rest is published', async () => {
    const at = scene({ '.claude/skills/a/SKILL.md': 'a\n', '.agents/skills/keep': '' });
    for (const path of ['.claude/skills/a', '.agents/skills']) chmodSync(join(at.root, path), 0o555);
    onTestFinished(() => {
      for (const path of ['.claude/skills/a', '.agents/skills']) chmodSync(join(at.root, path), 0o755);
    });
    const paths = ['.claude/skills/a/SKILL.md', '.agents/skills/b/SKILL.md', 'AGENTS.md'];
    const outcome = await asOrdinaryUser(at, paths);
    expect(outcome).toEqual([
      '.claude/skills/a/SKILL.md: skipped: it cannot be written: EACCES',
      '.agents/skills/b/SKILL.md: skipped: it cannot be written: EACCES',
      'AGENTS.md: created',
    ]);
    expect(readFileSync(join(at.root, '.claude/skills/a/SKILL.md'), 'utf8')).toBe('a\n');
    expect(litter(at.root)).toEqual([]);
  });

  it('an undo in a folder without permission is refused as a whole, and works later', async () => {
    const at = scene({ 'src/index.ts': '' });
    const before = snapshot(at.root);
    await writeSkillFiles(at.root, [skill(), skill('one', 'AGENTS.md')], { env: at.env });
    const published = snapshot(at.root);
    const folder = join(at.root, dirname(SKILL));
    const { mode } = statSync(folder);
    chmodSync(folder, 0o555);
    const undo = () => undoPublication({ root: at.root, force: false, env: at.env });
    await expect(withoutPrivileges(at, undo)).rejects.toMatchObject({
      code: 'publish',
      message: expect.stringMatching(/^the undo failed, nothing was changed: EACCES/),
    });
    chmodSync(folder, mode & 0o7777);
    expect(snapshot(at.root)).toEqual(published);
    await undo();
    expect(snapshot(at.root)).toEqual(before);
  });

  it('a file that cannot be read is skipped', async () => {
    const at = scene({ 'CLAUDE.md': 'secret\n' });
    chmodSync(join(at.root, 'CLAUDE.md'), 0o000);
    expect(await asOrdinaryUser(at, ['CLAUDE.md'])).toEqual([
      'CLAUDE.md: skipped: it cannot be read: EACCES',
    ]);
  });

  it('a read-only file system is said for each file', async (context) => {
    const at = { ...scene(), root: smallDisk(context) };
    put(at.root, { 'CLAUDE.md': 'old\n' });
    if (spawnSync('mount', ['-o', 'remount,ro', at.root]).status !== 0)
      context.skip('it cannot be remounted');
    const files = [skill('one', 'CLAUDE.md'), skill()];
    const outcome = await writeSkillFiles(at.root, files, { env: at.env, force: true });
    expect(outcome.files.map(({ reason }) => reason)).toEqual([
      'it cannot be written: EROFS',
      'it cannot be written: EROFS',
    ]);
    expect(outcome.publication).toBeNull();
  });
});

it('an error between two renames takes back what was written', async () => {
  const at = scene();
  await writeSkillFiles(at.root, [skill('one')], { env: at.env });
  const before = snapshot(at.root);
  let placed = 0;
  const failing = publish({
    root: at.root,
    files: [skill('two'), skill('two', 'AGENTS.md'), skill('two', 'CLAUDE.md')],
    options: { env: at.env },
    nested: false,
    onStep: (step) => {
      placed += Number(step === 'placed');
      if (step === 'placed' && placed === 2)
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    },
  });
  await expect(failing).rejects.toMatchObject({
    code: 'publish',
    message: 'publishing failed, nothing was changed: EIO: i/o error',
  });
  expect(snapshot(at.root)).toEqual(before);
  const again = await writeSkillFiles(at.root, [skill('two')], { env: at.env });
  expect(again.recovered).toBeNull();
});

/** Publishes with force, as a user whom permissions stop. */
function asOrdinaryUser(at: Scene, paths: readonly string[]): Promise<string[]> {
  const files = paths.map((path) => skill('one', path));
  return withoutPrivileges(at, async () => {
    const { files: outcome } = await writeSkillFiles(at.root, files, { env: at.env, force: true });
    return outcome.map(({ path, status, reason }) => [path, status, ...(reason ? [reason] : [])].join(': '));
  });
}

/** Root may write everywhere: it becomes somebody else for the moment, whose all of it is. */
async function withoutPrivileges<T>(at: Scene, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  const folders = [at.root, at.env['BATON_HOME'] ?? ''];
  spawnSync('chown', ['-R', '65534:65534', ...folders]);
  for (const folder of folders) openTheWayTo(folder);
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** Another user must be able to enter the folders above, up to that for temporary files. */
function openTheWayTo(folder: string): void {
  for (let above = dirname(folder); above.startsWith(tmpdir()); above = dirname(above))
    chmodSync(above, statSync(above).mode | 0o011);
}

/** A file system of 4 MiB, where this machine lets us mount one. */
function smallDisk(context: TestContext): string {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { encoding: 'utf8' });
  if (mount.status !== 0) {
    context.skip(`a small file system cannot be mounted here: ${mount.stderr || mount.error?.message}`);
  }
  onTestFinished(() => {
    spawnSync('umount', [disk]);
  });
  return disk;
}

/** Writes until no more than so many bytes fit; returns the file that takes the room. */
function fill(folder: string, leave: number): string {
  const filler = join(folder, 'filler');
  for (let size = 1024 ** 2; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if (systemCode(error) !== 'ENOSPC') throw error;
    }
  }
  expect(existsSync(filler)).toBe(true);
  truncateSync(filler, statSync(filler).size - leave);
  return filler;
}
