import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Change, Result } from '../../src/rundir/result.ts';
import { readResult, startDispatch, untilFile } from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { quote } from '../support/fake.ts';
import { makeRepository, openRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeDoing, prove, proven, type Proven } from './proof.ts';

interface Act {
  /** What the implementer does, in the shell, in the working directory. */
  does: string;
  cd?: string;
  args?: string[];
  outDir?: string;
  where?: Surroundings;
}

/** A run in which the implementer does exactly this. Its git has an author and no configuration of the machine's. */
async function act(
  repository: { dir: string },
  { does, cd, args = [], outDir, where = surroundings() }: Act,
): Promise<Proven> {
  fakeDoing(where, `{ ${does}\n} >&2`);
  return proven(where, {
    cd: cd ?? repository.dir,
    args,
    ...(outDir === undefined ? {} : { outDir }),
  });
}

/** The same, read-only: the verdict of the tripwire. */
async function tripwire(
  repository: { dir: string },
  does: string,
  more: Omit<Act, 'does'> = {},
): Promise<Proven> {
  return act(repository, { does, ...more, args: ['--read-only', ...(more.args ?? [])] });
}

function kinds({ evidence }: Result): string[] {
  return [...new Set(evidence.violations.map(({ kind }) => kind))].sort();
}

function paths({ evidence }: Result): string[] {
  return evidence.changes.map(({ path }) => path).sort();
}

function change(result: Result, path: string): Change | undefined {
  return result.evidence.changes.find((one) => one.path === path);
}

/** The run's patch, applied to another repository with the state before the run. */
function patchOf(run: Proven): string {
  return readFileSync(join(run.dir, 'changes.patch'), 'utf8');
}

describe('G: the tripwire of a read-only run', () => {
  const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n', 'run.sh': '#!/bin/sh\n' };

  function dirty(): TestRepository {
    const repository = makeRepository({ files: FILES });
    symlinkSync('a.txt', join(repository.dir, 'link'));
    repository.commit();
    repository.write({ 'a.txt': 'a\nuser\n', 'new/untracked.txt': 'u\n' });
    return repository;
  }

  it('G1 nothing done is false, on a clean and on a dirty tree, and git is untouched byte for byte', async () => {
    for (const repository of [makeRepository({ files: FILES }), dirty()]) {
      const before = repository.fingerprint();
      const status = repository.status();
      expect(repository.fingerprint()).not.toEqual({});
      const run = await tripwire(repository, ':');
      expect(run.result.readOnlyViolation).toBe(false);
      expect(run.result.evidence).toMatchObject({
        tree: 'unchanged',
        changes: [],
        violations: [],
        coverage: { complete: true, gaps: [] },
        baseCommit: repository.head(),
      });
      expect(run.result.touchedFiles?.length).toBe(status.length === 0 ? 0 : 2);
      expect(before).toEqual(repository.fingerprint());
      expect(run.stdout).toContain('this run changed nothing in the working tree');
    }
  });

  it.each([
    ['a new file', 'echo x >fresh.txt', ['fresh.txt']],
    ['a new file in an untracked directory', 'echo x >new/second.txt', ['new/second.txt']],
    ['a dirty file once more', 'echo more >>a.txt', ['a.txt']],
    ['an untracked file once more', 'echo more >>new/untracked.txt', ['new/untracked.txt']],
    ['a dirty file back to what was committed', 'git checkout -q a.txt', ['a.txt']],
    ['a file of the same size', 'printf "c2" >dir/c.txt', ['dir/c.txt']],
    ['a deletion', 'rm b.txt', ['b.txt']],
    ['a link that points elsewhere', 'ln -sfn b.txt link', ['link']],
    ['a mode bit', 'chmod +x run.sh', ['run.sh']],
    ['a file that became a directory', 'rm b.txt; mkdir b.txt; echo x >b.txt/x', ['b.txt', 'b.txt/x']],
    ['a file that became a link', 'rm b.txt; ln -s a.txt b.txt', ['b.txt']],
    ['an empty file', ': >empty', ['empty']],
  ])('G1 %s is a proven write', async (_, does, changed) => {
    const run = await tripwire(dirty(), does);
    expect(run.result.readOnlyViolation).toBe(true);
    expect(run.result.evidence.tree).toBe('changed');
    expect(paths(run.result)).toEqual(changed);
    expect(kinds(run.result)).toContain('read-only');
    expect(run.result.status).toBe('completed');
    expect(run.stdout).toContain('violation');
    expect(run.stdout).toContain(changed[0]);
  });

  it.each([
    ['an entry that was staged', 'git add a.txt'],
    ['a flag of an entry', 'git update-index --assume-unchanged b.txt'],
    ['an entry that was removed', 'git rm -q --cached b.txt'],
  ])('G1 a change of the index alone is a proven write: %s', async (_, does) => {
    const run = await tripwire(dirty(), does);
    expect(run.result.readOnlyViolation).toBe(true);
    expect(kinds(run.result)).toContain('index');
    expect(paths(run.result)).toEqual([]);
  });

  it('G1 outside git the answer is null, with what to do', async () => {
    const dir = temporaryFolder();
    for (const does of [':', 'echo x >new.txt']) {
      const run = await tripwire({ dir }, does);
      expect(run.result).toMatchObject({
        status: 'completed',
        readOnlyViolation: null,
        touchedFiles: null,
        evidence: { tree: 'unknown', coverage: { complete: false } },
        patchPath: null,
      });
      expect(run.result.evidence.coverage.gaps.join()).toMatch(/git/);
      expect(run.stdout).toContain('what changed is unknown');
      expect(run.stdout).toContain('could not be seen');
    }
  });

  it('G1 a write run says nothing of a read-only violation', async () => {
    const run = await act(dirty(), { does: 'echo x >fresh.txt' });
    expect('readOnlyViolation' in run.result).toBe(false);
  });

  it.each([
    ['inside the tree', 'run'],
    ['deeper inside', 'deep/down/run'],
  ])('G1 a run directory %s is never a change', async (_, name) => {
    const repository = makeRepository();
    const run = await tripwire(repository, ':', { outDir: join(repository.dir, name) });
    expect(run.result).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged' } });
    expect(run.result.touchedFiles).toEqual([]);
  });

  it('G1 a run directory that is the tree itself hides nothing of the user', async () => {
    const repository = makeRepository();
    const quiet = await tripwire(repository, ':', { outDir: repository.dir });
    expect(quiet.result.readOnlyViolation).toBe(false);
    const loud = await tripwire(repository, 'echo x >other.txt', { outDir: repository.dir });
    expect(loud.result.readOnlyViolation).toBe(true);
    expect(paths(loud.result)).toEqual(['other.txt']);
  });

  it('G1 another spelling of an artifact is no artifact', async () => {
    const repository = makeRepository();
    const run = await tripwire(repository, 'echo {} >run/Result.json', {
      outDir: join(repository.dir, 'run'),
    });
    expect(run.result.readOnlyViolation).toBe(true);
    expect(paths(run.result)).toEqual(['run/Result.json']);
  });

  it('G1 a file of the user that is moved onto an artifact is a proven write', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'keep.txt': 'k\n' } });
    const run = await tripwire(repository, 'mv keep.txt run/final.txt', {
      outDir: join(repository.dir, 'run'),
    });
    expect(run.result.readOnlyViolation).toBe(true);
    expect(change(run.result, 'keep.txt')).toMatchObject({ kind: 'deleted' });
  });

  it('G1 an artifact that became a link to a file of the user is a proven write', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'keep.txt': 'k\n' } });
    const run = await tripwire(repository, 'ln -sf ../keep.txt run/final.txt; echo hacked >run/final.txt', {
      outDir: join(repository.dir, 'run'),
    });
    expect(run.result.readOnlyViolation).toBe(true);
    expect(paths(run.result)).toContain('keep.txt');
    expect(repository.read('keep.txt')).toBe('hacked\n');
  });

  it('G1 a root that ends in a space, and a subdirectory: paths are those of the root', async () => {
    const repository = makeRepository({ dir: join(temporaryFolder(), 'root '), files: FILES });
    const run = await tripwire(repository, 'echo x >here.txt; echo y >>../a.txt', {
      cd: join(repository.dir, 'dir'),
    });
    expect(run.result.readOnlyViolation).toBe(true);
    expect(paths(run.result)).toEqual(['a.txt', 'dir/here.txt']);
    expect(run.result.touchedFiles?.toSorted()).toEqual([' M a.txt', '?? dir/here.txt']);
  });

  it('G5 a second edit in a dirty submodule is not taken for clean', async () => {
    const inner = makeRepository({ files: { 'in.txt': 'in\n' } });
    const repository = makeRepository();
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub');
    repository.git('config', 'submodule.sub.ignore', 'all');
    repository.commit();
    const clean = await tripwire(repository, ':');
    expect(clean.result.readOnlyViolation).not.toBe(true);
    repository.write({ 'sub/in.txt': 'dirty\n' });
    const quiet = await tripwire(repository, ':');
    expect(quiet.result.readOnlyViolation).toBe(null);
    const loud = await tripwire(repository, 'echo again >>sub/in.txt');
    expect(loud.result.readOnlyViolation).not.toBe(false);
    const moved = await tripwire(
      repository,
      'cd sub; git -c user.name=x -c user.email=x@x commit -qam moved',
    );
    expect(moved.result.readOnlyViolation).toBe(true);
    const proven = await tripwire(repository, 'echo again >>sub/in.txt; echo x >top.txt');
    expect(proven.result.readOnlyViolation).toBe(true);
  });

  it('G7 a name that is not UTF-8: null unless something is proven', async () => {
    const repository = makeRepository();
    execFileSync('/bin/sh', ['-c', `printf x >"$(printf 'bad\\377name')"`], { cwd: repository.dir });
    const quiet = await tripwire(repository, ':');
    expect(quiet.result.readOnlyViolation).toBe(null);
    const loud = await tripwire(repository, 'echo x >fresh.txt');
    expect(loud.result.readOnlyViolation).toBe(true);
  });

  it('G12 a repository that git refuses is unknown, with its reason, and nobody is told to trust it', async () => {
    const repository = makeRepository();
    // Only root can give a folder away; for another user the repository stays its own.
    const foreign = process.getuid?.() === 0;
    for (const path of foreign ? [repository.dir, join(repository.dir, '.git')] : [])
      chownSync(path, 12_345, 12_345);
    const where = surroundings();
    const { result } = await tripwire(repository, 'echo x >new.txt', { where });
    expect({ verdict: result.readOnlyViolation, tree: result.evidence.tree }).toEqual(
      foreign ? { verdict: null, tree: 'unknown' } : { verdict: true, tree: 'changed' },
    );
    expect(result.evidence.coverage.complete).toBe(!foreign);
    expect(result.evidence.coverage.gaps.join().includes('ownership')).toBe(foreign);
    expect(readdirSync(where.home)).toEqual([]);
  });

  it('G16 what git cannot read is neither clean nor a violation', async () => {
    const corrupt = makeRepository();
    writeFileSync(join(corrupt.dir, '.git', 'index'), 'DIRC rubbish');
    const broken = await tripwire(corrupt, ':');
    expect(broken.result.readOnlyViolation).toBe(null);
    expect(broken.result.evidence.coverage.complete).toBe(false);

    const filtered = makeRepository({
      config: { 'filter.absent.clean': '/nonexistent/filter', 'filter.absent.required': 'true' },
    });
    filtered.write({ '.gitattributes': '*.bin filter=absent\n', 'x.bin': 'x\n' });
    const unfiltered = await tripwire(filtered, ':');
    expect(unfiltered.result.readOnlyViolation).toBe(null);
    expect(unfiltered.result.evidence.coverage.gaps.join()).toContain('x.bin');
  });

  it('G16 a file that cannot be read is a gap', async () => {
    const repository = makeRepository();
    repository.write({ 'secret.txt': 'x\n' });
    chmodSync(join(repository.dir, 'secret.txt'), 0);
    execFileSync('mkfifo', [join(repository.dir, 'pipe')]);
    const run = await tripwire(repository, ':');
    // Root reads everything.
    const readable = process.getuid?.() === 0;
    expect(run.result.readOnlyViolation).not.toBe(true);
    expect(run.result.evidence.coverage.gaps.join().includes('secret.txt')).toBe(!readable);
  });
});

describe('G: what was changed, and by this run', () => {
  it('G1 hunks of the user and of the run are told apart in one file', async () => {
    const repository = makeRepository({ files: { 'f.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n' } });
    repository.write({ 'f.txt': 'user\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n', 'staged.txt': 's\n' });
    repository.git('add', 'staged.txt');
    const before = repository.fingerprint();
    const run = await act(repository, { does: `sed -i 's/^11$/run/' f.txt; echo n >new.txt` });
    expect(run.result.evidence.changes).toEqual([
      { path: 'f.txt', kind: 'modified', added: 1, deleted: 1, preexisting: true },
      { path: 'new.txt', kind: 'added', added: 1, deleted: 0, preexisting: false },
    ]);
    expect(patchOf(run)).toContain('+run');
    expect(patchOf(run)).not.toContain('+user');
    expect(patchOf(run)).not.toContain('staged.txt');
    expect(repository.fingerprint()).toEqual(before);
    expect(run.result.evidence).toMatchObject({ violations: [], coverage: { complete: true } });
    expect(run.stdout).toContain('had uncommitted changes before');
    expect(run.stdout).toContain('baton committed nothing, and no commit was made during the run');
    // The patch takes the tree back to what it was.
    repository.git('apply', '-R', join(run.dir, 'changes.patch'));
    expect(repository.read('f.txt')).toMatch(/^user\n2\n/);
    expect(existsSync(join(repository.dir, 'new.txt'))).toBe(false);
  });

  const NAMES = [
    'with space',
    'quo"te',
    "apo'strophe",
    'é中🧩',
    'new\nline',
    'tab\tname',
    'back\\slash',
    '-dash',
    ':colon',
    '[x]*?',
    '#hash',
    '~',
    '$HOME',
    ' lead',
    'trail ',
  ];

  it('G7 any name is told as it is', async () => {
    const repository = makeRepository({
      files: Object.fromEntries(NAMES.map((name) => [`old/${name}`, `${name}\n`])),
    });
    const where = surroundings();
    const script = NAMES.map(
      (name) => `echo more >>${quote(`old/${name}`)}; echo n >${quote(`new/${name}`)}`,
    ).join('\n');
    const run = await act(repository, { does: `mkdir new\n${script}`, where });
    expect(paths(run.result)).toEqual(NAMES.flatMap((name) => [`new/${name}`, `old/${name}`]).sort());
    expect(run.result.evidence.coverage.complete).toBe(true);
    expect(run.stdout).not.toMatch(/^line/m);
    repository.git('apply', '-R', '--check', join(run.dir, 'changes.patch'));
  });

  it('G7 a name that is no UTF-8 is written with its bytes', async () => {
    const repository = makeRepository();
    const run = await act(repository, { does: `printf x >"$(printf 'bad\\377name')"` });
    expect(run.result.evidence.tree).toBe('changed');
    expect(paths(run.result)).toEqual([String.raw`bad\xffname`]);
  });

  it('G7 names on a terminal drive nothing', async () => {
    const repository = makeRepository();
    const run = await act(repository, { does: `echo x >"$(printf 'a\\033]0;title\\007b')"` });
    expect(run.stdout).not.toContain('\u001b');
    expect(paths(run.result)).toEqual(['a\u001b]0;title\u0007b']);
  });

  it('G9 a status of more than 1 MiB is read whole', async () => {
    const repository = makeRepository();
    const run = await act(repository, {
      does: `seq 4500 | sed "s/$/-$(printf '%0240d' 0)/" | xargs touch`,
    });
    expect(run.result.evidence.changes).toHaveLength(4500);
    expect(run.result.touchedFiles).toHaveLength(4500);
    expect(run.stdout).toContain('… and 4480 more');
    expect(run.result.evidence.coverage.complete).toBe(true);
  });

  it('G10 a lock that somebody holds is neither waited for nor removed', async () => {
    const repository = makeRepository();
    const lock = join(repository.dir, '.git', 'index.lock');
    writeFileSync(lock, 'held');
    const run = await act(repository, { does: 'echo x >new.txt' });
    expect(readFileSync(lock, 'utf8')).toBe('held');
    expect(paths(run.result)).toEqual(['new.txt']);
    expect(run.result.evidence).toMatchObject({ violations: [], coverage: { complete: true } });
    expect(run.result.touchedFiles).toEqual(['?? new.txt']);
  });

  it('G13 an unborn branch: everything is compared with nothing', async () => {
    const repository = makeRepository({ files: null });
    repository.write({ 'mine.txt': 'm\n' });
    const run = await act(repository, { does: 'echo x >new.txt' });
    expect(run.result.evidence).toMatchObject({
      baseCommit: null,
      tree: 'changed',
      violations: [],
      coverage: { complete: true },
    });
    expect(paths(run.result)).toEqual(['new.txt']);
    const committed = await act(repository, { does: 'git add new.txt; git commit -qm first' });
    expect(kinds(committed.result)).toContain('commit');
  });

  it('G14 line endings that git converts are no change', async () => {
    const repository = makeRepository({ config: { 'core.autocrlf': 'false' } });
    repository.commit({ 'lf.txt': 'a\nb\n', 'crlf.txt': 'a\r\nb\r\n' });
    repository.git('config', 'core.autocrlf', 'input');
    repository.write({ 'lf.txt': 'a\r\nb\r\n' });
    const quiet = await tripwire(repository, ':');
    expect(quiet.result.readOnlyViolation).toBe(false);
    const touched = await tripwire(repository, 'touch lf.txt crlf.txt');
    expect(touched.result.readOnlyViolation).toBe(false);
    const edited = await tripwire(repository, 'echo c >>lf.txt');
    expect(paths(edited.result)).toEqual(['lf.txt']);
  });

  it('G15 mode bits are told; ignored files are a limit that is said', async () => {
    const repository = makeRepository({
      files: { 'a.sh': 'x\n', '.gitignore': 'ignored/\n' },
      config: { 'core.fileMode': 'false' },
    });
    repository.write({ 'ignored/secret.env': 'x\n' });
    const run = await act(repository, {
      does: 'chmod +x a.sh; echo y >ignored/other; echo z >>ignored/secret.env',
    });
    expect(run.result.evidence.changes).toEqual([
      { path: 'a.sh', kind: 'mode', added: 0, deleted: 0, preexisting: false },
    ]);
    expect(run.result.evidence.coverage.ignored).toBe('not-scanned');
  });

  it('G15 what was ignored before is not attributed when an ignore rule goes away', async () => {
    const repository = makeRepository({ files: { '.gitignore': 'secret.env\n' } });
    repository.write({ 'secret.env': 'TOKEN=1\n' });
    const run = await act(repository, { does: ': >.gitignore' });
    expect(paths(run.result)).toEqual(['.gitignore']);
    expect(patchOf(run)).not.toContain('TOKEN');
    const blob = repository.git('hash-object', 'secret.env');
    expect(existsSync(join(run.dir, 'objects', blob.slice(0, 2), blob.slice(2)))).toBe(false);
    // Such a file of a changed path is there, so this is where it would be.
    const kept = repository.git('hash-object', '.gitignore');
    expect(existsSync(join(run.dir, 'objects', kept.slice(0, 2), kept.slice(2)))).toBe(true);
  });

  it('G16 a large untracked file is compared and not stored', async () => {
    const repository = makeRepository();
    const big = join(repository.dir, 'big.dat');
    writeFileSync(big, 'head');
    truncateSync(big, 60 * 1024 * 1024);
    const quiet = await act(repository, { does: 'echo x >small.txt' });
    expect(paths(quiet.result)).toEqual(['small.txt']);
    const loud = await act(repository, { does: 'printf tail >>big.dat' });
    expect(paths(loud.result)).toContain('big.dat');
    expect(change(loud.result, 'big.dat')).toMatchObject({ kind: 'modified', preexisting: true });
    expect(statSync(join(loud.dir, 'changes.patch')).size).toBeLessThan(1024 * 1024);
  });

  it.each([
    ['the working directory', 'cd /; rm -rf "$TREE/sub"', 'sub'],
    ['the whole tree', 'cd /; rm -rf "$TREE"', '.'],
    ['the git directory', 'rm -rf "$TREE/.git"', '.'],
    ['HEAD', 'rm "$TREE/.git/HEAD"', '.'],
    ['the objects', 'rm -rf "$TREE/.git/objects"', '.'],
  ])('G16 an implementer that removes %s is not taken for one that did nothing', async (_, does, cd) => {
    const repository = makeRepository({ files: { 'sub/a.txt': 'a\n', 'b.txt': 'b\n' } });
    const script = `TREE=${quote(repository.dir)}; ${does}`;
    const { result, stdout } = await tripwire(repository, script, { cd: join(repository.dir, cd) });
    expect(result.status).toBe('completed');
    expect(result.readOnlyViolation).not.toBe(false);
    const { tree, coverage } = result.evidence;
    expect(tree === 'unchanged' && coverage.complete).toBe(false);
    expect(stdout.includes('no commit was made')).toBe(coverage.complete);
  });

  it('G3 a rename, a type change and a binary file are told as such', async () => {
    const repository = makeRepository({
      files: { 'old.txt': 'line\n'.repeat(30), 't.txt': 't\n', 'b.bin': Uint8Array.of(0, 1, 2, 255) },
    });
    const run = await act(repository, {
      does: `mkdir lib; mv old.txt lib/new.txt; rm t.txt; ln -s b.bin t.txt; printf '\\000\\003' >>b.bin`,
    });
    expect(change(run.result, 'lib/new.txt')).toMatchObject({ kind: 'renamed', from: 'old.txt' });
    expect(change(run.result, 't.txt')).toMatchObject({ kind: 'type' });
    expect(change(run.result, 'b.bin')).toMatchObject({ kind: 'modified', added: null, deleted: null });
    repository.git('apply', '-R', '--check', join(run.dir, 'changes.patch'));
  });

  it('G3 a linked worktree: its own changes, and a commit there is seen', async () => {
    const main = makeRepository({ files: { 'a.txt': 'a\n' } });
    const linked = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', '-b', 'side', linked);
    main.write({ 'dirty-in-main.txt': 'x\n' });
    const edited = await act({ dir: linked }, { does: 'echo b >>a.txt' });
    expect(paths(edited.result)).toEqual(['a.txt']);
    expect(edited.result.evidence).toMatchObject({ violations: [], coverage: { complete: true } });
    const committed = await act({ dir: linked }, { does: 'git commit -qam sneaky' });
    expect(kinds(committed.result)).toContain('commit');
    expect(openRepository(linked).git('log', '-1', '--format=%s')).toBe('sneaky');
  });

  it('G3 a sparse checkout: what is not checked out is no deletion', async () => {
    const repository = makeRepository({ files: { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' } });
    repository.git('sparse-checkout', 'set', '--no-cone', '/in/');
    expect(existsSync(join(repository.dir, 'out'))).toBe(false);
    const run = await act(repository, { does: 'echo x >>in/a.txt' });
    expect(paths(run.result)).toEqual(['in/a.txt']);
    const outside = await act(repository, { does: 'mkdir out; echo changed >out/b.txt' });
    expect(paths(outside.result)).toEqual(['out/b.txt']);
  });

  it('G3 a file that git was told not to look at is compared all the same', async () => {
    const repository = makeRepository({ files: { 'hidden.txt': 'h\n', 'skipped.txt': 's\n' } });
    repository.git('update-index', '--assume-unchanged', 'hidden.txt');
    repository.git('update-index', '--skip-worktree', 'skipped.txt');
    const before = repository.fingerprint();
    const run = await act(repository, { does: 'echo x >>hidden.txt; echo x >>skipped.txt' });
    expect(paths(run.result)).toEqual(['hidden.txt', 'skipped.txt']);
    expect(repository.fingerprint()).toEqual(before);
  });
});

describe('G3: the commit boundary', () => {
  const base = (): TestRepository => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n' } });
    repository.commit({ 'b.txt': 'b\n' }, 'second');
    return repository;
  };

  it.each([
    ['commit', 'echo x >>a.txt; git commit -qam sneaky'],
    ['amended', 'git commit -q --amend -m other'],
    ['went back', 'git reset -q --hard HEAD~1'],
    [
      'committed and went back softly',
      'echo x >>a.txt; git commit -qam sneaky; git reset -q --soft HEAD~1; git reset -q',
    ],
    [
      'committed elsewhere',
      'git checkout -q -b side; echo x >>a.txt; git commit -qam sneaky; git checkout -q main',
    ],
    [
      'committed detached',
      'git checkout -q --detach; git commit -q --allow-empty -m sneaky; git checkout -q main',
    ],
    ['made by hand', 'git update-ref refs/heads/main "$(git commit-tree -p HEAD -m sneaky HEAD^{tree})"'],
  ])('G3 a commit is named, and never denied: %s', async (_, does) => {
    const run = await act(base(), { does });
    expect(run.result.status).toBe('completed');
    expect(kinds(run.result).some((kind) => kind === 'commit' || kind === 'ref')).toBe(true);
    expect(run.stdout).toContain('violation  ');
    expect(run.stdout).not.toMatch(/no commit was made/);
    expect(run.stdout.trimEnd().split('\n').at(-1)).toContain("the repository's history was changed");
    for (const { actor } of run.result.evidence.violations) expect(actor).toBe('excluded-by-sandbox');
  });

  it('G3 what was committed is attributed, though the status is clean', async () => {
    const repository = base();
    const run = await act(repository, {
      does: 'echo x >>a.txt; echo n >n.txt; git add -A; git commit -qm sneaky',
    });
    expect(repository.status()).toEqual([]);
    expect(run.result.touchedFiles).toEqual([]);
    expect(paths(run.result)).toEqual(['a.txt', 'n.txt']);
    expect(run.result.evidence.violations.map(({ detail }) => detail).join()).toContain(
      repository.head().slice(0, 7),
    );
  });

  it.each([
    ['stash', 'echo x >>a.txt; git stash -q'],
    ['ref', 'git branch side'],
    ['ref', 'git tag v9'],
    ['ref', 'git tag -a -m x v9'],
    ['ref', 'git update-ref refs/custom/x HEAD'],
    ['ref', 'git checkout -q -b other'],
    ['git-config', 'git config core.hooksPath /tmp/x'],
    ['git-config', 'git config alias.st "!touch /tmp/x"'],
    ['git-config', 'echo hidden.txt >>.git/info/exclude'],
    ['hooks', `printf '#!/bin/sh\\n' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit`],
    ['hooks', `chmod +x .git/hooks/*.sample; mv .git/hooks/pre-commit.sample .git/hooks/pre-commit`],
    ['index', 'echo x >new; git add new'],
    ['index', 'git update-index --assume-unchanged a.txt'],
    ['agent-settings', `mkdir -p .claude; echo '{"hooks":{}}' >.claude/settings.json`],
    ['agent-settings', `mkdir -p .codex; echo x >.codex/config.toml`],
    ['agent-settings', `mkdir -p .agents/skills/x; echo x >.agents/skills/x/SKILL.md`],
    ['agent-settings', `echo '{}' >.mcp.json`],
    ['agent-settings', `mkdir -p .delegate; echo '{}' >.delegate/fleet.json`],
  ])('G3 a change of kind %s is reported: %s', async (kind, does) => {
    const repository = base();
    // A template may bring no sample hooks.
    execFileSync('/bin/sh', ['-c', 'mkdir -p .git/hooks .git/info; : >.git/hooks/pre-commit.sample'], {
      cwd: repository.dir,
    });
    const run = await act(repository, { does });
    expect(kinds(run.result)).toContain(kind);
    expect(run.stdout).toContain(`violation  ${kind}: `);
    expect(run.result).toMatchObject({ status: 'completed', exitCode: 0 });
  });

  it('G3 every such change trips a read-only run', async () => {
    for (const does of [
      'git tag v9',
      'git config x.y z',
      'echo hidden >>.git/info/exclude; echo x >hidden',
    ]) {
      const run = await tripwire(base(), does);
      expect(run.result.readOnlyViolation).toBe(true);
    }
  });

  it('G3 a remote-tracking ref that moved is a notice: editors fetch', async () => {
    const repository = base();
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    const run = await act(repository, { does: 'git update-ref refs/remotes/origin/main HEAD' });
    expect(run.result.evidence.violations).toEqual([]);
    expect(run.result.evidence.notices.join()).toContain('origin/main');
    const quiet = await tripwire(repository, 'git update-ref refs/remotes/origin/main HEAD~1');
    expect(quiet.result.readOnlyViolation).toBe(false);
  });

  it('G3 without the word of the CLI that its sandbox is on, the implementer may have been it', async () => {
    const where = surroundings();
    fakeDoing(where, 'git tag v9');
    const fake = join(where.bin, 'claude');
    writeFileSync(fake, readFileSync(fake, 'utf8').replace(',"sandbox_enabled":true', ''));
    const run = await proven(where, { cd: base().dir });
    expect(run.result.evidence.violations).toMatchObject([{ kind: 'ref', actor: 'implementer-possible' }]);
    expect(run.result.evidence.coverage.complete).toBe(false);
    expect(run.result.evidence.coverage.gaps.join()).toContain('sandbox');
  });

  it('G3 a change outside the declared scope is reported and left as it is', async () => {
    const repository = makeRepository({ files: { 'src/a.ts': 'a\n', 'docs/b.md': 'b\n', 'top.txt': 't\n' } });
    repository.write({ 'docs/mine.md': 'of the user\n' });
    const run = await act(repository, {
      does: 'echo x >>src/a.ts; echo x >>docs/b.md; mkdir -p src/.deep; echo x >src/.deep/c.ts; mv top.txt src/top.txt',
      args: ['--touch', 'src/**'],
    });
    const scope = run.result.evidence.violations.filter(({ kind }) => kind === 'scope');
    expect(scope.map(({ detail }) => detail).join('\n')).toContain('docs/b.md');
    expect(scope.map(({ detail }) => detail).join('\n')).toContain('top.txt');
    expect(scope.map(({ detail }) => detail).join('\n')).not.toMatch(/src\/a\.ts|c\.ts|mine\.md/);
    expect(repository.read('docs/b.md')).toBe('b\nx\n');
    expect(run.result).toMatchObject({ status: 'completed', exitCode: 0 });
    expect(run.stdout).toContain('violation  scope: ');

    const within = await act(repository, {
      does: 'echo y >>docs/b.md',
      args: ['--touch', 'src', '--touch', 'docs/*.md'],
    });
    expect(kinds(within.result)).toEqual([]);
  });
});

describe('G17: the evidence runs nothing that the implementer wrote', () => {
  /** A program that tells that it was run. */
  function trap(where: Surroundings): { program: string; ran: () => boolean } {
    const [program, ran] = [join(where.root, 'trap'), join(where.root, 'ran')];
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>${quote(ran)}\ncat\n`, { mode: 0o755 });
    return { program, ran: () => existsSync(ran) };
  }

  const ARM = (program: string): string => `
    git config core.fsmonitor ${quote(program)}
    git config core.hooksPath ${quote(join(program, '..', 'hooks'))}
    git config filter.evil.clean ${quote(program)}
    git config filter.evil.smudge ${quote(program)}
    git config filter.evil.process ${quote(program)}
    git config filter.evil.required true
    git config diff.external ${quote(program)}
    git config diff.evil.textconv ${quote(program)}
    git config diff.evil.command ${quote(program)}
    git config core.sshCommand ${quote(program)}
    git config core.pager ${quote(program)}
    git config gpg.program ${quote(program)}
    git config credential.helper ${quote(program)}
    printf '* filter=evil diff=evil\\n' >.gitattributes
    for hook in post-index-change pre-commit post-checkout reference-transaction; do cp ${quote(program)} "$(git rev-parse --git-path hooks)/$hook" 2>/dev/null; done
    printf changed >armed.txt`;

  it('G17 the repository itself', async () => {
    const where = surroundings();
    const { program, ran } = trap(where);
    const repository = makeRepository({ files: { 'armed.txt': 'a\n' } });
    const run = await act(repository, { does: ARM(program), where });
    expect(ran()).toBe(false);
    expect(kinds(run.result)).toContain('git-config');
    expect(run.result.evidence.tree).not.toBe('unchanged');
  });

  it.each([
    [
      'that was there',
      (repository: TestRepository) =>
        void makeRepository({ dir: join(repository.dir, 'nested'), files: { 'armed.txt': 'a\n' } }),
    ],
    ['that it makes', () => undefined],
    [
      'that is a submodule',
      (repository: TestRepository) => {
        const inner = makeRepository({ files: { 'armed.txt': 'a\n' } });
        repository.git(
          '-c',
          'protocol.file.allow=always',
          'submodule',
          '--quiet',
          'add',
          inner.dir,
          'nested',
        );
        repository.commit();
      },
    ],
  ])('G17 a nested repository %s', async (_, make) => {
    const where = surroundings();
    const { program, ran } = trap(where);
    const repository = makeRepository();
    make(repository);
    const run = await act(repository, {
      does: `[ -e nested/.git ] || git init -q nested; cd nested; ${ARM(program)}`,
      where,
    });
    expect(ran()).toBe(false);
    expect(run.result.evidence.tree === 'unchanged' && run.result.evidence.coverage.complete).toBe(false);
  });

  it('G17 a nested repository whose git dir was replaced', async () => {
    const where = surroundings();
    const { program, ran } = trap(where);
    const repository = makeRepository();
    makeRepository({ dir: join(repository.dir, 'nested'), files: { 'armed.txt': 'a\n' } });
    const run = await act(repository, {
      does: `rm -rf nested/.git; git init -q nested; cd nested; ${ARM(program)}; git add -A 2>/dev/null; rm -f ${quote(join(where.root, 'ran'))}`,
      where,
    });
    expect(ran()).toBe(false);
    expect(run.result.evidence.tree === 'unchanged' && run.result.evidence.coverage.complete).toBe(false);
  });

  it('G17 a commit in a nested repository is not silent', async () => {
    const repository = makeRepository();
    makeRepository({ dir: join(repository.dir, 'nested'), files: { 'a.txt': 'a\n' } });
    const run = await act(repository, { does: 'cd nested; echo x >>a.txt; git commit -qam sneaky' });
    expect(run.result.evidence.violations.map(({ detail }) => detail).join()).toContain('nested');
    expect(run.stdout).not.toContain('no commit was made');
  });

  it('G17 git that hangs does not hang the run past its abort', async () => {
    const where = surroundings();
    const started = join(where.root, 'started');
    const repository = makeRepository();
    const real = execFileSync('/bin/sh', ['-c', 'command -v git'], {
      env: where.env,
      encoding: 'utf8',
    }).trim();
    // The search of the repository works, the snapshot hangs.
    writeFileSync(
      join(where.bin, 'git'),
      `#!/bin/sh\ncase "$*" in *rev-parse*) exec ${quote(real)} "$@";; esac\necho hang >${quote(started)}\nexec sleep 600\n`,
      { mode: 0o755 },
    );
    fakeDoing(where, ':');
    const run = await startDispatch(where, { cd: repository.dir });
    await untilFile(started);
    run.signal('SIGTERM');
    const ended = await run.ended;
    const { result } = prove({ ...ended, dir: run.dir, result: readResult(run.dir) });
    expect(result).toMatchObject({ status: 'aborted', exitCode: 143, evidence: { tree: 'unknown' } });
  });
});
