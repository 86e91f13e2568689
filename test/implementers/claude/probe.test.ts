import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { probeClaude } from '../../../src/implementers/claude/probe.ts';
import { refuseRoot } from '../../../src/implementers/claude/refuse-root.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-test-'));
  mkdirSync(join(folder, 'bin'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a shell script on the path as `claude`. */
function fake(script: string): string {
  const path = join(folder, 'bin', 'claude');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

function probe(
  more: {
    profile?: 'write' | 'read-only' | 'bypass';
    limitMs?: number;
    env?: { [name: string]: string };
  } = {},
) {
  const { env, ...rest } = more;
  return probeClaude({
    env: { HOME: folder, PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...env },
    cwd: folder,
    profile: 'write',
    platform: 'linux',
    limitMs: 30_000,
    signal: new AbortController().signal,
    ...rest,
  });
}

describe('the version', () => {
  test('is what the binary on the child’s path says, in its directory and environment', async () => {
    const binary = fake('echo "2.1.332 $PWD ${CLAUDECODE-unset} $DISABLE_AUTOUPDATER"');
    expect(await probe({ env: { CLAUDECODE: '1' } })).toEqual({
      answer: 'ok',
      binary,
      version: `2.1.332 ${folder} unset 1`,
      warnings: [],
    });
  });

  test('there is no binary', async () => {
    expect(await probe()).toMatchObject({ answer: 'missing', binary: null, version: null });
    expect(await probe({ env: { PATH: '' } })).toMatchObject({
      answer: 'missing',
      binary: null,
      version: null,
    });
  });

  test('an interpreter that does not exist is a missing binary', async () => {
    const path = fake('');
    writeFileSync(path, '#!/no/such/interpreter\n');
    expect(await probe()).toMatchObject({ answer: 'missing', binary: null, version: null });
  });

  test.each(['exit 3', 'kill -9 $$', 'true'])('an abnormal answer: %s', async (script) => {
    const binary = fake(script);
    expect(await probe()).toMatchObject({ answer: 'abnormal', binary, version: 'unknown' });
  });

  test('a binary that hangs', async () => {
    const binary = fake('exec sleep 60');
    expect(await probe({ limitMs: 200 })).toMatchObject({ answer: 'hung', binary, version: 'unknown' });
  });

  test('stdin is closed', async () => {
    fake('cat >/dev/null; echo 1.0');
    expect(await probe()).toMatchObject({ answer: 'ok', version: '1.0' });
  });
});

describe('what stands in the way', () => {
  test('settings count where there is a shell', async () => {
    fake('echo 1.0');
    mkdirSync(join(folder, '.claude'));
    writeFileSync(join(folder, '.claude', 'settings.json'), '{"sandbox":{"excludedCommands":["git"]}}');
    expect((await probe()).warnings.length).toBeGreaterThan(0);
    expect((await probe({ profile: 'read-only' })).warnings).toEqual([]);
  });

  test('root cannot skip permissions, unless the user says that it is harmless', () => {
    expect(refusal(0)?.message).toContain('uid 0');
    expect(refusal(0)?.hint).toContain('IS_SANDBOX=1');
    expect(refusal(0, { IS_SANDBOX: '0' })).not.toBeNull();
    expect(refusal(0, { IS_SANDBOX: '1' })).toBeNull();
    expect(refusal(1000)).toBeNull();
    expect(refusal(undefined, {}, 'win32')).toBeNull();
    expect(refuseRoot({ profile: 'write', env: {}, platform: 'linux', uid: 0 })).toBeNull();
  });
});

function refusal(uid: number | undefined, env = {}, platform: NodeJS.Platform = 'linux') {
  return refuseRoot({ profile: 'bypass', env, platform, uid });
}
