import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunDirectory } from '../../src/rundir/directory.ts';
import { findRun, listRuns } from '../../src/rundir/runs.ts';
import { runsFolder } from '../../src/rundir/state-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

const [FIRST, SECOND, THIRD] = [
  '20261130-100000-000-aaaaaaaa',
  '20261130-110000-000-bbbbbbbb',
  '20261201-090000-000-cccccccc',
] as const;

let tree: { stateHome: string; treeTop: string };
beforeEach(() => {
  const root = temporaryFolder();
  tree = { stateHome: join(root, 'state'), treeTop: join(root, 'tree') };
  mkdirSync(tree.treeTop);
});

function run(runId: string, outDir: string | null = null): string {
  const directory = createRunDirectory({ ...tree, outDir, runId });
  directory.close();
  return directory.path;
}

const idsOf = (): string[] => listRuns(tree).map(({ id }) => id);

describe('the runs of a tree', () => {
  it('are listed newest first, with those that have an --out-dir', () => {
    expect(listRuns(tree)).toEqual([]);
    const outDir = temporaryFolder();
    const first = run(FIRST);
    run(THIRD);
    run(SECOND, outDir);
    expect(idsOf()).toEqual([THIRD, SECOND, FIRST]);
    expect(listRuns(tree)[1]).toEqual({ id: SECOND, path: outDir });
    expect(listRuns(tree)[2]).toEqual({ id: FIRST, path: first });
  });

  it('are found through another spelling of the tree, and not from another tree', () => {
    run(FIRST);
    const link = `${tree.treeTop}-link`;
    symlinkSync(tree.treeTop, link);
    expect(listRuns({ ...tree, treeTop: link })).toHaveLength(1);
    expect(listRuns({ ...tree, treeTop: temporaryFolder() })).toEqual([]);
  });

  it('leave out what is gone, what the directory no longer holds, and what is no run', () => {
    const outDir = temporaryFolder();
    run(FIRST, outDir);
    run(SECOND, outDir);
    rmSync(run(THIRD), { recursive: true });
    writeFileSync(join(runsFolder(tree.stateHome, tree.treeTop), 'notes.json'), '{}');
    mkdirSync(join(runsFolder(tree.stateHome, tree.treeTop), '20261201-090000-000-dddddddd'));
    expect(idsOf()).toEqual([SECOND]);
  });
});

describe('one run', () => {
  it('is found by its id or the beginning of it, and is the newest without one', () => {
    run(FIRST);
    const second = run(SECOND);
    expect(findRun({ ...tree, id: FIRST }).id).toBe(FIRST);
    expect(findRun({ ...tree, id: '20261130-11' })).toEqual({ id: SECOND, path: second });
    expect(findRun({ ...tree, id: null }).id).toBe(SECOND);
  });

  it('is not guessed', () => {
    run(FIRST);
    run(SECOND);
    const failure = (id: string | null, code: string, text: string) =>
      expect(() => findRun({ ...tree, id })).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(text), hint: expect.any(String) }),
      );
    failure('20261130', 'ambiguous-run', `${SECOND}, ${FIRST}`);
    failure('2027', 'no-run', '"2027"');
    failure('../../etc', 'no-run', '"../../etc"');
    tree = { ...tree, treeTop: temporaryFolder() };
    failure(null, 'no-run', tree.treeTop);
  });

  it('says where it was when its directory is gone or holds another run', () => {
    const outDir = temporaryFolder();
    run(FIRST, outDir);
    run(SECOND, outDir);
    const gone = run(THIRD);
    rmSync(join(gone, 'run.json'));
    const failure = (id: string, text: string) =>
      expect(() => findRun({ ...tree, id })).toThrow(
        expect.objectContaining({ code: 'run-gone', message: expect.stringContaining(text) }),
      );
    failure(FIRST, `${outDir}, which now holds run ${SECOND}`);
    failure(THIRD, `${gone}, and is not there`);
    expect(findRun({ ...tree, id: null }).id).toBe(SECOND);
  });
});
