import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateHome } from '../../src/core/state-home.ts';
import type { FileBlock } from '../../src/answers/file-block.ts';
import { publicationFolder } from '../../src/publishing/publication-folder.ts';
import { publish } from '../../src/publishing/publish.ts';
import { recoverPublication } from '../../src/publishing/recover.ts';
import { RootFolder } from '../../src/publishing/root-folder.ts';
import { undoPublication } from '../../src/publishing/undo-publication.ts';
import { interrupt } from './interrupt.ts';
import { litter, put, type Scene, scene, SKILL, skill, snapshot } from './publishing.ts';

const OTHER = '.claude/skills/taxes/scripts/run.mjs';
const FILES: FileBlock[] = [skill(), { path: OTHER, content: 'run();\n' }];
const PATHS = FILES.map(({ path }) => path);

async function prepared(mark = false): Promise<Scene> {
  const at = scene({ 'README.md': 'mine\n' });
  await publish({ root: at.root, files: FILES, options: { env: at.env, mark }, nested: false });
  return at;
}

/** Removes these, and returns path and status of each, with the reason where there is one. */
async function removed(at: Scene, paths: readonly string[] = PATHS, files: FileBlock[] = []) {
  const outcome = await publish({
    root: at.root,
    files,
    removed: paths,
    options: { env: at.env, force: true },
    nested: false,
  });
  return outcome.files.map(({ path, status, reason }) =>
    [path, status, ...(reason ? [reason] : [])].join(': '),
  );
}

describe('files that are to go', () => {
  it('go, with the folders that are empty then, and undo brings them back', async () => {
    const at = await prepared();
    const before = snapshot(at.root);
    expect(await removed(at)).toEqual([`${SKILL}: removed`, `${OTHER}: removed`]);
    expect(Object.keys(snapshot(at.root))).toEqual(['README.md']);
    const { files } = await undoPublication({ root: at.root, force: false, env: at.env });
    expect(files.map(({ status }) => status)).toEqual(['restored', 'restored']);
    expect(snapshot(at.root)).toEqual(before);
  });

  it('go together with others being written', async () => {
    const at = await prepared();
    const kept = '.claude/skills/taxes/SKILL.md';
    expect(await removed(at, [OTHER], [skill('new', kept)])).toEqual([
      `${kept}: created`,
      `${OTHER}: removed`,
    ]);
    expect(Object.keys(snapshot(at.root))).toContain(kept);
    expect(Object.keys(snapshot(at.root))).not.toContain('.claude/skills/taxes/scripts');
  });

  it('are known by their marks where nothing is recorded', async () => {
    const at = await prepared(true);
    const clone = scene();
    put(
      clone.root,
      Object.fromEntries(PATHS.map((path) => [path, readFileSync(join(at.root, path), 'utf8')])),
    );
    expect(await removed(clone)).toEqual([`${SKILL}: removed`, `${OTHER}: removed`]);
  });

  it('stay where a person edited or wrote them, whatever is forced', async () => {
    const at = await prepared();
    appendFileSync(join(at.root, SKILL), 'mine\n');
    put(at.root, { '.claude/skills/mine/SKILL.md': 'mine\n' });
    expect(
      await removed(at, [SKILL, '.claude/skills/mine/SKILL.md', '.claude/skills/none/SKILL.md']),
    ).toEqual([
      `${SKILL}: skipped: it was edited since baton wrote it: it stays`,
      '.claude/skills/mine/SKILL.md: skipped: baton did not write it: it stays',
    ]);
    expect(readFileSync(join(at.root, SKILL), 'utf8')).toMatch(/mine\n$/);
  });

  it('are never reached through a link, or outside of what may be written', async () => {
    const at = await prepared(true);
    mkdirSync(join(at.outside, 'skills/billing'), { recursive: true });
    writeFileSync(join(at.outside, 'skills/billing/SKILL.md'), readFileSync(join(at.root, SKILL)));
    const other = scene();
    symlinkSync(at.outside, join(other.root, '.claude'));
    const [link, ...rest] = await removed(other, [SKILL, '../victim', '.git/config', 'README.md']);
    expect(link).toBe(`${SKILL}: skipped: .claude is a symbolic link: nothing is written through one`);
    expect(rest).toHaveLength(3);
    expect(rest.filter((line) => !line.includes(': skipped: '))).toEqual([]);
    expect(Object.keys(snapshot(at.outside))).toContain('skills/billing/SKILL.md');
  });

  it('are all there or all gone after a kill at any step, once the next command has mended it', async () => {
    const outcomes = new Set<string>();
    for (let dieAt = 1; ; dieAt += 1) {
      const at = await prepared();
      const before = snapshot(at.root);
      const options = { env: at.env };
      const attempt = { verb: 'publish', root: at.root, files: [], removed: PATHS, options, dieAt } as const;
      const { signal } = await interrupt(attempt);
      if (signal === null) break;
      const root = RootFolder.open(at.root);
      const folder = publicationFolder(stateHome(at.env), at.root);
      recoverPublication({ root, folder, onStep: () => {} });
      root.close();
      const after = snapshot(at.root);
      const gone = after[SKILL] === undefined;
      outcomes.add(gone ? 'gone' : 'there');
      expect(after).toEqual(gone ? { 'README.md': before['README.md'] } : before);
      expect(litter(at.root)).toEqual([]);
    }
    expect(outcomes).toEqual(new Set(['gone', 'there']));
  }, 120_000);
});
