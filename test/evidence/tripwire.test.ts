import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { lines, look, plainEnv, watch, type WatchOptions } from './watching.ts';

const readOnly = (repository: TestRepository, act: () => unknown, options: WatchOptions = {}) =>
  watch(repository.dir, act, { profile: 'read-only', ...options });

function withSubmodule(): { repository: TestRepository; sub: string } {
  const module = makeRepository({ files: { 's.txt': 's\n', 't.txt': 't\n' } });
  const repository = makeRepository();
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module.dir, 'sub');
  repository.commit();
  return { repository, sub: join(repository.dir, 'sub') };
}

describe('the tripwire of a read-only run', () => {
  it('is false in a clean tree and in a dirty one that stays as it was', async () => {
    const repository = makeRepository();
    expect((await readOnly(repository, () => {})).readOnlyViolation).toBe(false);
    repository.write({ 'README.md': 'dirty\n', 'un/tracked.txt': 'u\n' });
    repository.git('add', 'README.md');
    const report = await readOnly(repository, () => repository.status());
    expect(report).toMatchObject({ readOnlyViolation: false, touchedFiles: ['M  README.md', '?? un/'] });
  });

  it.each<[string, (repository: TestRepository) => unknown]>([
    ['a new file', (r) => r.write({ 'new.txt': '' })],
    ['a new file in an untracked folder', (r) => r.write({ 'un/new.txt': 'n' })],
    ['an edit in an untracked folder', (r) => r.write({ 'un/tracked.txt': 'changed\n' })],
    ['an edit of a file that was dirty already', (r) => appendFileSync(join(r.dir, 'dirty.txt'), 'more\n')],
    ['an index-only change', (r) => r.git('add', 'dirty.txt')],
    ['a removal from the index', (r) => r.git('rm', '-q', '--cached', 'run.sh')],
    [
      'a link that points elsewhere',
      (r) => (rmSync(join(r.dir, 'link')), symlinkSync('run.sh', join(r.dir, 'link'))),
    ],
    ['a mode bit', (r) => r.setExecutable('run.sh', true)],
    ['a file that became a folder', (r) => (rmSync(join(r.dir, 'run.sh')), mkdirSync(join(r.dir, 'run.sh')))],
    ['a commit', (r) => r.commit({ 'dirty.txt': 'committed\n' })],
    ['a commit that was taken back softly', (r) => (r.commit(), r.git('reset', '-q', '--soft', 'HEAD~'))],
    ['a stash', (r) => r.git('stash', 'push', '-q')],
    ['a branch', (r) => r.git('branch', 'other')],
    ['a hook', (r) => r.write({ '.git/hooks/pre-commit': '#!/bin/sh\n' })],
    ['a setting', (r) => r.git('config', 'core.hooksPath', '/tmp')],
    ['a rule in info/exclude', (r) => r.write({ '.git/info/exclude': 'x\n' })],
  ])('is true for %s', async (_, act) => {
    const repository = makeRepository({ files: { 'dirty.txt': 'd\n', 'run.sh': 'r\n' } });
    symlinkSync('dirty.txt', join(repository.dir, 'link'));
    repository.commit();
    repository.write({ 'dirty.txt': 'dirty\n', 'un/tracked.txt': 'u\n' });
    const report = await readOnly(repository, () => act(repository));
    expect(report.readOnlyViolation).toBe(true);
    expect(report.evidence.violations.length).toBeGreaterThan(0);
  });

  it('names a changed tree as a violation of its own kind, and who could have done it', async () => {
    const repository = makeRepository();
    const report = await readOnly(repository, () => repository.write({ 'a.txt': 'a' }), {
      possible: (kind) => kind !== 'read-only',
    });
    expect(report.evidence.violations).toEqual([
      {
        kind: 'read-only',
        detail: 'the working tree was changed: a.txt (added)',
        actor: 'excluded-by-sandbox',
      },
    ]);
  });

  it('is null where somebody else has a gap, and true where something is proven all the same', async () => {
    const repository = makeRepository();
    expect(
      (await readOnly(repository, () => {}, { gaps: ['the sandbox is unknown'] })).readOnlyViolation,
    ).toBeNull();
    expect(
      (await readOnly(repository, () => repository.write({ a: 'a' }), { gaps: ['the sandbox is unknown'] }))
        .readOnlyViolation,
    ).toBe(true);
  });

  it('a commit of a write run is a violation, and what it committed is attributed', async () => {
    const repository = makeRepository();
    const report = await watch(repository.dir, () =>
      repository.commit({ 'README.md': 'committed\n', 'b.txt': 'b\n' }),
    );
    expect(lines(report)).toEqual(['modified README.md +1 -1', 'added b.txt +1 -0']);
    expect(report.touchedFiles).toEqual([]);
    expect(report.evidence.violations.map(({ kind }) => kind)).toContain('commit');
  });

  it('a change outside of the declared scope is reported, a rename by both of its names', async () => {
    const repository = makeRepository({ files: { 'src/a.txt': 'a\nb\nc\n', 'b.txt': 'b\n' } });
    const report = await watch(
      repository.dir,
      () => {
        repository.write({ 'src/new.txt': 'n\n', 'b.txt': 'changed\n' });
        renameSync(join(repository.dir, 'src/a.txt'), join(repository.dir, 'moved.txt'));
      },
      { touch: ['src/**'] },
    );
    expect(report.evidence.violations.map(({ kind, detail }) => `${kind}: ${detail.split(' ')[0]}`)).toEqual([
      'scope: b.txt',
      'scope: moved.txt',
    ]);
  });
});

describe('what cannot be read', () => {
  it('a FIFO in the place of a file: gone from the tree, and a gap', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const report = await watch(repository.dir, () => {
      repository.write({ 'a.txt': null, 'b.txt': 'changed\n' });
      execFileSync('mkfifo', [join(repository.dir, 'a.txt'), join(repository.dir, 'new')]);
    });
    expect(lines(report)).toEqual(['deleted a.txt +0 -1', 'modified b.txt +1 -1']);
    expect(report.evidence.coverage.gaps).toEqual([expect.stringContaining('a.txt is not a file')]);
  });

  it('a file without permission: its old content stays, and a gap; never a verdict', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n' } });
    repository.write({ 'a.txt': 'dirty\n', secret: 's\n' });
    const paths = ['a.txt', 'secret'].map((name) => join(repository.dir, name));
    const env = plainEnv(join(repository.dir, '.git'));
    const report = await asOrdinaryUser(repository.dir, async () => {
      for (const path of paths) chmodSync(path, 0);
      return watch(repository.dir, () => {}, {
        env,
        profile: 'read-only',
        runDir: join(repository.dir, '.git', 'run'),
      });
    });
    expect(report).toMatchObject({
      readOnlyViolation: null,
      evidence: { tree: 'unknown', changes: [], violations: [] },
    });
    expect(report.evidence.coverage.gaps).toEqual([
      expect.stringContaining('a.txt'),
      expect.stringContaining('secret'),
    ]);
  });

  it('a folder without permission is a gap', async () => {
    const repository = makeRepository({ files: { 'dir/c.txt': 'c\n' } });
    const env = plainEnv(join(repository.dir, '.git'));
    const report = await asOrdinaryUser(repository.dir, async () => {
      chmodSync(join(repository.dir, 'dir'), 0);
      try {
        return await watch(repository.dir, () => {}, {
          env,
          profile: 'read-only',
          runDir: join(repository.dir, '.git', 'run'),
        });
      } finally {
        chmodSync(join(repository.dir, 'dir'), 0o755);
      }
    });
    expect(report).toMatchObject({ readOnlyViolation: null, evidence: { tree: 'unknown', violations: [] } });
    expect(report.evidence.coverage.gaps.join('\n')).toContain('dir');
  });
});

describe('a git that hangs', () => {
  it.each(['status', 'config', 'diff-tree'])(
    'in %s makes the evidence unknown in its time, and is ended',
    async (command) => {
      const repository = makeRepository();
      const bin = temporaryFolder();
      const hang = `case "$*" in *" ${command} "*) exec sleep 600;; esac\nexec ${execFileSync('which', ['git']).toString().trim()} "$@"`;
      writeFileSync(join(bin, 'git'), `#!/bin/sh\n${hang}\n`, { mode: 0o755 });
      const env = plainEnv();
      const report = await readOnly(repository, () => repository.write({ 'a.txt': 'a\n' }), {
        env: { ...env, PATH: `${bin}:${env['PATH']}` },
        gitTimeoutMs: 1500,
      });
      expect(report).toMatchObject({ readOnlyViolation: null, evidence: { tree: 'unknown', changes: [] } });
      expect(report.evidence.coverage.gaps.join()).toContain(`git ${command} did not answer within 1500 ms`);
    },
  );
});

describe('ignored files', () => {
  it('are not looked at, and the evidence says so', async () => {
    const repository = makeRepository({ files: { '.gitignore': 'build/\n*.log\n' } });
    const report = await readOnly(repository, () => repository.write({ 'build/x': 'x', 'a.log': 'a' }));
    expect(report).toMatchObject({
      readOnlyViolation: false,
      evidence: { tree: 'unchanged', coverage: { ignored: 'not-scanned' } },
    });
  });

  it('are looked at on request, within bounds; what cannot be finished is unknown', async () => {
    const repository = makeRepository({ files: { '.gitignore': 'build/\nout/\n' } });
    repository.write({ 'build/x': 'x' });
    const act = (): void => repository.write({ 'build/x': 'changed', 'out/events.jsonl': 'own' });
    const ignored = { files: 1000, pathBytes: 1_000_000, ms: 60_000 };
    const options = { runDir: join(repository.dir, 'out'), ignored };
    const report = await readOnly(repository, act, options);
    expect(report.evidence).toMatchObject({
      tree: 'unchanged',
      coverage: { complete: true, ignored: 'scanned' },
    });
    expect(report.evidence.violations.map(({ detail }) => detail)).toEqual([
      'ignored files were changed: build/x (modified)',
    ]);
    const written = await watch(repository.dir, () => repository.write({ 'build/x': 'again!' }), options);
    expect(written.evidence).toMatchObject({ violations: [], notices: [expect.stringContaining('build/x')] });
    const cut = await readOnly(repository, () => {}, { ...options, ignored: { ...ignored, files: 0 } });
    expect(cut).toMatchObject({
      readOnlyViolation: null,
      evidence: { coverage: { ignored: 'not-scanned' } },
    });
  });

  it('of before the run are never stored, whatever .gitignore says afterwards', async () => {
    const repository = makeRepository({ files: { '.gitignore': '.env\nnode_modules/\n' } });
    repository.write({ '.env': 'SECRET=before\n', 'node_modules/dep/index.js': 'x\n' });
    const { first, runDir } = await look(repository.dir);
    repository.write({ '.gitignore': '', 'new.txt': 'n\n', '.env': 'SECRET=after\n' });
    const report = await first.after({ killed: false, possible: () => true, gaps: [] });
    expect(lines(report)).toEqual(['modified .gitignore +0 -2', 'added new.txt +1 -0']);
    expect(report.evidence.notices.join()).toMatch(/\.env, node_modules\/dep\/index\.js/);
    const secret = execFileSync('git', ['hash-object', '--stdin'], { input: 'SECRET=after\n' })
      .toString()
      .trim();
    expect(existsSync(join(runDir, 'objects', secret.slice(0, 2), secret.slice(2)))).toBe(false);
  });

  it('a file that the run itself made is attributed though a rule ignored its name before', async () => {
    const repository = makeRepository({ files: { '.gitignore': '*.gen\n' } });
    const report = await watch(repository.dir, () =>
      repository.write({ '.gitignore': '', 'new.gen': 'n\n' }),
    );
    expect(lines(report)).toEqual(['modified .gitignore +0 -1', 'added new.gen +1 -0']);
  });

  it('tracked files below an ignored folder are looked at', async () => {
    const repository = makeRepository({ files: { '.gitignore': 'build/\n' } });
    repository.write({ 'build/kept.txt': 'k\n', 'build/other.txt': 'o\n' });
    repository.git('add', '-f', 'build/kept.txt');
    repository.git('commit', '-q', '-m', 'kept');
    const report = await watch(repository.dir, () =>
      repository.write({ 'build/kept.txt': 'changed\n', 'build/other.txt': 'changed\n' }),
    );
    expect(lines(report)).toEqual(['modified build/kept.txt +1 -1']);
  });
});

describe('large untracked files', () => {
  const big = (repository: TestRepository, name: string): string => join(repository.dir, name);
  const limit = { maxUntrackedBytes: 1000 };

  it('are not stored, and their changes are named all the same', async () => {
    const repository = makeRepository();
    for (const name of ['edited', 'same-size', 'gone', 'touched', 'shrunk', 'quiet'])
      writeFileSync(big(repository, name), Buffer.alloc(5000, 'x'));
    writeFileSync(big(repository, 'grows'), 'small');
    const before = repository.fingerprint();
    const report = await watch(
      repository.dir,
      () => {
        appendFileSync(big(repository, 'edited'), 'y');
        writeFileSync(big(repository, 'same-size'), Buffer.alloc(5000, 'y'));
        rmSync(big(repository, 'gone'));
        utimesSync(big(repository, 'touched'), 1, 1);
        truncateSync(big(repository, 'shrunk'), 10);
        writeFileSync(big(repository, 'grows'), Buffer.alloc(5000, 'g'));
        writeFileSync(big(repository, 'new'), Buffer.alloc(5000, 'n'));
      },
      limit,
    );
    expect(lines(report)).toEqual([
      'modified edited binary *',
      'deleted gone binary *',
      'modified grows binary *',
      'added new binary',
      'modified same-size binary *',
      'modified shrunk binary *',
    ]);
    expect(report.evidence.tree).toBe('changed');
    expect(report.evidence.coverage.gaps).toHaveLength(6);
    expect(repository.fingerprint()).toEqual(before);
  });

  it('that stay as they are leave the coverage complete', async () => {
    const repository = makeRepository();
    writeFileSync(big(repository, 'quiet'), Buffer.alloc(5000, 'x'));
    const report = await readOnly(repository, () => utimesSync(big(repository, 'quiet'), 1, 1), limit);
    expect(report).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged' } });
  });

  it('a tracked file is stored whatever its size', async () => {
    const repository = makeRepository({ files: { big: 'x'.repeat(5000) } });
    const report = await watch(
      repository.dir,
      () => writeFileSync(big(repository, 'big'), 'y'.repeat(6000)),
      limit,
    );
    expect(lines(report)).toEqual(['modified big +1 -1']);
    expect(report.evidence.coverage.complete).toBe(true);
  });
});

describe('nested repositories', () => {
  it('a clean submodule is compared file by file, with complete coverage', async () => {
    const { repository, sub } = withSubmodule();
    const quiet = await readOnly(repository, () => {});
    expect(quiet).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged' } });
    const report = await readOnly(repository, () => appendFileSync(join(sub, 's.txt'), 'more\n'));
    expect(lines(report)).toEqual(['modified sub/s.txt binary *']);
    expect(report).toMatchObject({ readOnlyViolation: true, evidence: { tree: 'changed' } });
  });

  it('a dirty submodule is unknown unless something is proven; a second edit is', async () => {
    for (const dirt of ['s.txt', 'untracked.txt']) {
      const { repository, sub } = withSubmodule();
      appendFileSync(join(sub, dirt), 'dirty\n');
      repository.git('config', 'submodule.sub.ignore', 'all');
      expect((await readOnly(repository, () => {})).readOnlyViolation).toBeNull();
      expect(
        (await readOnly(repository, () => appendFileSync(join(sub, dirt), 'more\n'))).readOnlyViolation,
      ).toBe(true);
    }
  });

  it('a commit inside a submodule is reported', async () => {
    const { repository, sub } = withSubmodule();
    const identity = ['-c', 'user.name=n', '-c', 'user.email=e'];
    const report = await readOnly(repository, () =>
      repository.git('-C', sub, ...identity, 'commit', '-q', '--allow-empty', '-m', 'x'),
    );
    expect(report.readOnlyViolation).toBe(true);
    expect(report.evidence.violations[0]?.detail).toContain('sub');
  });

  it('a submodule that is not checked out, and files put into its folder', async () => {
    const { repository } = withSubmodule();
    repository.git('submodule', '--quiet', 'deinit', '-f', 'sub');
    expect((await readOnly(repository, () => {})).readOnlyViolation).toBe(false);
    const report = await readOnly(repository, () => repository.write({ 'sub/planted.txt': 'p' }));
    expect(lines(report)).toEqual(['added sub/planted.txt binary']);
  });

  it('a submodule that became a file', async () => {
    const { repository, sub } = withSubmodule();
    const report = await readOnly(repository, () => {
      rmSync(sub, { recursive: true });
      writeFileSync(sub, 'a file\n');
    });
    expect(report.readOnlyViolation).toBe(true);
    expect(lines(report)).toEqual(expect.arrayContaining(['deleted sub/s.txt binary *']));
  });

  it('a part of it that cannot be read is a gap, and the rest is still compared', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n' } });
    makeRepository({ dir: join(repository.dir, 'nested'), files: { 'n.txt': 'n\n', 'closed/c.txt': 'c\n' } });
    const env = plainEnv(join(repository.dir, '.git'));
    const closed = join(repository.dir, 'nested', 'closed');
    const report = await asOrdinaryUser(repository.dir, async () => {
      chmodSync(closed, 0o600);
      try {
        return await watch(
          repository.dir,
          () => repository.write({ 'a.txt': 'x\n', 'nested/n.txt': 'changed\n' }),
          {
            env,
            runDir: join(repository.dir, '.git', 'run'),
          },
        );
      } finally {
        chmodSync(closed, 0o755);
      }
    });
    expect(lines(report)).toEqual(['modified a.txt +1 -1', 'modified nested/n.txt binary *']);
    expect(report.evidence.coverage.gaps.join('\n')).toContain('nested/closed');
  });

  it('one without commits is compared, too', async () => {
    const repository = makeRepository();
    makeRepository({ dir: join(repository.dir, 'empty'), files: null });
    repository.write({ 'empty/x.txt': 'x\n' });
    expect((await readOnly(repository, () => {})).readOnlyViolation).toBe(false);
    const report = await readOnly(repository, () => repository.write({ 'empty/x.txt': 'y\n' }));
    expect(lines(report)).toEqual(['modified empty/x.txt binary *']);
  });

  it('that loses its `.git` does not turn its files into new ones', async () => {
    const repository = makeRepository();
    makeRepository({ dir: join(repository.dir, 'nested'), files: { 'n.txt': 'n\n' } });
    const report = await watch(repository.dir, () =>
      rmSync(join(repository.dir, 'nested', '.git'), { recursive: true }),
    );
    expect(lines(report)).toEqual([]);
    expect(report.evidence.violations).toEqual([
      expect.objectContaining({ detail: expect.stringContaining('nested') }),
    ]);
  });

  it('their git directories are named for the sandbox: nested, submodule, ignored, in a tracked folder, linked', async () => {
    const { repository } = withSubmodule();
    repository.commit({ '.gitignore': 'ignored/\n', 'tracked/t.txt': 't\n' });
    for (const dir of ['nested', 'ignored/deep/repo', 'tracked'])
      makeRepository({ dir: join(repository.dir, dir) });
    repository.git('worktree', 'add', '-q', 'ignored/linked');
    const { first } = await look(repository.dir);
    const named = [
      'sub/.git',
      '.git/modules/sub',
      'nested/.git',
      'ignored/deep/repo/.git',
      'tracked/.git',
      'ignored/linked/.git',
      '.git/worktrees/linked',
    ];
    expect(first.nestedGitDirs).toEqual(
      expect.arrayContaining(named.map((path) => join(repository.dir, path))),
    );
  });
});

describe('a run directory inside the tree', () => {
  const inside = (repository: TestRepository, name = 'out') => ({ runDir: join(repository.dir, name) });
  const artifacts = (dir: string): void => {
    for (const name of [
      'brief.txt',
      'events.jsonl',
      'stderr.txt',
      'final.txt',
      'profile.json',
      'run.json',
      '.reserve',
      '.result.json.0123456789ab.tmp',
    ])
      writeFileSync(join(dir, name), name);
  };

  it.each(['out', 'deep/er/out', '.'])('%s: its own files are no change', async (name) => {
    const repository = makeRepository();
    const options = inside(repository, name);
    const report = await readOnly(repository, () => artifacts(options.runDir), options);
    expect(report).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged' } });
    expect(report.touchedFiles).toEqual([]);
  });

  it('anything else in it is', async () => {
    const repository = makeRepository();
    const options = inside(repository);
    const report = await readOnly(
      repository,
      () => repository.write({ 'out/evil.txt': 'e', 'out/result.json.d/x': 'x' }),
      options,
    );
    expect(lines(report)).toEqual(['added out/evil.txt +1 -0', 'added out/result.json.d/x +1 -0']);
  });

  it('a rename of something onto one of its names is, and a write through a linked one', async () => {
    const repository = makeRepository({ files: { 'victim.txt': 'v\n', 'other.txt': 'o\n' } });
    const options = inside(repository);
    const report = await readOnly(
      repository,
      () => {
        renameSync(join(repository.dir, 'victim.txt'), join(options.runDir, 'final.txt'));
        symlinkSync('../other.txt', join(options.runDir, 'stderr.txt'));
        appendFileSync(join(options.runDir, 'stderr.txt'), 'through it\n');
      },
      options,
    );
    expect(lines(report)).toEqual(['modified other.txt +1 -0', 'deleted victim.txt +0 -1']);
    expect(report.readOnlyViolation).toBe(true);
  });

  it('the patch is a new file, though a link was put in its place', async () => {
    const repository = makeRepository({ files: { 'victim.txt': 'v\n' } });
    const options = inside(repository);
    const report = await watch(
      repository.dir,
      () => symlinkSync('../victim.txt', join(options.runDir, 'changes.patch')),
      options,
    );
    expect(repository.read('victim.txt')).toBe('v\n');
    expect(lstatSync(report.patchPath ?? '').isFile()).toBe(true);
  });

  it('another spelling of an artifact is the artifact only where case does not matter', async () => {
    const repository = makeRepository();
    const options = inside(repository);
    const act = (): void => repository.write({ 'out/Final.TXT': 'f' });
    expect((await readOnly(repository, act, options)).readOnlyViolation).toBe(true);
    rmSync(options.runDir, { recursive: true });
    repository.git('config', 'core.ignoreCase', 'true');
    expect((await readOnly(repository, act, options)).readOnlyViolation).toBe(false);
  });
});

describe('placeholders of a sandbox', () => {
  it('are no change, and are cleared away after a kill', async () => {
    const repository = makeRepository();
    const leave = (): void => writeFileSync(join(repository.dir, '.bashrc'), '', { mode: 0o444 });
    const quiet = await readOnly(repository, leave);
    expect(quiet).toMatchObject({ readOnlyViolation: false, evidence: { tree: 'unchanged' } });
    rmSync(join(repository.dir, '.bashrc'));
    const killed = await readOnly(repository, leave, { killed: true });
    expect(killed).toMatchObject({ readOnlyViolation: false, touchedFiles: [] });
    expect(killed.evidence.notices.join()).toContain('.bashrc');
    expect(readdirSync(repository.dir)).not.toContain('.bashrc');
  });
});

it('a hard link to a file of the object store does not matter', async () => {
  const repository = makeRepository();
  const outside = join(temporaryFolder(), 'other');
  const report = await readOnly(repository, () => linkSync(join(repository.dir, 'README.md'), outside));
  expect(report.readOnlyViolation).toBe(false);
});

/** Runs as somebody without special rights, where the tests run as root: only so can a file be unreadable. */
async function asOrdinaryUser<T>(dir: string, act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act();
  // The temporary folder of this run is closed to others; what lies above it is not ours to open.
  for (let parent = dirname(dir); parent.startsWith(realpathSync(tmpdir())); parent = dirname(parent)) {
    const { mode } = lstatSync(parent);
    if ((mode & 0o001) === 0) chmodSync(parent, (mode & 0o7777) | 0o011);
  }
  execFileSync('chown', ['-R', '65534:65534', dir]);
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
