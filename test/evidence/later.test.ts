import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { observe } from '../../src/evidence/observe.ts';
import { type LaterLook, lookLater } from '../../src/evidence/later.ts';
import { locateRepository } from '../../src/git/locate.ts';
import type { Repository } from '../../src/git/repository.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

interface Finished {
  later: LaterLook;
  beforeTree: string;
  afterTree: string;
  runDir: string;
}

/** A run that does this, and the look at it later. */
async function finishedRun(
  repository: TestRepository,
  work: () => void,
  runDir = temporaryFolder(),
): Promise<Finished> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: temporaryFolder() };
  const found = await locateRepository(repository.dir, env, 30_000);
  if ('problem' in found) throw new Error(found.detail);
  const located: Repository = found;
  const limits = { maxUntrackedBytes: 1000, gitTimeoutMs: 60_000 };
  const seen = await observe({
    repository: located,
    cwd: repository.dir,
    runDir,
    profile: 'write',
    touch: [],
    env,
    limits,
  });
  work();
  const { evidence } = await seen.after({ killed: false, possible: () => true, gaps: [] });
  const { beforeTree, afterTree, baseCommit } = evidence;
  if (beforeTree === null || afterTree === null) throw new Error(evidence.coverage.gaps.join());
  const later = await lookLater({ repository: located, runDir, name: 'test', baseCommit, env, ...limits });
  return { later, beforeTree, afterTree, runDir };
}

it('sees the tree that the run left, on a dirty tree with odd files, until something changes', async () => {
  const repository = makeRepository({
    files: { '.gitignore': 'out/\n', 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
  });
  repository.write({ 'staged.txt': 's\n', 'a.txt': 'dirty\n', 'out/x': 'ignored\n' });
  repository.git('add', 'staged.txt');
  repository.git('update-index', '--skip-worktree', 'c.txt');
  repository.write({ 'large.bin': Buffer.alloc(5000), 'untracked.txt': 'u\n' });
  const before = repository.fingerprint();
  const { later, afterTree } = await finishedRun(repository, () => {
    repository.write({ 'b.txt': 'changed\n', 'new/deep.txt': 'n\n', 'untracked.txt': null });
    chmodSync(join(repository.dir, 'a.txt'), 0o755);
  });

  expect(await later.treeNow(afterTree)).toBe(afterTree);
  repository.write({ 'out/y': 'ignored too\n' });
  expect(await later.treeNow(afterTree)).toBe(afterTree);

  repository.write({ 'b.txt': 'chanGed\n', 'more ü.txt': 'm\n', 'c.txt': null });
  const now = await later.treeNow(afterTree);
  expect(now).not.toBe(afterTree);
  expect(await later.changedPaths(afterTree, now)).toEqual(['b.txt', 'c.txt', 'more ü.txt']);

  repository.write({ 'b.txt': 'changed\n', 'more ü.txt': null, 'c.txt': 'c\n' });
  expect(await later.treeNow(afterTree)).toBe(afterTree);
  expect(repository.fingerprint()).toEqual(before);
});

it("never counts baton's own files, where the run directory lies in the tree", async () => {
  const repository = makeRepository();
  const runDir = join(repository.dir, 'runs', 'one');
  mkdirSync(runDir, { recursive: true });
  writeFileSync(join(runDir, 'brief.txt'), 'x');
  const { later, afterTree } = await finishedRun(
    repository,
    () => repository.write({ 'a.txt': 'a\n' }),
    runDir,
  );
  writeFileSync(join(runDir, 'gates.json'), '{}');
  mkdirSync(join(runDir, 'gate-output'));
  writeFileSync(join(runDir, 'gate-output', '1.txt'), '{}');
  expect(await later.treeNow(afterTree)).toBe(afterTree);
});

it('reads files of a tree as they were, whatever lies there now', async () => {
  const repository = makeRepository({ files: { 'conf/a.json': 'committed\n', 'a[b]*.txt': 'odd\n' } });
  repository.write({ 'conf/a.json': 'dirty\n', 'new.json': 'untracked\n', 'big.json': 'x'.repeat(900) });
  repository.git('add', 'big.json');
  repository.write({ 'big.json': 'x'.repeat(1024 * 1024 + 1) });
  const { later, beforeTree, afterTree } = await finishedRun(repository, () =>
    repository.write({ 'conf/a.json': 'edited\n', 'new.json': 'edited\n' }),
  );
  const text = async (tree: string, path: string): Promise<string | undefined> =>
    (await later.fileIn(tree, path))?.bytes.toString();

  expect(await text(beforeTree, 'conf/a.json')).toBe('dirty\n');
  expect(await text(afterTree, 'conf/a.json')).toBe('edited\n');
  expect(await text(beforeTree, 'new.json')).toBe('untracked\n');
  expect(await text(beforeTree, 'a[b]*.txt')).toBe('odd\n');
  expect(await later.fileIn(beforeTree, 'conf')).toBe(null);
  expect(await later.fileIn(beforeTree, 'absent')).toBe(null);
  expect((await later.fileIn(beforeTree, 'new.json'))?.mode).toBe('100644');
  await expect(later.fileIn(beforeTree, 'big.json')).rejects.toThrow(/the limit is/);
});

it('leaves out what the run left out: files that were ignored before it, and are not any more', async () => {
  const repository = makeRepository({ files: { '.gitignore': 'out/\n*.log\n', 'a.txt': 'a\n' } });
  repository.write({ 'out/x': 'x\n', 'a.log': 'l\n' });
  const { later, afterTree } = await finishedRun(repository, () => repository.write({ '.gitignore': '' }));
  expect(await later.treeNow(afterTree)).toBe(afterTree);
  repository.write({ 'out/x': 'still left out\n' });
  expect(await later.treeNow(afterTree)).toBe(afterTree);
  repository.write({ 'out/new': 'not known to the run\n' });
  expect(await later.treeNow(afterTree)).not.toBe(afterTree);
});
