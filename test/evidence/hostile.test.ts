import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository, openRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { lines, patchOf, plainEnv, watch } from './watching.ts';

/** Programs that leave a trace when anybody runs them, and the ways to have git run them. */
function trap(): { folder: string; sprung: () => boolean; script: (name: string) => string; config: string } {
  const folder = temporaryFolder();
  const trace = join(folder, 'trace');
  const script = (name: string): string => {
    const file = join(folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho ${name} >> ${trace}\ncat\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const hooks = join(folder, 'hooks');
  mkdirSync(hooks);
  for (const hook of [
    'post-index-change',
    'pre-commit',
    'reference-transaction',
    'post-checkout',
    'fsmonitor-watchman',
  ]) {
    cpSync(script(hook), join(hooks, hook));
  }
  const config = [
    `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${script('monitor')}\n\tsshCommand = ${script('ssh')}\n\tpager = ${script('pager')}\n`,
    `\talternateRefsCommand = ${script('alternates')}\n\tattributesFile = ${folder}/attributes\n`,
    `[filter "evil"]\n\tclean = ${script('clean')}\n\tsmudge = ${script('smudge')}\n\tprocess = ${script('process')}\n\trequired = true\n`,
    `[diff "evil"]\n\ttextconv = ${script('textconv')}\n\tcommand = ${script('differ')}\n[diff]\n\texternal = ${script('external')}\n`,
    `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::${script('remote')}\n\tpromisor = true\n`,
  ].join('');
  writeFileSync(join(folder, 'attributes'), '* filter=evil diff=evil\n');
  return { folder, sprung: () => existsSync(trace), script, config };
}

const ATTRIBUTES = { '.gitattributes': '* filter=evil diff=evil merge=evil\n' };

describe('what the implementer writes is not run', () => {
  it('filters, hooks, monitors and drivers in .git/config', async () => {
    const repository = makeRepository({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const { config, sprung } = trap();
    const report = await watch(repository.dir, () => {
      writeFileSync(join(repository.dir, '.git', 'config'), config, { flag: 'a' });
      writeFileSync(join(repository.dir, '.git', 'info', 'attributes'), '* filter=evil diff=evil\n');
      repository.write({ ...ATTRIBUTES, 'a.txt': 'changed\n', 'new.txt': 'new\n', 'b.txt': null });
    });
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual([
      'added .gitattributes +1 -0',
      'modified a.txt +1 -1',
      'deleted b.txt +0 -1',
      'added new.txt +1 -0',
    ]);
    expect(patchOf(report)).toContain('+changed');
    expect(report.evidence.violations.map(({ kind }) => kind)).toContain('git-config');
    expect(report.touchedFiles).toEqual([' M a.txt', ' D b.txt', '?? .gitattributes', '?? new.txt']);
  });

  it('the same behind an include, in the worktree configuration, and in the configuration of the home folder', async () => {
    const repository = makeRepository({
      config: { 'include.path': '../included', 'extensions.worktreeConfig': 'true' },
    });
    const home = temporaryFolder();
    const { config, sprung } = trap();
    const report = await watch(
      repository.dir,
      () => {
        for (const file of [
          join(repository.dir, 'included'),
          join(repository.dir, '.git/config.worktree'),
          join(home, '.gitconfig'),
        ])
          writeFileSync(file, config);
        repository.write({ ...ATTRIBUTES, 'README.md': 'changed\n' });
      },
      { env: plainEnv(home) },
    );
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual([
      'added .gitattributes +1 -0',
      'modified README.md +1 -1',
      expect.stringContaining('added included'),
    ]);
  });

  it('a `.git` file of a linked worktree that was rewritten to lead elsewhere', async () => {
    const main = makeRepository();
    const linked = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', linked);
    const { config, sprung } = trap();
    const elsewhere = makeRepository();
    const report = await watch(linked, () => {
      writeFileSync(join(elsewhere.dir, '.git', 'config'), config, { flag: 'a' });
      writeFileSync(join(linked, '.git'), `gitdir: ${elsewhere.dir}/.git\n`);
      openRepository(linked).write({ ...ATTRIBUTES, 'README.md': 'changed\n' });
    });
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual(['added .gitattributes +1 -0', 'modified README.md +1 -1']);
    expect(report.evidence.violations.length).toBeGreaterThan(0);
  });

  it('a nested repository that was made, and one whose configuration was written', async () => {
    const repository = makeRepository();
    const old = makeRepository({ dir: join(repository.dir, 'old'), files: { 'o.txt': 'o\n' } });
    const { config, sprung } = trap();
    const report = await watch(repository.dir, () => {
      const made = makeRepository({
        dir: join(repository.dir, 'made'),
        files: { ...ATTRIBUTES, 'm.txt': 'm\n' },
      });
      for (const { dir } of [old, made]) writeFileSync(join(dir, '.git', 'config'), config, { flag: 'a' });
      old.write({ ...ATTRIBUTES, 'o.txt': 'changed\n' });
      made.write({ 'm.txt': 'changed\n' });
    });
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual(
      expect.arrayContaining([
        'modified old/o.txt binary *',
        'added old/.gitattributes binary',
        'added made/m.txt binary',
      ]),
    );
    expect(report.evidence.violations).toEqual([
      expect.objectContaining({ kind: 'git-config', detail: expect.stringContaining('old') }),
    ]);
    expect(report.evidence.notices.join()).toContain('made');
    expect(report.evidence.coverage.complete).toBe(false);
  });

  it('a submodule whose git directory was replaced', async () => {
    const module = makeRepository({ files: { 's.txt': 's\n' } });
    const repository = makeRepository();
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module.dir, 'sub');
    repository.commit();
    const { config, sprung } = trap();
    const report = await watch(repository.dir, () => {
      rmSync(join(repository.dir, 'sub', '.git'));
      cpSync(join(module.dir, '.git'), join(repository.dir, 'sub', '.git'), { recursive: true });
      writeFileSync(join(repository.dir, 'sub', '.git', 'config'), config, { flag: 'a' });
      repository.write({ 'sub/.gitattributes': '* filter=evil\n', 'sub/s.txt': 'changed\n' });
    });
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual(['added sub/.gitattributes binary', 'modified sub/s.txt binary *']);
    expect(report.evidence.violations).toContainEqual(
      expect.objectContaining({ kind: 'git-config', detail: expect.stringContaining('sub') }),
    );
  });

  it("the program of a filter that is the user's own, where it lies in the working tree", async () => {
    const repository = makeRepository({
      files: { '.gitattributes': '*.up filter=up\n', 'tools/up.sh': '#!/bin/sh\ntr a-z A-Z\n' },
    });
    repository.setExecutable('tools/up.sh', true);
    repository.git('config', 'filter.up.clean', './tools/up.sh');
    repository.commit({ 'a.up': 'abc\n', 'b.up': 'b\n' });
    const { sprung, script } = trap();
    const report = await watch(repository.dir, () => {
      cpSync(script('planted'), join(repository.dir, 'tools', 'up.sh'));
      repository.write({ 'a.up': 'def\n' });
    });
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual([
      expect.stringContaining('modified a.up +1 -1'),
      expect.stringContaining('modified tools/up.sh'),
    ]);
    expect(report.evidence.coverage.gaps).toEqual([expect.stringMatching(/filter up .*a\.up/)]);
  });

  it('a git, or the program of a filter, that was put into a folder of the tree on PATH', async () => {
    // The filter is there before the first commit: set later, what git has stored of `a.up` depends on whether it reads it again.
    const repository = makeRepository({
      config: { 'filter.up.clean': 'tr a-z A-Z' },
      files: { '.gitattributes': '*.up filter=up\n', 'a.up': 'a\n' },
    });
    const bin = join(repository.dir, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    const { sprung, script } = trap();
    const env = plainEnv();
    const report = await watch(
      repository.dir,
      () => {
        for (const name of ['git', 'tr', 'sh']) cpSync(script(name), join(bin, name));
        repository.write({ 'a.up': 'b\n' });
      },
      { env: { ...env, PATH: `${bin}${delimiter}${env['PATH']}` } },
    );
    expect(sprung()).toBe(false);
    expect(patchOf(report)).toContain('\n-A\n+B\n');
  });

  it.each(['git', 'git-after'])('what was written into %s of the run directory', async (name) => {
    const repository = makeRepository();
    const { config, sprung } = trap();
    const runDir = join(temporaryFolder(), 'run');
    const report = await watch(
      repository.dir,
      () => {
        const folder = join(runDir, 'snapshot', name);
        mkdirSync(join(folder, 'info'), { recursive: true });
        writeFileSync(join(folder, 'config'), config, { flag: 'a' });
        writeFileSync(join(folder, 'info', 'attributes'), '* filter=evil\n');
        repository.write({ ...ATTRIBUTES, 'README.md': 'changed\n' });
      },
      { runDir },
    );
    expect(sprung()).toBe(false);
    expect(lines(report)).toEqual(['added .gitattributes +1 -0', 'modified README.md +1 -1']);
  });

  it('rules that would hide files: info/exclude, excludes of the home folder, hidden index entries', async () => {
    const home = temporaryFolder();
    const repository = makeRepository();
    const report = await watch(
      repository.dir,
      () => {
        writeFileSync(join(repository.dir, '.git', 'info', 'exclude'), '*\n');
        mkdirSync(join(home, '.config', 'git'), { recursive: true });
        writeFileSync(join(home, '.config', 'git', 'ignore'), '*\n');
        repository.git('update-index', '--assume-unchanged', 'README.md');
        repository.write({ 'README.md': 'changed\n', 'new.txt': 'new\n' });
      },
      { env: plainEnv(home), profile: 'read-only' },
    );
    expect(lines(report)).toEqual(['modified README.md +1 -1', 'added new.txt +1 -0']);
    expect(report.readOnlyViolation).toBe(true);
  });
});
