import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LandableRun } from '../../src/landing/plan-landing.ts';
import { plainEnv } from '../evidence/watching.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { readTree } from './edits.ts';
import { addHook } from './hooks.ts';
import { landRuns, runOf, workshopAt } from './landing.ts';

const BASE = Array.from({ length: 12 }, (_, at) => `${at}\n`).join('');

/** The run edits the end of a file whose beginning the user has edited. */
async function scene(): Promise<{ repository: TestRepository; run: LandableRun }> {
  const repository = makeRepository({ files: { 'a.txt': BASE } });
  repository.write({ 'a.txt': `mine\n${BASE}`, 'untracked.txt': 'u\n' });
  const run = await runOf(repository, () => repository.write({ 'a.txt': `mine\n${BASE}run\n` }));
  return { repository, run };
}

/** What counts of a repository: a refused landing leaves all of it. */
function stateOf(repository: TestRepository) {
  return { head: repository.head(), status: repository.status(), tree: readTree(repository.dir) };
}

describe('hooks of the user', () => {
  it('see the commit that is being made, and may write its message', async () => {
    const { repository, run } = await scene();
    const seen = temporaryFolder();
    addHook(
      repository,
      'pre-commit',
      `git diff --cached --stat >'${seen}/staged'; git status --short >'${seen}/status'`,
    );
    addHook(repository, 'prepare-commit-msg', `echo "$2" >'${seen}/source'`);
    addHook(repository, 'commit-msg', `echo 'Signed-off-by: hook' >>"$1"`);
    addHook(repository, 'post-commit', `git log -1 --format=%s >'${seen}/post'; echo from post-commit`);
    const workshop = await workshopAt(repository, [run]);

    const record = await landRuns(workshop, [run], {
      message: 'Subject',
      trailers: [`Baton-Run: ${run.id}`],
    });

    const read = (name: string): string => readFileSync(join(seen, name), 'utf8');
    expect(read('staged')).toMatch(/a\.txt \| 1 \+/);
    expect(read('status')).toBe('MM a.txt\n?? untracked.txt\n');
    expect(read('source')).toBe('message\n');
    expect(read('post')).toBe('Subject\n');
    expect(repository.git('log', '-1', '--format=%B')).toBe(
      `Subject\n\nBaton-Run: ${run.id}\nSigned-off-by: hook\n`,
    );
    expect(record.hooks).toEqual([{ name: 'post-commit', code: 0, output: 'from post-commit\n' }]);
  });

  it.each([
    ['pre-commit', 'echo no; exit 3', 'hook-failed'],
    ['prepare-commit-msg', 'exit 1', 'hook-failed'],
    ['commit-msg', 'echo bad subject >&2; exit 1', 'hook-failed'],
    ['commit-msg', ': >"$1"', 'hook-failed'],
  ])('%s that refuses (%s) leaves everything as it was', async (name, body, code) => {
    const { repository, run } = await scene();
    addHook(repository, name, body);
    const before = stateOf(repository);

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({ code });

    expect(stateOf(repository)).toEqual(before);
    expect(existsSync(join(repository.dir, '.git', 'index.lock'))).toBe(false);
  });

  it('that rewrite the commit are refused with the files put back, and followed with consent', async () => {
    const { repository, run } = await scene();
    // A formatter that works on the file and stages it, as many do.
    addHook(repository, 'pre-commit', `sed -i.bak 's/^run$/RUN/' a.txt && rm a.txt.bak && git add a.txt`);
    const before = stateOf(repository);

    const refused = landRuns(await workshopAt(repository, [run]), [run]);
    await expect(refused).rejects.toMatchObject({
      code: 'hook-rewrote',
      message: expect.stringContaining('a.txt'),
    });
    expect(stateOf(repository)).toEqual(before);

    const record = await landRuns(await workshopAt(repository, [run]), [run], { acceptHookChanges: true });
    expect(record.hookRewrote).toEqual(['a.txt']);
    expect(repository.git('show', 'HEAD:a.txt')).toBe(`mine\n${BASE}RUN`);
    expect(repository.status()).toEqual(['?? untracked.txt']);
  });

  it('that hide what is not staged, as lint-staged does, get the index of the commit and lose nothing', async () => {
    const { repository, run } = await scene();
    addHook(
      repository,
      'pre-commit',
      `set -e
      git diff --binary --no-color >"$GIT_DIR/hidden.patch"
      git checkout-index -q -f -a
      sed -i.bak 's/^run$/RUN/' a.txt; rm a.txt.bak; git add a.txt
      git apply --whitespace=nowarn "$GIT_DIR/hidden.patch"`.replaceAll(
        '$GIT_DIR',
        join(repository.dir, '.git'),
      ),
    );
    const record = await landRuns(await workshopAt(repository, [run]), [run], { acceptHookChanges: true });

    expect(record.hookRewrote).toEqual(['a.txt']);
    expect(repository.git('show', 'HEAD:a.txt')).toBe(`${BASE}RUN`);
    expect(repository.read('a.txt')).toBe(`mine\n${BASE}RUN\n`);
    expect(repository.status()).toEqual([' M a.txt', '?? untracked.txt']);
  });

  it('that stash and then refuse leave the files as they were', async () => {
    const { repository, run } = await scene();
    addHook(repository, 'pre-commit', 'git checkout-index -q -f -a; rm -f untracked.txt; exit 1');
    const before = stateOf(repository);

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'hook-failed',
      message: expect.stringContaining('put back as before: a.txt, untracked.txt'),
    });
    expect(stateOf(repository)).toEqual(before);
  });

  it('are ended when the landing is stopped', async () => {
    const { repository, run } = await scene();
    addHook(repository, 'pre-commit', 'sleep 600 & wait');
    const before = stateOf(repository);
    const stop = new AbortController();

    const landing = landRuns(await workshopAt(repository, [run]), [run], {
      signal: stop.signal,
      onStep: (step) => {
        if (step === 'pre-commit') stop.abort();
      },
    });

    await expect(landing).rejects.toMatchObject({ code: 'aborted' });
    expect(stateOf(repository)).toEqual(before);
  });

  it('are those of core.hooksPath, where it is set', async () => {
    const { repository, run } = await scene();
    const folder = temporaryFolder();
    addHook(repository, 'pre-commit', 'exit 1');
    addHook(repository, 'commit-msg', `echo moved >>"$1"`);
    renameSync(join(repository.dir, '.git', 'hooks', 'commit-msg'), join(folder, 'commit-msg'));
    repository.git('config', 'core.hooksPath', folder);

    const record = await landRuns(await workshopAt(repository, [run]), [run]);

    expect(record.message).toBe('Land it\nmoved\n');
  });

  it('that this git cannot run for others are named as the reason', async () => {
    const { repository, run } = await scene();
    addHook(repository, 'pre-commit', 'exit 0');
    const bin = temporaryFolder();
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const old = `#!/bin/sh\n[ "$1" != hook ] || { echo "git: 'hook' is not a git command. See 'git --help'." >&2; exit 1; }\nexec ${git} "$@"\n`;
    writeFileSync(join(bin, 'git'), old, { mode: 0o755 });
    const env = plainEnv();
    const workshop = await workshopAt(repository, [run], { env: { ...env, PATH: `${bin}:${env['PATH']}` } });
    const before = stateOf(repository);

    await expect(landRuns(workshop, [run])).rejects.toMatchObject({ code: 'git-too-old' });
    expect(stateOf(repository)).toEqual(before);
  });
});

describe('signing', () => {
  it('signs where commit.gpgSign says so', async () => {
    const { repository, run } = await scene();
    const home = temporaryFolder();
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, 'key')]);
    repository.git('config', 'gpg.format', 'ssh');
    repository.git('config', 'user.signingKey', join(home, 'key.pub'));
    repository.git('config', 'commit.gpgSign', 'true');

    await landRuns(await workshopAt(repository, [run], { env: plainEnv(home) }), [run]);

    expect(repository.git('cat-file', 'commit', 'HEAD')).toContain('-----BEGIN SSH SIGNATURE-----');
  });

  it('refuses with everything as it was where the key cannot sign', async () => {
    const { repository, run } = await scene();
    repository.git('config', 'gpg.format', 'ssh');
    repository.git('config', 'user.signingKey', '/nowhere/key.pub');
    repository.git('config', 'commit.gpgSign', 'true');
    const before = stateOf(repository);

    await expect(landRuns(await workshopAt(repository, [run]), [run])).rejects.toMatchObject({
      code: 'commit-failed',
    });
    expect(stateOf(repository)).toEqual(before);
  });
});
