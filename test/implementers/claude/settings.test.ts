import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingsWarnings } from '../../../src/implementers/claude/settings.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

function warnings(env: { [name: string]: string } = {}) {
  return settingsWarnings({
    env: { HOME: join(folder, 'home'), ...env },
    cwd: join(folder, 'repo'),
    platform: 'linux',
    managedFolder: join(folder, 'managed'),
  });
}

const EXCLUDED = { sandbox: { excludedCommands: ['git', 'docker *'] } };

describe('settings that undo the sandbox', () => {
  test('none, and harmless ones', () => {
    expect(warnings()).toEqual([]);
    put('home/.claude/settings.json', { sandbox: { enabled: true, excludedCommands: [] }, model: 'x' });
    put('repo/.claude/settings.json', 'null');
    expect(warnings()).toEqual([]);
  });

  test.each([
    'home/.claude/settings.json',
    'repo/.claude/settings.json',
    'repo/.claude/settings.local.json',
    'managed/managed-settings.json',
    'managed/managed-settings.d/10-team.json',
  ])('excluded commands in %s', (path) => {
    put(path, EXCLUDED);
    const [warning, ...others] = warnings();
    expect(others).toEqual([]);
    expect(warning?.gap).toBe(true);
    expect(warning?.text).toContain(join(folder, path));
    expect(warning?.text).toContain('sandbox.excludedCommands (git, docker *)');
  });

  test('the configuration folder can be elsewhere', () => {
    put('home/.claude/settings.json', EXCLUDED);
    expect(warnings({ CLAUDE_CONFIG_DIR: join(folder, 'other') })).toEqual([]);
    put('other/settings.json', EXCLUDED);
    expect(warnings({ CLAUDE_CONFIG_DIR: join(folder, 'other') })).toHaveLength(1);
  });

  test.each([{ enabled: false }, { filesystem: { disabled: true } }])(
    'only an administrator can say %j',
    (sandbox) => {
      const off = { sandbox };
      put('home/.claude/settings.json', off);
      expect(warnings()).toEqual([]);
      put('managed/managed-settings.json', off);
      expect(warnings()).toMatchObject([{ gap: true }]);
    },
  );

  test('a script that a project’s settings name runs outside the sandbox', () => {
    put('home/.claude/settings.json', { apiKeyHelper: '~/key.sh' });
    expect(warnings()).toEqual([]);
    put('repo/.claude/settings.json', { apiKeyHelper: './key.sh' });
    expect(warnings()).toMatchObject([{ gap: true, text: expect.stringContaining('has apiKeyHelper') }]);
  });

  test.each([
    { sandbox: { filesystem: { allowWrite: ['~/.cache'] } } },
    { permissions: { additionalDirectories: ['~/.cache'] } },
    { permissions: { allow: ['Bash(ls)', 'Edit(~/.cache/**)'] } },
  ])('what widens is told, and is no gap: %j', (settings) => {
    put('home/.claude/settings.json', settings);
    expect(warnings()).toMatchObject([{ gap: false, text: expect.stringContaining('~/.cache') }]);
  });

  test.each([{ enableWeakerNestedSandbox: true }, { network: { allowAllUnixSockets: true } }])(
    '%j',
    (sandbox) => {
      put('repo/.claude/settings.json', { sandbox });
      expect(warnings()).toMatchObject([{ gap: true }]);
    },
  );

  test.each(['// c\n{}', '{"a":1,}', '{"sandbox":'])('a file that does not parse is told: %s', (text) => {
    put('home/.claude/settings.json', text);
    expect(warnings()).toMatchObject([
      { gap: false, text: expect.stringContaining('ignores the whole file') },
    ]);
  });

  test('a byte order mark does not matter', () => {
    put('home/.claude/settings.json', `\uFEFF${JSON.stringify(EXCLUDED)}\r\n`);
    expect(warnings()).toMatchObject([{ gap: true }]);
  });

  test('a file that cannot be read is a gap', () => {
    mkdirSync(join(folder, 'home/.claude/settings.json'), { recursive: true });
    expect(warnings()).toMatchObject([{ gap: true, text: expect.stringContaining('cannot be read') }]);
  });

  test.each(['[]', '{"sandbox":[]}', '{"sandbox":{"excludedCommands":"git","network":7}}'])(
    'wrong types are no reason to fail: %s',
    (text) => {
      put('home/.claude/settings.json', text);
      expect(warnings()).toEqual([]);
    },
  );
});
