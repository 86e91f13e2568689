import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publish, writeSkillFiles, writeTransformedFiles } from '../../src/publishing/publish.ts';
import type { PublishOptions } from '../../src/publishing/publish-contract.ts';
import { litter, put, type Scene, scene, SKILL, skill, snapshot } from './publishing.ts';

/** Path and status of each file, with the reason where there is one. */
async function written(at: Scene, paths: readonly string[], options: PublishOptions = {}): Promise<string[]> {
  const files = paths.map((path) => skill('one', path));
  const outcome = await writeTransformedFiles(at.root, files, { env: at.env, ...options });
  return outcome.files.map(({ path, status, reason }) =>
    [path, status, ...(reason ? [reason] : [])].join(': '),
  );
}

describe('what is published', () => {
  it('is the bytes that were given, with the mode of a new file', async () => {
    const at = scene();
    const given = skill('one\r\ntwo 中🧩');
    const outcome = await writeSkillFiles(at.root, [given], { env: at.env });
    expect(outcome).toEqual({
      files: [{ path: SKILL, status: 'created' }],
      publication: '1',
      recovered: null,
    });
    expect(readFileSync(join(at.root, SKILL), 'utf8')).toBe(given.content);
    put(at.root, { probe: '' });
    expect(statSync(join(at.root, SKILL)).mode).toBe(statSync(join(at.root, 'probe')).mode);
    expect(litter(at.root)).toEqual([]);
  });

  it('keeps the mode and the owner of a file that it replaces', async ({ skip }) => {
    const at = scene();
    await writeSkillFiles(at.root, [skill()], { env: at.env });
    const file = join(at.root, SKILL);
    chmodSync(file, 0o4751);
    const asRoot = process.getuid?.() === 0;
    if (asRoot) spawnSync('chown', ['1234:4321', file]);
    chmodSync(file, 0o4751);
    await writeSkillFiles(at.root, [skill('two')], { env: at.env });
    expect(statSync(file).mode & 0o7777).toBe(0o4751);
    if (!asRoot) return skip('only root can give files away');
    expect(statSync(file)).toMatchObject({ uid: 1234, gid: 4321 });
    return undefined;
  });

  it('is created, updated, unchanged, in the order that was given', async () => {
    const at = scene();
    await writeSkillFiles(at.root, [skill('one'), skill('one', 'CLAUDE.md')], { env: at.env });
    const files = [skill('one', 'AGENTS.md'), skill('two'), skill('one', 'CLAUDE.md')];
    const { files: second } = await writeSkillFiles(at.root, files, { env: at.env });
    expect(second.map(({ status }) => status)).toEqual(['created', 'updated', 'unchanged']);
  });

  it('goes below the root only by targets that were chosen', async () => {
    const at = scene();
    expect(await written(at, ['.agents/skills/a/SKILL.md', 'CLAUDE.md'], { targets: ['claude'] })).toEqual([
      expect.stringMatching(/^\.agents\/skills\/a\/SKILL\.md: skipped: /),
      'CLAUDE.md: created',
    ]);
  });

  it('has instruction files below the root only where they are asked for', async () => {
    const at = scene();
    const files = [skill('one', 'src/billing/AGENTS.md')];
    const first = await writeSkillFiles(at.root, files, { env: at.env });
    expect(first.files[0]?.status).toBe('skipped');
    const second = await writeTransformedFiles(at.root, files, { env: at.env });
    expect(second.files[0]?.status).toBe('created');
  });

  it('is never blank', async () => {
    const at = scene();
    const files = [{ path: SKILL, content: ' \n\n' }];
    const { files: outcome, publication } = await writeSkillFiles(at.root, files, {
      env: at.env,
      mark: true,
    });
    expect(outcome[0]).toMatchObject({ status: 'skipped', reason: expect.stringContaining('blank') });
    expect(publication).toBeNull();
    expect(snapshot(at.root)).toEqual({});
  });

  it('is nothing where two files are for one place, or one is to be the folder of the other', async () => {
    const at = scene();
    const paths = [
      '.claude/skills/a/SKILL.md',
      '.claude/skills/a/skill.md',
      '.claude/skills/b',
      '.claude/skills/b/c',
    ];
    expect(await written(at, paths)).toEqual([
      '.claude/skills/a/SKILL.md: skipped: several of the files that were given are for this place',
      '.claude/skills/a/SKILL.md: skipped: several of the files that were given are for this place',
      '.claude/skills/b: created',
      '.claude/skills/b/c: skipped: .claude/skills/b is to be a file',
    ]);
  });
});

describe('a dry run', () => {
  it('shows the exact bytes and a diff, and writes nothing, not even a record', async () => {
    const at = scene();
    await writeSkillFiles(at.root, [skill('one')], { env: at.env });
    const before = [snapshot(at.root), snapshot(at.env['BATON_HOME'] ?? '')];
    const files = [skill('two'), skill('new', 'AGENTS.md'), skill('x', '../AGENTS.md')];
    const outcome = await writeSkillFiles(at.root, files, { env: at.env, dryRun: true });
    expect(outcome.files[0]).toEqual({
      path: SKILL,
      status: 'would-update',
      content: skill('two').content,
      diff: `--- a/${SKILL}\n+++ b/${SKILL}\n@@ -1,6 +1,6 @@\n ---\n name: billing\n-description: one\n+description: two\n ---\n \n-Body one.\n+Body two.\n`,
    });
    expect(outcome.files[1]).toMatchObject({
      path: 'AGENTS.md',
      status: 'would-create',
      diff: expect.stringMatching(/^--- \/dev\/null\n\+\+\+ b\/AGENTS\.md\n@@ -0,0 \+1,6 @@\n\+---\n/),
    });
    expect(outcome.files[2]?.status).toBe('skipped');
    expect([snapshot(at.root), snapshot(at.env['BATON_HOME'] ?? '')]).toEqual(before);
  });

  it('shows what is published then', async () => {
    const at = scene();
    const options = { env: at.env, mark: true };
    const shown = await writeSkillFiles(at.root, [skill()], { ...options, dryRun: true });
    await writeSkillFiles(at.root, [skill()], options);
    expect(readFileSync(join(at.root, SKILL), 'utf8')).toBe(shown.files[0]?.content);
  });
});

describe('a file that a person wrote', () => {
  it('is skipped, and written with force', async () => {
    const at = scene({ 'CLAUDE.md': 'mine\n' });
    const outcome = await writeSkillFiles(at.root, [skill('one', 'CLAUDE.md')], { env: at.env });
    expect(outcome.files[0]).toEqual({
      path: 'CLAUDE.md',
      status: 'skipped',
      reason: 'it is there already, and nothing says that baton generated it',
      forcible: true,
    });
    expect(readFileSync(join(at.root, 'CLAUDE.md'), 'utf8')).toBe('mine\n');
    expect(await written(at, ['CLAUDE.md'], { force: true })).toEqual(['CLAUDE.md: updated']);
  });

  it('or edited since it was generated, too', async () => {
    const at = scene();
    await written(at, [SKILL]);
    put(at.root, { [SKILL]: 'edited\n' });
    expect(await written(at, [SKILL])).toEqual([`${SKILL}: skipped: it was edited since baton generated it`]);
    expect(await written(at, [SKILL], { force: true })).toEqual([`${SKILL}: updated`]);
  });

  it('is told from an older version that baton generated (another branch, other line ends)', async () => {
    const at = scene();
    const first = skill('one').content;
    for (const text of ['one', 'two']) await writeSkillFiles(at.root, [skill(text)], { env: at.env });
    put(at.root, { [SKILL]: first.replaceAll('\n', '\r\n') });
    const outcome = await writeSkillFiles(at.root, [skill('three')], { env: at.env });
    expect(outcome.files[0]?.status).toBe('updated');
  });

  it('is told by its mark in a clone, where nothing is recorded', async () => {
    const at = scene();
    const files = [skill('one'), skill('one', 'AGENTS.md')];
    await writeSkillFiles(at.root, files, { env: at.env, mark: true });
    put(at.root, { 'AGENTS.md': `${readFileSync(join(at.root, 'AGENTS.md'), 'utf8')}edited\n` });
    const clone = { ...at.env, BATON_HOME: scene().root };
    const next = [skill('two'), skill('two', 'AGENTS.md')];
    const outcome = await writeSkillFiles(at.root, next, { env: clone, mark: true });
    expect(outcome.files.map(({ status }) => status)).toEqual(['updated', 'skipped']);
  });
});

describe('J10 names that differ in case alone', () => {
  it('are one file, in the spelling that is there', async () => {
    const at = scene();
    put(at.root, { '.claude/skills/Billing/skill.md': 'mine\n' });
    expect(await written(at, [SKILL], { force: true })).toEqual(['.claude/skills/Billing/skill.md: updated']);
    expect(readdirSync(join(at.root, '.claude/skills'))).toEqual(['Billing']);
    expect(readdirSync(join(at.root, '.claude/skills/Billing'))).toEqual(['skill.md']);
  });

  it('are two where both are there already, and the one that was named is meant', async ({ skip }) => {
    const at = scene();
    put(at.root, { '.claude/skills/billing/skill.md': 'a\n', [SKILL]: 'b\n' });
    if (readdirSync(join(at.root, '.claude/skills/billing')).length === 1)
      return skip('case does not count here');
    expect(await written(at, [SKILL], { force: true })).toEqual([`${SKILL}: updated`]);
    return undefined;
  });

  it('are not made by one publication', async () => {
    const at = scene();
    const paths = ['.claude/skills/pay/SKILL.md', '.claude/skills/Pay/references/a.md'];
    expect(await written(at, paths)).toEqual([
      '.claude/skills/pay/SKILL.md: created',
      '.claude/skills/pay/references/a.md: created',
    ]);
  });
});

describe('J7 what leads elsewhere', () => {
  it.each([
    '../x',
    '/tmp/x',
    '.claude/skills/../../x',
    'C:\\x',
    '.claude/skills/a/../../../CLAUDE.md',
    '.git/config',
  ])('is refused: %s', async (path) => {
    const at = scene();
    expect((await written(at, [path]))[0]).toMatch(/: skipped: /);
    expect(snapshot(at.root)).toEqual({});
  });

  it('such as a linked folder is not written through, and neither is a linked file', async () => {
    const at = scene();
    mkdirSync(join(at.root, '.claude/skills'), { recursive: true });
    symlinkSync(at.outside, join(at.root, '.claude/skills/s'));
    symlinkSync(at.root, join(at.root, '.claude/skills/inside'));
    symlinkSync(join(at.outside, 'victim'), join(at.root, 'CLAUDE.md'));
    symlinkSync(join(at.outside, 'new'), join(at.root, 'AGENTS.md'));
    const before = [snapshot(at.root), snapshot(at.outside)];
    const paths = ['.claude/skills/s/SKILL.md', '.claude/skills/inside/SKILL.md', 'CLAUDE.md', 'AGENTS.md'];
    expect(await written(at, paths, { force: true })).toEqual([
      '.claude/skills/s/SKILL.md: skipped: .claude/skills/s is a symbolic link: nothing is written through one',
      '.claude/skills/inside/SKILL.md: skipped: .claude/skills/inside is a symbolic link: nothing is written through one',
      'CLAUDE.md: skipped: it is a symbolic link: nothing is written through one',
      'AGENTS.md: skipped: it is a symbolic link: nothing is written through one',
    ]);
    expect([snapshot(at.root), snapshot(at.outside)]).toEqual(before);
  });

  it('such as a second name of a file outside is replaced, and the file outside is not written', async () => {
    const at = scene();
    linkSync(join(at.outside, 'victim'), join(at.root, 'CLAUDE.md'));
    const before = snapshot(at.outside);
    expect(await written(at, ['CLAUDE.md'], { force: true })).toEqual(['CLAUDE.md: updated']);
    expect(snapshot(at.outside)).toEqual(before);
  });

  it('is looked at step by step where there are no descriptors to hold', async () => {
    const at = scene();
    mkdirSync(join(at.root, '.claude/skills'), { recursive: true });
    symlinkSync(at.outside, join(at.root, '.claude/skills/s'));
    const outcome = await publish({
      root: at.root,
      files: [skill('one', '.claude/skills/s/SKILL.md'), skill()],
      options: { env: at.env },
      nested: false,
      platform: 'darwin',
    });
    expect(outcome.files).toEqual([
      {
        path: '.claude/skills/s/SKILL.md',
        status: 'skipped',
        reason: '.claude/skills/s is a symbolic link: nothing is written through one',
      },
      { path: SKILL, status: 'created' },
    ]);
    expect(Object.keys(snapshot(at.outside))).toEqual(['victim']);
  });

  it.each(['linux', 'darwin'] as const)(
    'a folder that is swapped for a link is reported: %s',
    async (platform) => {
      const at = scene();
      const [folder, aside] = [join(at.root, '.claude/skills/billing'), join(at.root, 'aside')];
      mkdirSync(folder, { recursive: true });
      let swapped = false;
      const outcome = await publish({
        root: at.root,
        files: [skill()],
        options: { env: at.env },
        nested: false,
        platform,
        onStep: (step) => {
          // The last moment at which somebody can: the staged file has just been linked to its name.
          if (step !== 'placed' || swapped) return;
          swapped = true;
          renameSync(folder, aside);
          symlinkSync(at.outside, folder);
        },
      });
      expect(outcome.files[0]).toMatchObject({ path: SKILL, status: 'skipped' });
      expect(outcome.files[0]?.reason).toContain('replaced while it was written');
      expect(outcome.publication).toBeNull();
      expect(Object.keys(snapshot(at.outside))).toEqual(['victim']);
    },
  );

  it('the root may itself be reached through a link', async () => {
    const at = scene();
    const link = join(at.outside, 'root');
    symlinkSync(at.root, link);
    const outcome = await writeSkillFiles(link, [skill()], { env: at.env });
    expect(outcome.files[0]?.status).toBe('created');
  });

  it('a root that is none is bad use', async () => {
    const at = scene({ file: '' });
    for (const root of ['missing', 'file']) {
      await expect(writeSkillFiles(join(at.root, root), [skill()], { env: at.env })).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringContaining(root),
      });
    }
  });
});

describe('what has the name already', () => {
  it('a folder or a FIFO, or a file where a folder is to be, is left as it is, and the rest is published', async () => {
    const at = scene({ '.claude/skills/a/SKILL.md/x': '', '.claude/skills/b': 'a file\n' });
    mkdirSync(join(at.root, '.claude/skills/c'));
    spawnSync('mkfifo', [join(at.root, '.claude/skills/c/SKILL.md')]);
    const paths = ['a', 'b', 'c', 'd'].map((name) => `.claude/skills/${name}/SKILL.md`);
    expect(await written(at, paths, { force: true })).toEqual([
      '.claude/skills/a/SKILL.md: skipped: a folder has this name',
      '.claude/skills/b/SKILL.md: skipped: .claude/skills/b is no folder',
      '.claude/skills/c/SKILL.md: skipped: a FIFO has this name',
      '.claude/skills/d/SKILL.md: created',
    ]);
    expect(lstatSync(join(at.root, '.claude/skills/c/SKILL.md')).isFIFO()).toBe(true);
  });

  it('a device is not even opened', async ({ skip }) => {
    const at = scene();
    const made = spawnSync('mknod', [join(at.root, 'CLAUDE.md'), 'c', '1', '5']);
    if (made.status !== 0) return skip('only root can make a device');
    expect(await written(at, ['CLAUDE.md'], { force: true })).toEqual([
      'CLAUDE.md: skipped: a device has this name',
    ]);
    return undefined;
  });

  it('a person who saves a new file in the last moment keeps it', async () => {
    const at = scene();
    const outcome = await publish({
      root: at.root,
      files: [skill()],
      options: { env: at.env },
      nested: false,
      onStep: (step) => {
        if (step === 'placing') writeFileSync(join(at.root, SKILL), 'saved just now\n');
      },
    });
    expect(outcome.files[0]).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('was changed'),
    });
    expect(readFileSync(join(at.root, SKILL), 'utf8')).toBe('saved just now\n');
    expect(litter(at.root)).toEqual([]);
  });

  it('a staged file that somebody touched is not published', async () => {
    const at = scene({});
    const folder = join(at.root, '.claude/skills/billing');
    const outcome = await publish({
      root: at.root,
      files: [skill()],
      options: { env: at.env },
      nested: false,
      onStep: (step) => {
        if (step !== 'placing') return;
        for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'not what was given\n');
      },
    });
    expect(outcome.files[0]?.status).toBe('skipped');
    expect(existsSync(join(at.root, SKILL))).toBe(false);
  });
});

it('without a state folder that can be written nothing is published, and a dry run works', async () => {
  const at = scene();
  const env = { ...at.env, BATON_HOME: join(at.outside, 'victim', 'state') };
  await expect(writeSkillFiles(at.root, [skill()], { env })).rejects.toMatchObject({
    code: 'state-folder',
    hint: expect.stringContaining('BATON_HOME'),
  });
  expect(snapshot(at.root)).toEqual({});
  const shown = await writeSkillFiles(at.root, [skill()], { env, dryRun: true });
  expect(shown.files[0]?.status).toBe('would-create');
  rmSync(at.outside, { recursive: true });
});
