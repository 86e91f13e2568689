import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateHome } from '../../src/core/state-home.ts';
import { publicationFolder } from '../../src/publishing/publication-folder.ts';
import { writeSkillFiles } from '../../src/publishing/publish.ts';
import { undoPublication } from '../../src/publishing/undo-publication.ts';
import { put, type Scene, scene, SKILL, skill, snapshot } from './publishing.ts';

const NEW = '.agents/skills/new/references/a.md';

/** A file that a person wrote is replaced by force, and one is new, in new folders. */
async function published(): Promise<{ at: Scene; before: ReturnType<typeof snapshot> }> {
  const at = scene({ [SKILL]: 'mine\n', 'src/index.ts': '' });
  chmodSync(join(at.root, SKILL), 0o640);
  const before = snapshot(at.root);
  const files = [skill('one'), skill('one', NEW)];
  await writeSkillFiles(at.root, files, { env: at.env, force: true });
  return { at, before };
}

function undo(at: Scene, force = false) {
  return undoPublication({ root: at.root, force, env: at.env });
}

describe('an undo', () => {
  it('gives old bytes and modes back, and removes new files and folders', async () => {
    const { at, before } = await published();
    // A mode that was changed since is no edit, and is given back as well.
    chmodSync(join(at.root, SKILL), 0o777);
    expect(await undo(at)).toEqual({
      publication: '1',
      recovered: null,
      files: [
        { path: SKILL, status: 'restored' },
        { path: NEW, status: 'removed' },
      ],
    });
    expect(snapshot(at.root)).toEqual(before);
  });

  it('leaves folders that hold something else', async () => {
    const { at } = await published();
    put(at.root, { '.agents/skills/mine.md': 'mine\n' });
    await undo(at);
    expect(readdirSync(join(at.root, '.agents/skills'))).toEqual(['mine.md']);
  });

  it('takes one publication back after the other, and then there is none', async () => {
    const { at, before } = await published();
    const first = snapshot(at.root);
    await writeSkillFiles(at.root, [skill('two'), skill('two', 'CLAUDE.md')], { env: at.env });
    expect((await undo(at)).publication).toBe('2');
    expect(snapshot(at.root)).toEqual(first);
    expect((await undo(at)).publication).toBe('1');
    expect(snapshot(at.root)).toEqual(before);
    await expect(undo(at)).rejects.toMatchObject({ code: 'nothing-to-undo' });
  });

  it('says that nothing was changed where the state folder cannot be made', async () => {
    const at = scene();
    put(at.root, { state: 'a file' });
    const env = { ...at.env, BATON_HOME: join(at.root, 'state') };
    await expect(undoPublication({ root: at.root, force: false, env })).rejects.toMatchObject({
      code: 'state-folder',
      message: expect.stringMatching(/^nothing was changed: .*state cannot be written: ENOTDIR/),
    });
  });

  it('keeps ten publications', async () => {
    const at = scene();
    for (let count = 1; count <= 12; count += 1)
      await writeSkillFiles(at.root, [skill(String(count))], { env: at.env });
    for (let count = 12; count > 2; count -= 1) expect((await undo(at)).publication).toBe(String(count));
    await expect(undo(at)).rejects.toMatchObject({ code: 'nothing-to-undo' });
  });

  it('is refused as a whole where a file was edited since, and named', async () => {
    const { at } = await published();
    put(at.root, { [NEW]: 'edited\n' });
    const before = snapshot(at.root);
    await expect(undo(at)).rejects.toMatchObject({
      code: 'edited-since',
      message: `nothing was undone: changed since it was published: ${NEW}`,
      hint: expect.stringContaining('--force'),
    });
    expect(snapshot(at.root)).toEqual(before);
  });

  it('with force takes an edited or a removed file back as well', async () => {
    const { at, before } = await published();
    put(at.root, { [NEW]: 'edited\n' });
    rmSync(join(at.root, '.claude'), { recursive: true });
    expect((await undo(at, true)).files.map(({ status }) => status)).toEqual(['restored', 'removed']);
    expect(snapshot(at.root)[SKILL]).toBe(before[SKILL]);
    expect(snapshot(at.root)[NEW]).toBeUndefined();
  });

  it('minds no file that is as before already', async () => {
    const { at, before } = await published();
    rmSync(join(at.root, '.agents'), { recursive: true });
    put(at.root, { [SKILL]: 'mine\n' });
    expect((await undo(at)).files.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
    expect(Object.keys(snapshot(at.root))).toEqual(Object.keys(before));
    await expect(undo(at)).rejects.toMatchObject({ code: 'nothing-to-undo' });
  });

  it('never goes through a link, by no force', async () => {
    const { at } = await published();
    rmSync(join(at.root, '.claude/skills/billing'), { recursive: true });
    mkdirSync(join(at.outside, 'billing'));
    put(at.outside, { 'billing/SKILL.md': skill('one').content });
    symlinkSync(join(at.outside, 'billing'), join(at.root, '.claude/skills/billing'));
    const before = [snapshot(at.root), snapshot(at.outside)];
    for (const force of [false, true])
      await expect(undo(at, force)).rejects.toMatchObject({ code: 'edited-since' });
    expect([snapshot(at.root), snapshot(at.outside)]).toEqual(before);
  });

  it('says so where the old bytes are gone, and changes nothing', async () => {
    const { at } = await published();
    const before = snapshot(at.root);
    rmSync(join(publicationFolder(stateHome(at.env), at.root), '1', '0'));
    await expect(undo(at)).rejects.toMatchObject({
      code: 'not-undone',
      message: expect.stringContaining(SKILL),
    });
    expect(snapshot(at.root)).toEqual(before);
  });

  it('keeps its copies where only this user can look', async () => {
    const { at } = await published();
    const folder = publicationFolder(stateHome(at.env), at.root);
    const modes = Object.values(snapshot(folder)).map((one) => one.split(' ')[1]);
    expect(new Set(modes)).toEqual(new Set(['700', '600']));
    expect(statSync(folder).mode & 0o077).toBe(0);
  });
});
