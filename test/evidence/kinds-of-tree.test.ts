import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository, openRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { lines, look, patchOf, plainEnv, watch } from './watching.ts';

const COMPLETE = { complete: true, gaps: [] };

describe('attribution on a dirty tree', () => {
  it('names only what the run did, though the same files were dirty before', async () => {
    const repository = makeRepository({
      files: { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
    });
    repository.write({ 'a.txt': 'mine\n2\n3\n4\n5\n6\n7\n8\n9\n', 'new/mine.txt': 'mine\n', 'b.txt': null });
    repository.write({ 'c.txt': 'staged\n' });
    repository.git('add', 'c.txt');
    const before = repository.fingerprint();
    const report = await watch(repository.dir, () => {
      appendFileSync(join(repository.dir, 'a.txt'), 'theirs\n');
      appendFileSync(join(repository.dir, 'new/mine.txt'), 'theirs\n');
      repository.write({ 'new/theirs.txt': 'theirs\n' });
    });
    expect(lines(report)).toEqual([
      'modified a.txt +1 -0 *',
      'modified new/mine.txt +1 -0 *',
      'added new/theirs.txt +1 -0',
    ]);
    expect(patchOf(report)).not.toContain('+mine');
    expect(report.evidence.coverage).toEqual({ ...COMPLETE, ignored: 'not-scanned' });
    expect(repository.fingerprint()).toEqual(before);
  });

  it('sees an edit that keeps the size and puts the time back', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'aaaa\n' } });
    const old = new Date('2020-01-01T00:00:00Z');
    utimesSync(join(repository.dir, 'a.txt'), old, old);
    repository.git('status');
    const report = await watch(repository.dir, () => {
      repository.write({ 'a.txt': 'bbbb\n' });
      utimesSync(join(repository.dir, 'a.txt'), old, old);
    });
    expect(lines(report)).toEqual(['modified a.txt +1 -1']);
  });

  it('sees through assume-unchanged and skip-worktree', async () => {
    const repository = makeRepository({
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' },
    });
    repository.git('update-index', '--assume-unchanged', 'a.txt');
    repository.git('update-index', '--skip-worktree', 'b.txt', 'c.txt', 'd.txt');
    repository.write({ 'c.txt': null, 'd.txt': null });
    const before = repository.fingerprint();
    const report = await watch(repository.dir, () =>
      repository.write({ 'a.txt': 'x\n', 'b.txt': 'y\n', 'd.txt': 'back\n' }),
    );
    expect(lines(report)).toEqual(['modified a.txt +1 -1', 'modified b.txt +1 -1', 'modified d.txt +1 -1']);
    expect(repository.fingerprint()).toEqual(before);
  });

  it('goes with an unmerged index, and with paths that are only intended to be added', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'base\n' } });
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit({ 'a.txt': 'side\n' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'a.txt': 'main\n' });
    expect(() => repository.git('merge', '-q', 'side')).toThrow('git merge');
    repository.write({ 'later.txt': 'later\n' });
    repository.git('add', '-N', 'later.txt');
    const before = repository.fingerprint();
    const report = await watch(repository.dir, () => {
      repository.write({ 'a.txt': 'solved\n' });
      appendFileSync(join(repository.dir, 'later.txt'), 'more\n');
    });
    expect(lines(report)).toEqual(['modified a.txt +1 -5 *', 'modified later.txt +1 -0 *']);
    expect(report.evidence).toMatchObject({ violations: [], coverage: COMPLETE });
    expect(repository.fingerprint()).toEqual(before);
  });

  it('does not care about an index.lock of somebody else, and leaves it alone', async () => {
    const repository = makeRepository();
    writeFileSync(join(repository.dir, '.git', 'index.lock'), 'busy');
    const report = await watch(repository.dir, () => repository.write({ 'README.md': 'changed\n' }));
    expect(lines(report)).toEqual(['modified README.md +1 -1']);
    expect(repository.read('.git/index.lock')).toBe('busy');
  });

  it('takes a file that became a folder, a link, and a folder that became a link', async () => {
    const repository = makeRepository({
      files: { a: 'a\n', b: 'b\n', 'dir/c': 'c\n', 'dir2/d': 'd\n', other: 'o\n' },
    });
    const report = await watch(repository.dir, () => {
      repository.write({ a: null, b: null, dir: null });
      repository.write({ 'a/inside': 'in\n' });
      symlinkSync('other', join(repository.dir, 'b'));
      symlinkSync('dir2', join(repository.dir, 'dir'));
    });
    expect(lines(report)).toEqual([
      'deleted a +0 -1',
      'added a/inside +1 -0',
      'type b +1 -1',
      'added dir +1 -0',
      'deleted dir/c +0 -1',
    ]);
    expect(report.evidence.coverage).toMatchObject(COMPLETE);
  });

  it('takes a folder that became a link which leads to itself', async () => {
    const repository = makeRepository({ files: { 'dir/a.txt': 'a\n' } });
    const loop = (): void => {
      repository.write({ dir: null });
      symlinkSync('dir', join(repository.dir, 'dir'));
    };
    expect(lines(await watch(repository.dir, loop))).toEqual(['added dir +1 -0', 'deleted dir/a.txt +0 -1']);
    const quiet = await watch(repository.dir, () => {});
    expect(quiet.evidence).toMatchObject({ tree: 'unchanged', coverage: COMPLETE });
  });

  it('sees a link that points elsewhere now', async () => {
    const repository = makeRepository({ files: { x: 'x' } });
    symlinkSync('x', join(repository.dir, 'link'));
    repository.commit();
    const report = await watch(repository.dir, () => {
      rmSync(join(repository.dir, 'link'));
      symlinkSync('y', join(repository.dir, 'link'));
    });
    expect(lines(report)).toEqual(['modified link +1 -1']);
  });
});

describe('file names', () => {
  const names = [
    'with space',
    'quo"te',
    "apo'strophe",
    'back\\slash',
    'new\nline',
    'tab\t',
    'é',
    '-dash',
    ':colon',
    '*?[glob]',
    '  lead and trail  ',
    '#hash',
    '.dot',
    'a'.repeat(200),
  ];

  it('of any sort are changed, added and shown as they are', async () => {
    const files = Object.fromEntries(names.map((name) => [`old/${name}`, 'old\n']));
    const repository = makeRepository({ files });
    const report = await watch(repository.dir, () => {
      for (const name of names) {
        appendFileSync(join(repository.dir, 'old', name), 'more\n');
        repository.write({ [`new/${name}`]: 'new\n' });
      }
    });
    const expected = names.flatMap((name) => [`modified old/${name} +1 -0`, `added new/${name} +1 -0`]);
    expect(lines(report).sort()).toEqual(expected.sort());
    expect(report.evidence.coverage).toMatchObject(COMPLETE);
  });

  it('that are not UTF-8 are attributed and shown escaped, and make the coverage incomplete', async () => {
    const repository = makeRepository();
    const bad = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${repository.dir}/${name}`), Buffer.from([0xff])]);
    writeFileSync(bad('tracked'), 'x\n');
    repository.commit();
    writeFileSync(bad('before'), 'x\n');
    const quiet = await watch(repository.dir, () => {}, { profile: 'read-only' });
    expect(quiet).toMatchObject({
      readOnlyViolation: null,
      evidence: { tree: 'unchanged', coverage: { complete: false } },
    });
    const report = await watch(
      repository.dir,
      () => {
        appendFileSync(bad('tracked'), 'y\n');
        renameSync(bad('before'), bad('after'));
      },
      { profile: 'read-only' },
    );
    expect(lines(report)).toEqual([
      'renamed before\\xff => after\\xff +0 -0 *',
      'modified tracked\\xff +1 -0',
    ]);
    expect(report.evidence.coverage.gaps).toEqual([expect.stringContaining('before\\xff')]);
    expect(report.readOnlyViolation).toBe(true);
  });

  it('by the thousand are no problem', async () => {
    const repository = makeRepository();
    const report = await watch(repository.dir, () => {
      mkdirSync(join(repository.dir, 'many'));
      for (let n = 0; n < 9000; n += 1)
        writeFileSync(join(repository.dir, 'many', `${'long-name-'.repeat(20)}${n}`), `${n}\n`);
      for (let n = 0; n < 9000; n += 1) writeFileSync(join(repository.dir, `${'top-'.repeat(40)}${n}`), '');
    });
    expect(report.evidence.changes).toHaveLength(18_000);
    expect(report.touchedFiles).toHaveLength(9001);
    expect(report.evidence.coverage).toMatchObject(COMPLETE);
  });
});

describe('kinds of repositories', () => {
  it('paths are those of the top, also from a subdirectory', async () => {
    const repository = makeRepository({ files: { 'sub/a.txt': 'a\n', 'b.txt': 'b\n' } });
    const report = await watch(join(repository.dir, 'sub'), () =>
      repository.write({ 'sub/a.txt': 'x\n', 'b.txt': 'y\n' }),
    );
    expect(lines(report)).toEqual(['modified b.txt +1 -1', 'modified sub/a.txt +1 -1']);
  });

  it('a root that ends in a space, a newline or a colon', async () => {
    for (const name of ['space ', 'newline\n', 'co:lon', '"quoted"']) {
      const repository = makeRepository({ dir: join(temporaryFolder(), name) });
      const report = await watch(repository.dir, () =>
        repository.write({ 'README.md': 'changed\n', new: 'new\n' }),
      );
      expect(lines(report)).toEqual(['modified README.md +1 -1', 'added new +1 -0']);
      expect(report.evidence.coverage).toMatchObject(COMPLETE);
    }
  });

  it('a linked worktree', async () => {
    const main = makeRepository({ files: { 'a.txt': 'a\n' } });
    const linked = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', linked);
    const before = main.fingerprint();
    const report = await watch(linked, () => openRepository(linked).write({ 'a.txt': 'x\n' }));
    expect(lines(report)).toEqual(['modified a.txt +1 -1']);
    expect(report.evidence).toMatchObject({ violations: [], coverage: COMPLETE });
    expect(main.fingerprint()).toEqual(before);
  });

  it('an unborn branch, with files and without', async () => {
    const empty = makeRepository({ files: null });
    const report = await watch(empty.dir, () => empty.write({ 'a.txt': 'a\n' }));
    expect(lines(report)).toEqual(['added a.txt +1 -0']);
    expect(report.evidence).toMatchObject({ baseCommit: null, coverage: COMPLETE });

    const filled = makeRepository({ files: null });
    filled.write({ 'a.txt': 'a\n', 'staged.txt': 's\n' });
    filled.git('add', 'staged.txt');
    const before = filled.fingerprint();
    const second = await watch(filled.dir, () => filled.write({ 'a.txt': 'x\n', 'b.txt': 'b\n' }));
    expect(lines(second)).toEqual(['modified a.txt +1 -1 *', 'added b.txt +1 -0']);
    expect(second.touchedFiles).toEqual(['A  staged.txt', '?? a.txt', '?? b.txt']);
    expect(filled.fingerprint()).toEqual(before);
  });

  it.each([[[]], [['--cone', '--sparse-index']], [['--no-cone']]])(
    'a sparse checkout (%j)',
    async (flags: string[]) => {
      const repository = makeRepository({
        files: { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/deep/c.txt': 'c\n', 'top.txt': 't\n' },
      });
      repository.git('sparse-checkout', 'set', ...flags, 'in');
      expect(readdirSync(repository.dir)).not.toContain('out');
      const before = repository.fingerprint();
      const quiet = await watch(repository.dir, () => {});
      expect(quiet.evidence).toMatchObject({ tree: 'unchanged', violations: [], coverage: COMPLETE });
      expect(quiet.evidence.beforeTree).toBe(repository.git('rev-parse', 'HEAD^{tree}'));
      const report = await watch(repository.dir, () =>
        repository.write({ 'in/a.txt': 'x\n', 'out/b.txt': 'y\n', 'out/new.txt': 'n\n' }),
      );
      expect(lines(report)).toEqual([
        'modified in/a.txt +1 -1',
        'modified out/b.txt +1 -1',
        'added out/new.txt +1 -0',
      ]);
      expect(repository.fingerprint()).toEqual(before);
    },
  );

  it('SHA-256 objects', async () => {
    const repository = makeRepository({ objectFormat: 'sha256', files: { 'a.txt': 'a\n' } });
    const report = await watch(repository.dir, () => repository.write({ 'a.txt': 'x\n' }));
    expect(lines(report)).toEqual(['modified a.txt +1 -1']);
    expect(report.evidence.afterTree).toHaveLength(64);
  });

  it('a split index', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    repository.git('update-index', '--split-index');
    repository.write({ 'b.txt': 'staged\n' });
    repository.git('add', 'b.txt');
    const before = repository.fingerprint();
    const report = await watch(repository.dir, () => repository.write({ 'a.txt': 'x\n' }));
    expect(lines(report)).toEqual(['modified a.txt +1 -1']);
    expect(report.touchedFiles).toEqual([' M a.txt', 'M  b.txt']);
    expect(report.evidence).toMatchObject({ violations: [], coverage: COMPLETE });
    expect(repository.fingerprint()).toEqual(before);
  });

  it('a partial clone: what is not there is a gap, and nothing is fetched', async () => {
    const origin = makeRepository({
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
      config: { 'uploadpack.allowFilter': 'true' },
    });
    const dir = join(temporaryFolder(), 'clone');
    origin.git('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${origin.dir}`, dir);
    const clone = openRepository(dir);
    clone.git('sparse-checkout', 'set', '--no-cone', '/a.txt');
    clone.git('checkout', '-q', 'main');
    rmSync(origin.dir, { recursive: true });
    const report = await watch(dir, () => clone.write({ 'b.txt': 'over it\n' }));
    expect(lines(report)).toHaveLength(1);
    expect(report.evidence.tree).toBe('changed');
    expect(report.evidence.coverage.complete).toBe(false);
  });

  it('outside git: unknown, with what to do', async () => {
    const report = await watch(temporaryFolder(), () => {}, { profile: 'read-only', gaps: ['other'] });
    expect(report).toEqual({
      evidence: {
        tree: 'unknown',
        beforeTree: null,
        afterTree: null,
        baseCommit: null,
        changes: [],
        violations: [],
        notices: [],
        coverage: {
          complete: false,
          gaps: [expect.stringContaining('git init'), 'other'],
          ignored: 'not-scanned',
        },
      },
      touchedFiles: null,
      readOnlyViolation: null,
      patchPath: null,
    });
  });

  it('a repository that git refuses: unknown, with its words', async () => {
    const refused = {
      problem: 'refused' as const,
      detail: 'fatal: detected dubious ownership',
      hint: 'git config --global --add safe.directory',
    };
    const report = await watch(temporaryFolder(), () => {}, { repository: refused, profile: 'read-only' });
    expect(report.readOnlyViolation).toBeNull();
    expect(report.evidence.coverage.gaps).toEqual([expect.stringContaining('dubious ownership')]);
  });

  it('a repository whose index cannot be read: unknown, with the reason', async () => {
    const repository = makeRepository();
    writeFileSync(join(repository.dir, '.git', 'index'), 'rubbish, long enough to be looked at');
    const report = await watch(repository.dir, () => {}, { profile: 'read-only' });
    expect(report).toMatchObject({
      readOnlyViolation: null,
      touchedFiles: null,
      evidence: { tree: 'unknown', beforeTree: null },
    });
    expect(report.evidence.coverage.gaps.join()).toContain('index');
  });
});

describe('line endings and filters', () => {
  it('a file that only looks changed under autocrlf is no change', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'one\ntwo\n' } });
    repository.git('config', 'core.autocrlf', 'true');
    repository.write({ 'a.txt': 'one\r\ntwo\r\n' });
    const quiet = await watch(repository.dir, () => utimesSync(join(repository.dir, 'a.txt'), 1, 1), {
      profile: 'read-only',
    });
    expect(quiet).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged', changes: [] } });
    const report = await watch(repository.dir, () =>
      appendFileSync(join(repository.dir, 'a.txt'), 'three\r\n'),
    );
    expect(lines(report)).toEqual(['modified a.txt +1 -0']);
    expect(patchOf(report)).not.toContain('\r');
  });

  it("the user's own filter decides what the content is", async () => {
    const repository = makeRepository({ files: { '.gitattributes': '*.up filter=up\n' } });
    repository.git('config', 'filter.up.clean', 'tr a-z A-Z');
    repository.git('config', 'filter.up.required', 'true');
    repository.commit({ 'a.up': 'abc\n' });
    const report = await watch(repository.dir, () => appendFileSync(join(repository.dir, 'a.up'), 'def\n'));
    expect(patchOf(report)).toContain('\n ABC\n+DEF\n');
    expect(report.evidence.coverage).toMatchObject(COMPLETE);
  });

  it.each(['true', 'false'])(
    'a filter that is missing (required: %s) is a gap, and the other paths are still seen',
    async (required) => {
      const repository = makeRepository({ files: { 'a.up': 'abc\n', 'b.txt': 'b\n' } });
      repository.git('config', 'filter.up.clean', 'no-such-program-here');
      repository.git('config', 'filter.up.required', required);
      repository.write({ '.gitattributes': '*.up filter=up\n' });
      const report = await watch(
        repository.dir,
        () => repository.write({ 'a.up': 'new\n', 'b.txt': 'new\n' }),
        { profile: 'read-only' },
      );
      expect(lines(report)).toEqual(['modified a.up +1 -1', 'modified b.txt +1 -1']);
      expect(report.evidence.coverage.gaps.join('\n')).toMatch(/filter/);
      expect(report.readOnlyViolation).toBe(true);
    },
  );

  it('configuration of the user counts: excludes and attributes of the home folder', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.config', 'git'), { recursive: true });
    writeFileSync(join(home, '.config', 'git', 'ignore'), '*.secret\n');
    writeFileSync(join(home, '.config', 'git', 'attributes'), '*.txt filter=up\n');
    writeFileSync(join(home, '.gitconfig'), '[filter "up"]\n\tclean = tr a-z A-Z\n');
    const repository = makeRepository();
    const report = await watch(
      repository.dir,
      () => repository.write({ 'x.secret': 's', 'x.txt': 'abc\n' }),
      { env: plainEnv(home) },
    );
    expect(lines(report)).toEqual(['added x.txt +1 -0']);
    expect(patchOf(report)).toContain('+ABC');
  });
});

describe('the store of a run', () => {
  it('keeps both sides of each change though the user collects garbage afterwards', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'base\n', 'dir/b.txt': 'b\n' } });
    repository.commit({ 'a.txt': 'only on this branch\n', 'dir/b.txt': 'b, too\n' });
    const { first, runDir } = await look(repository.dir);
    repository.write({ 'a.txt': 'changed\n', 'dir/b.txt': null });
    const report = await first.after({ killed: false, possible: () => true, gaps: [] });
    repository.git('reset', '-q', '--hard', 'HEAD~');
    repository.git('reflog', 'expire', '--expire=now', '--all');
    repository.git('gc', '-q', '--prune=now');
    const show = (rev: string): string =>
      execFileSync('git', ['cat-file', '-p', rev], {
        cwd: repository.dir,
        env: { ...plainEnv(), GIT_OBJECT_DIRECTORY: join(runDir, 'objects') },
      }).toString();
    const { beforeTree, afterTree } = report.evidence;
    expect(show(`${beforeTree}:a.txt`)).toBe('only on this branch\n');
    expect(show(`${beforeTree}:dir/b.txt`)).toBe('b, too\n');
    expect(show(`${afterTree}:a.txt`)).toBe('changed\n');
  });

  it('notices that its own index was changed meanwhile', async () => {
    const repository = makeRepository();
    const { first, runDir } = await look(repository.dir);
    writeFileSync(join(runDir, 'snapshot', 'before.index'), '');
    const report = await first.after({ killed: false, possible: () => true, gaps: [] });
    expect(report.evidence).toMatchObject({
      tree: 'unknown',
      coverage: { complete: false, gaps: [expect.stringContaining('index in the run directory')] },
    });
  });

  it('can be looked at twice: after an abort, and when the tree of processes is gone', async () => {
    const repository = makeRepository();
    const { first } = await look(repository.dir);
    repository.write({ 'a.txt': 'a\n' });
    const end = { killed: false, possible: () => true, gaps: [] };
    expect(lines(await first.after(end))).toEqual(['added a.txt +1 -0']);
    repository.write({ 'b.txt': 'b\n', 'a.txt': null });
    expect(lines(await first.after(end))).toEqual(['added b.txt +1 -0']);
  });

  it('gives up when it is told to: thrown before the run, unknown after it', async () => {
    const repository = makeRepository();
    await expect(look(repository.dir, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'git-aborted',
    });
    const { first } = await look(repository.dir);
    const report = await first.after({
      killed: false,
      possible: () => true,
      gaps: [],
      signal: AbortSignal.abort(),
    });
    expect(report).toMatchObject({
      touchedFiles: null,
      evidence: { tree: 'unknown', coverage: { complete: false } },
    });
  });
});
