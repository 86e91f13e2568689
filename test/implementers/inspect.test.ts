import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loggedIn as claudeLoggedIn } from '../../src/implementers/claude/inspect.ts';
import { openNamespaces } from '../../src/implementers/claude/sandbox-parts.ts';
import { catalogueOf, loggedIn as codexLoggedIn } from '../../src/implementers/codex/inspect.ts';
import { listedModels } from '../../src/implementers/inspection.ts';
import { loadedWith, sourceFiles } from '../support/source.ts';

const RUNS = { numRuns: Number(process.env['BATON_PROPERTY_RUNS'] ?? 200) };

describe('signed in to claude', () => {
  test.each([
    ['{"loggedIn": true}', true],
    ['{"loggedIn": false, "authMethod": "none"}', false],
    ['a shim says {hello}\n{"loggedIn": true}', null],
    ['a shim says hello\n{"loggedIn": true}\nbye', true],
    ['{"loggedIn": "yes"}', null],
    ['[]', null],
    ['', null],
  ])('%j', (text, answer) => {
    expect(claudeLoggedIn(text)).toBe(answer);
  });
});

describe('signed in to codex', () => {
  test.each([
    ['Not logged in', false, false],
    ['Not logged in', true, false],
    ['WARNING: x\nLogged in using ChatGPT', true, true],
    ['API key configured - ***', true, true],
    ['Logged in using an API key - sk-***', true, true],
    ['Logged in using ChatGPT', false, null],
    ["error: unexpected argument 'status'", false, null],
    ['', true, null],
  ])('%j', (text, exitedWell, answer) => {
    expect(codexLoggedIn(text, exitedWell)).toBe(answer);
  });
});

describe('the catalogue of codex', () => {
  test('has names, and keeps some to itself', () => {
    expect(
      catalogueOf('WARNING\n{"models":[{"slug":"a"},{"slug":"b","visibility":"hide"},{"slug":3},null]}\n'),
    ).toEqual(['a']);
    expect(catalogueOf('{"models":{}}')).toBe(null);
    expect(catalogueOf('hello')).toBe(null);
  });

  test('of any size and form is read without fail', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const answers = [claudeLoggedIn(text), codexLoggedIn(text, true)];
        expect([true, false, null]).toEqual(expect.arrayContaining(answers));
        expect(catalogueOf(text) ?? []).toBeInstanceOf(Array);
      }),
      RUNS,
    );
  });

  test('is cut, and says so', () => {
    const many = Array.from({ length: 300 }, (_, at) => `m${at % 250}`);
    expect(listedModels(many)).toMatchObject({ truncated: true, status: 'reported' });
    expect(listedModels(many).values).toHaveLength(200);
    expect(listedModels(['a', 'a'])).toEqual({ status: 'reported', values: ['a'], truncated: false });
  });
});

describe('namespaces that are forbidden', () => {
  const reading = (files: { [path: string]: string }) => (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  };

  test.each([
    [
      { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' },
      'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    [
      { '/proc/sys/kernel/unprivileged_userns_clone': '0\n', '/proc/sys/user/max_user_namespaces': '100' },
      'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [{ '/proc/sys/user/max_user_namespaces': '0' }, 'sudo sysctl -w user.max_user_namespaces=15000'],
  ])('%j', (files, remedy) => {
    expect(openNamespaces(reading(files))).toBe(remedy);
  });

  test('by something else, such as a container', () => {
    expect(openNamespaces(reading({}))).toContain('--security-opt seccomp=unconfined');
  });
});

test('a dispatch does not load any of it', () => {
  const { files } = loadedWith('src/dispatch/dispatch.ts', sourceFiles('src'));
  expect(files).toContain('src/implementers/claude/probe.ts');
  expect([...files].filter((path) => /\/(?:inspect|executable|sandbox-parts)\.ts$/.test(path))).toEqual([]);
});
