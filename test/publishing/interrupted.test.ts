import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateHome } from '../../src/core/state-home.ts';
import type { FileBlock } from '../../src/answers/file-block.ts';
import { publicationFolder } from '../../src/publishing/publication-folder.ts';
import { writeSkillFiles, writeTransformedFiles } from '../../src/publishing/publish.ts';
import type { PublishRecovery } from '../../src/publishing/publish-contract.ts';
import { recoverPublication } from '../../src/publishing/recover.ts';
import { RootFolder } from '../../src/publishing/root-folder.ts';
import { undoPublication } from '../../src/publishing/undo-publication.ts';
import { interrupt } from './interrupt.ts';
import type { Attempt } from './interrupted.ts';
import { litter, put, type Scene, scene, SKILL, skill, snapshot } from './publishing.ts';

const NESTED = 'src/a/AGENTS.md';
/** An update, an unchanged file, two new folders, a new file in the root. */
const FILES: FileBlock[] = [
  skill('two'),
  skill('one', 'CLAUDE.md'),
  skill('two', NESTED),
  skill('two', 'AGENTS.md'),
];

const NEW: { [path: string]: string } = Object.fromEntries(FILES.map(({ path, content }) => [path, content]));
/** The folder without anything that was published. */
const UNTOUCHED = { src: 'folder 755', 'src/index.ts': 'file 644 mine\n' };

/** Two files published, and one that a person wrote. */
async function prepared(): Promise<Scene> {
  const at = scene({ 'src/index.ts': 'mine\n' });
  chmodSync(join(at.root, 'src'), 0o755);
  chmodSync(join(at.root, 'src/index.ts'), 0o644);
  await writeSkillFiles(at.root, [skill('one'), skill('one', 'CLAUDE.md')], { env: at.env });
  return at;
}

function attempt(at: Scene, verb: Attempt['verb'], dieAt: Attempt['dieAt']): Attempt {
  return { verb, root: at.root, files: FILES, options: { env: at.env }, dieAt };
}

function folderOf(at: Scene): string {
  return publicationFolder(stateHome(at.env), at.root);
}

/** What the next command does, with the kills that `onStep` makes. */
function recover(at: Scene, onStep: (step: string) => void = () => {}): PublishRecovery | null {
  const root = RootFolder.open(at.root);
  try {
    return recoverPublication({ root, folder: folderOf(at), onStep });
  } finally {
    root.close();
  }
}

/** What the state folder holds when nothing is under way. */
function expectTidy(at: Scene): void {
  expect(litter(at.root)).toEqual([]);
  const names = readdirSync(folderOf(at)).filter((name) => !/^(?:[1-9]\d*|published\.json)$/.test(name));
  expect(names).toEqual([]);
}

async function stepsOf(verb: Attempt['verb']): Promise<number> {
  const at = await prepared();
  if (verb === 'undo') await writeTransformedFiles(at.root, FILES, { env: at.env });
  const { steps } = await interrupt(attempt(at, verb, 0));
  expect(steps).toBeGreaterThan(10);
  return steps;
}

describe('a publication that is killed', () => {
  it('at any step leaves each file the old or the new one, and is mended by the next command', async () => {
    const steps = await stepsOf('publish');
    const outcomes: string[] = [];
    for (let dieAt = 1; dieAt <= steps; dieAt += 1) {
      const at = await prepared();
      const before = snapshot(at.root);
      const { signal, step } = await interrupt(attempt(at, 'publish', dieAt));
      expect(signal).toBe('SIGKILL');
      const old = contents(at, before);
      for (const { path } of FILES) expect([old[path], NEW[path]]).toContain(contents(at)[path]);

      const recovery = recover(at);

      outcomes.push(`${step}: ${recovery?.outcome ?? 'nothing'}`);
      expect(recovery?.left ?? []).toEqual([]);
      const isNew = contents(at)['AGENTS.md'] !== undefined;
      expect(contents(at)).toEqual(isNew ? NEW : old);
      expect(recover(at)).toBeNull();
      // What was published can be undone, and what was not is no publication.
      const undone = await undoPublication({ root: at.root, force: false, env: at.env });
      expect(undone.publication).toBe(isNew ? '2' : '1');
      expect(snapshot(at.root)).toEqual(isNew ? before : UNTOUCHED);
      expectTidy(at);
    }
    // From the moment that the first file is in its place all can be completed; before that it is taken back.
    const placing = outcomes.findIndex((one) => one.startsWith('placing'));
    expect(outcomes.slice(0, placing).filter((one) => one.endsWith('completed'))).toEqual([]);
    expect(outcomes.slice(placing).filter((one) => one.endsWith('taken-back'))).toEqual([]);
    expect(outcomes).toContain('linked: completed');
  }, 120_000);

  it('is mended though the mending is killed as well, at any step', async () => {
    for (const lost of [false, true]) {
      for (let dieAt = 1; ; dieAt += 1) {
        const at = await prepared();
        const before = snapshot(at.root);
        await interrupt(attempt(at, 'publish', 'linked'));
        // Without what is staged it can only be taken back.
        if (lost) for (const path of litter(at.root)) rmSync(join(at.root, path));
        let steps = 0;
        const die = (): void => {
          steps += 1;
          if (steps === dieAt) throw new Error('killed');
        };
        const killed = attemptTo(() => recover(at, die));
        const again = recover(at);
        expect(again?.left ?? []).toEqual([]);
        expect(contents(at)).toEqual(lost ? contents(at, before) : NEW);
        expect(recover(at)).toBeNull();
        if (!killed) break;
      }
    }
  }, 120_000);

  it('never costs an edit that was made before it is mended', async () => {
    const at = await prepared();
    await interrupt(attempt(at, 'publish', 'placing'));
    put(at.root, { [SKILL]: 'edited meanwhile\n' });
    expect(recover(at)).toEqual({
      kind: 'publish',
      root: at.root,
      outcome: 'completed',
      mended: [NESTED, 'AGENTS.md'],
      left: [SKILL],
    });
    expect(contents(at)[SKILL]).toBe('edited meanwhile\n');
    const { files } = await undoPublication({ root: at.root, force: false, env: at.env });
    expect(files.map(({ path }) => path)).toEqual([NESTED, 'AGENTS.md']);
    expectTidy(at);
  });

  it('is taken back by an undo, which takes nothing else back', async () => {
    const at = await prepared();
    const before = snapshot(at.root);
    await interrupt(attempt(at, 'publish', 'staged'));
    const undone = await undoPublication({ root: at.root, force: false, env: at.env });
    expect(undone).toMatchObject({ publication: '2', recovered: { kind: 'publish', outcome: 'taken-back' } });
    expect(snapshot(at.root)).toEqual(before);
    expect((await undoPublication({ root: at.root, force: false, env: at.env })).publication).toBe('1');
  });

  it('is mended by the next one, which says so', async () => {
    const at = await prepared();
    await interrupt(attempt(at, 'publish', 'placed'));
    const next = await writeTransformedFiles(at.root, FILES, { env: at.env });
    expect(next.recovered).toMatchObject({ outcome: 'completed' });
    expect(next.files.map(({ status }) => status)).toEqual(Array(4).fill('unchanged'));
  });
});

describe('an undo that is killed', () => {
  it('at any step leaves each file the old or the new one, and is mended by the next undo', async () => {
    const steps = await stepsOf('undo');
    for (let dieAt = 1; dieAt <= steps; dieAt += 1) {
      const at = await prepared();
      const before = snapshot(at.root);
      await writeTransformedFiles(at.root, FILES, { env: at.env });
      const { signal, step } = await interrupt(attempt(at, 'undo', dieAt));
      expect(signal).toBe('SIGKILL');
      // Nothing is left to do where it died at its very end.
      const again =
        step === 'finished' ? null : await undoPublication({ root: at.root, force: false, env: at.env });
      expect(again?.publication ?? '2').toBe('2');
      expect(snapshot(at.root)).toEqual(before);
      expect(recover(at)).toBeNull();
      // The publication before is still there to be undone.
      const first = await undoPublication({ root: at.root, force: false, env: at.env });
      expect(first.publication).toBe('1');
      expect(snapshot(at.root)).toEqual(UNTOUCHED);
      expectTidy(at);
    }
  }, 120_000);
});

/** What the files hold that are published, now or in a snapshot. */
function contents(at: Scene, seen = snapshot(at.root)): { [path: string]: string } {
  const held = FILES.flatMap(({ path }) => {
    const found = seen[path];
    return found === undefined ? [] : [[path, found.replace(/^file \d+ /, '')]];
  });
  return Object.fromEntries(held);
}

function attemptTo(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
