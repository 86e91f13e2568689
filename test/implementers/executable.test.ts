import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askVersion } from '../../src/implementers/ask-version.ts';
import { type Executable, inspectExecutable, versionIn } from '../../src/implementers/executable.ts';
import { executableCheck } from '../../src/implementers/executable-check.ts';
import type { InspectRequest } from '../../src/implementers/inspection.ts';
import { alone } from '../support/clis.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { processesUnder, waitUntilGone } from '../support/processes.ts';

function request(where: Surroundings, limitMs = 30_000): InspectRequest {
  return {
    env: where.env,
    cwd: where.root,
    platform: 'linux',
    limitMs,
    signal: new AbortController().signal,
  };
}

const OWN = /^\d+\.\d+\.\d+ \(Claude Code\)$/;

function look(where: Surroundings, limitMs?: number): Promise<Executable> {
  return inspectExecutable('claude', request(where, limitMs), OWN);
}

/** What a person reads about it. */
function words(executable: Executable): string {
  const { text, remedy } = executableCheck(executable, { name: 'claude', install: 'npm install -g x' });
  return `${text} -> ${remedy ?? ''}`;
}

describe('what lies on PATH', () => {
  test('works', async () => {
    const where = surroundings();
    const path = fakeShell(where, '');
    const found = await look(where);
    expect(found).toEqual({ state: 'ready', path, version: '2.1.332 (Claude Code)', banner: false });
    expect(words(found)).toBe(`claude: 2.1.332 (Claude Code), ${path} -> `);
  });

  test('is nothing', async () => {
    const found = await look(alone(surroundings()));
    expect(found).toEqual({ state: 'not-installed' });
    expect(words(found)).toBe('claude is not installed: no folder of PATH has it -> npm install -g x');
  });

  test('is a folder, which is nothing', async () => {
    const where = alone(surroundings());
    mkdirSync(join(where.bin, 'claude'));
    expect(await look(where)).toEqual({ state: 'not-installed' });
  });

  test('is a broken link', async () => {
    const where = alone(surroundings());
    const path = join(where.bin, 'claude');
    symlinkSync('/nowhere/claude', path);
    const found = await look(where);
    expect(found).toEqual({ state: 'broken-link', path, target: '/nowhere/claude' });
    expect(words(found)).toMatch(/broken link: .* points to \/nowhere\/claude.* -> npm install/);
  });

  test('is a link to itself', async () => {
    const where = alone(surroundings());
    const path = join(where.bin, 'claude');
    symlinkSync(path, path);
    expect(await look(where)).toMatchObject({ state: 'broken-link', target: path });
  });

  test('may not be executed', async () => {
    const where = alone(surroundings());
    const path = fakeShell(where, '');
    chmodSync(path, 0o644);
    const found = await look(where);
    expect(found).toEqual({ state: 'not-executable', path });
    expect(words(found)).toContain(`-> chmod +x ${path}`);
  });

  test('a broken one does not hide a good one further on', async () => {
    const where = surroundings();
    const other = join(where.root, 'other');
    mkdirSync(other);
    symlinkSync('/nowhere/claude', join(other, 'claude'));
    const path = fakeShell(where, '');
    where.env['PATH'] = `${other}:${where.env['PATH'] ?? ''}`;
    expect(await look(where)).toMatchObject({ state: 'ready', path });
  });

  test('is a script whose interpreter is missing: the preflight of a run says so, too', async () => {
    const where = alone(surroundings());
    const path = join(where.bin, 'claude');
    writeFileSync(path, '#!/opt/no-node/bin/node --x\n', { mode: 0o755 });
    const found = await look(where);
    expect(found).toEqual({ state: 'no-interpreter', path, interpreter: '/opt/no-node/bin/node' });
    expect(words(found)).toContain('needs /opt/no-node/bin/node -> install /opt/no-node/bin/node');
    const probe = await askVersion('claude', request(where));
    expect(probe).toMatchObject({ answer: 'missing', binary: null });
    expect(probe.why).toBe(`${path} is a script for /opt/no-node/bin/node, which is not there`);
  });
});

describe('an update', () => {
  test.each([
    ['is an empty file', (path: string) => writeFileSync(path, '', { mode: 0o755 }), 'it is an empty file'],
    [
      'is a file that no machine runs',
      (path: string) => writeFileSync(path, '\0\0not a program', { mode: 0o755 }),
      'it is no program that this machine can run',
    ],
    [
      'is half a program',
      (path: string) => {
        copyFileSync(process.execPath, path);
        truncateSync(path, 20_000);
      },
      // Where the kernel sees that it is cut, a shell is tried; where it does not, it crashes.
      /^it is no program that this machine can run|^it crashed at the start/,
    ],
  ])('%s', async (_, make, why) => {
    const where = alone(surroundings());
    const path = join(where.bin, 'claude');
    make(path);
    const found = await look(where);
    expect(found).toMatchObject({ state: 'updating', path, why: expect.stringMatching(why) });
    expect(words(found)).toMatch(
      /is being updated, or an update was cut short.* -> wait a moment and try again/,
    );
  });

  test('is being written', async ({ skip }) => {
    const where = surroundings();
    const path = fakeShell(where, '');
    const fd = openSync(path, 'r+');
    try {
      if (spawnSync(path, ['--version']).status === 0) skip('this kernel runs what is being written');
      expect(await look(where)).toMatchObject({ state: 'updating', why: 'it is just being written' });
    } finally {
      closeSync(fd);
    }
  });

  test('comes to its end while we look', async () => {
    const where = surroundings();
    const good = fakeShell(where, '', { name: 'good' });
    // The old one crashes once, and is replaced by that.
    fakeShell(where, `mv ${quote(good)} ${quote(join(where.bin, 'claude'))}; kill -SEGV $$`, {
      version: null,
    });
    expect(await look(where)).toMatchObject({ state: 'ready', version: '2.1.332 (Claude Code)' });
  });

  test('takes it away while we look', async () => {
    const where = alone(surroundings());
    where.env['PATH'] += ':/bin';
    const path = fakeShell(where, 'rm "$0"; kill -SEGV $$', { version: null });
    expect(await look(where)).toEqual({
      state: 'updating',
      path,
      why: 'it was there a moment ago, and is gone now',
    });
  });
});

describe('the answer', () => {
  test('comes after a banner', async () => {
    const where = surroundings();
    fakeShell(
      where,
      `printf 'shim 4.5.6\\n\\033[1mUpdate available\\033[0m 1.2.3 -> 2.0.0\\n2.1.332 (Claude Code)\\n'`,
      {
        version: null,
      },
    );
    const found = await look(where);
    expect(found).toMatchObject({ state: 'ready', version: '2.1.332 (Claude Code)', banner: true });
    expect(words(found)).toContain('prints more than its version');
  });

  test('cannot be read', async () => {
    const where = surroundings();
    const path = fakeShell(where, 'echo hello', { version: null });
    const found = await look(where);
    expect(found).toEqual({ state: 'no-version', path, said: 'hello' });
    expect(words(found)).toContain('its version cannot be read: it says "hello"');
    fakeShell(where, 'exit 0', { version: null });
    expect(words(await look(where))).toContain('it prints nothing');
  });

  test('is a failure', async () => {
    const where = surroundings();
    fakeShell(where, 'echo "Cannot find module x" >&2; exit 7', { version: null });
    const found = await look(where);
    expect(found).toMatchObject({ state: 'failing', why: 'it exits 7: Cannot find module x' });
    expect(words(found)).toContain('does not work');
    fakeShell(where, 'kill -TERM $$', { version: null });
    expect(await look(where)).toMatchObject({ state: 'failing', why: 'it is ended by SIGTERM' });
  });

  test('has no end', async () => {
    const where = surroundings();
    fakeShell(where, 'while :; do echo 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3; done', {
      version: null,
    });
    expect(await look(where)).toMatchObject({
      state: 'failing',
      why: expect.stringContaining('prints without end'),
    });
  });

  test('never comes: it is ended, with what it started', async () => {
    const where = surroundings();
    fakeShell(where, 'sleep 600 & sleep 600', { version: null });
    const found = await look(where, 300);
    expect(found).toMatchObject({ state: 'hung', limitMs: 300 });
    expect(words(found)).toContain('hangs');
    expect(await waitUntilGone(() => processesUnder(where.root))).toEqual([]);
  });
});

describe('a version in a text', () => {
  test.each([
    ['2.1.332 (Claude Code)', '2.1.332 (Claude Code)'],
    ['codex-cli 0.171.0', 'codex-cli 0.171.0'],
    ['v1.2', 'v1.2'],
    ['aider 0.86.1\n', 'aider 0.86.1'],
    ['2026.11.02-abc123', '2026.11.02-abc123'],
    ['warning: 3 things\nGitHub Copilot CLI 0.0.330', 'GitHub Copilot CLI 0.0.330'],
    ['npm warn deprecated foo@1.2.3: x', null],
    ['override', null],
    ['', null],
  ])('%j', (text, version) => {
    expect(versionIn(text)?.version ?? null).toBe(version);
  });

  test('no text is too odd for it, and every version is one line without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(9), (noise, n) => {
        const found = versionIn(`${noise}\nx ${n}.${n}.${n}`);
        expect(found?.version).toBe(`x ${n}.${n}.${n}`);
        expect(versionIn(noise)?.version ?? '').not.toMatch(/[\u0000-\u001f]/);
      }),
      { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) },
    );
  });
});
