import { describe, expect, test } from 'vitest';
import { checkKeepEnv, cleanEnvironment } from '../../src/dispatch/clean-environment.ts';
import { chooseProfile } from '../../src/dispatch/profile.ts';

describe('a clean environment', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    OPENAI_API_KEY: 'k',
    HTTPS_PROXY: 'http://u:p@x',
    CODEX_HOME: '/c',
  };

  test('has what a program needs, and where the CLI is at home; nothing that may hold a secret', () => {
    expect(cleanEnvironment(env, [], 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/h',
      LANG: 'C',
      CODEX_HOME: '/c',
    });
  });

  test('and what is kept by name', () => {
    expect(cleanEnvironment(env, ['OPENAI_API_KEY'], 'linux')['OPENAI_API_KEY']).toBe('k');
  });

  test('on Windows also what Windows needs, in whatever case', () => {
    const windows = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', Secret: 's', USERPROFILE: 'C:\\u' };
    expect(cleanEnvironment(windows, [], 'win32')).toEqual({
      PATH: 'C:\\bin',
      SYSTEMROOT: 'C:\\Windows',
      USERPROFILE: 'C:\\u',
    });
    expect(cleanEnvironment(windows, ['SECRET'], 'win32')['SECRET']).toBe('s');
    expect(cleanEnvironment(windows, [], 'linux')).not.toHaveProperty('SYSTEMROOT');
  });

  test.each([['A B'], ['1A'], ['A=B'], [''], ['é']])('%j is no name', (name) => {
    expect(() => checkKeepEnv([name], true, { [name]: 'x' })).toThrow('is not the name of a variable');
  });

  test('each name counts once; an empty value is a value', () => {
    expect(checkKeepEnv(['A', 'B', 'A'], true, { A: '', B: 'x' })).toEqual(['A', 'B']);
    expect(() => checkKeepEnv(['C'], true, {})).toThrow('--keep-env C is not set');
    expect(() => checkKeepEnv(['A'], false, { A: '' })).toThrow('--keep-env needs --clean-env');
  });
});

describe('the profile', () => {
  test.each([
    [{}, 'write', false],
    [{ readOnly: true }, 'read-only', true],
    [{ dangerouslySkipPermissions: true }, 'bypass', true],
    [{ sandbox: 'workspace-write' }, 'write', true],
    [{ sandbox: 'read-only', readOnly: true }, 'read-only', true],
    [{ sandbox: 'danger-full-access' }, 'bypass', true],
  ] as const)('%j is %s', (options, profile, asked) => {
    expect(chooseProfile(options)).toEqual({ profile, asked });
  });

  test.each([
    { readOnly: true, dangerouslySkipPermissions: true },
    { sandbox: 'danger-full-access', readOnly: true },
    { sandbox: 'read-only', dangerouslySkipPermissions: true },
  ])('%j cannot be', (options) => {
    expect(() => chooseProfile(options)).toThrow('exclude each other');
  });

  test.each(['', 'write', 'toString', 'Read-Only'])('%j is no mode', (sandbox) => {
    expect(() => chooseProfile({ sandbox })).toThrow('is not a sandbox mode');
  });
});
