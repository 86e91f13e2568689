import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidedBy } from '../../src/gates/decided-by.ts';
import { missingDependencies } from '../../src/gates/dependencies.ts';
import { gateEnvironment } from '../../src/gates/environment.ts';
import type { Gate } from '../../src/gates/gate.ts';
import { gatesFromFlags, withFlags } from '../../src/gates/gate-flag.ts';
import { matching } from '../../src/gates/globs.ts';
import { judgeGate } from '../../src/gates/judge-gate.ts';
import type { GateOutcome } from '../../src/gates/run-gate.ts';
import { shellFor } from '../../src/gates/shell.ts';
import { temporaryFolder } from '../support/temporary.ts';

const gate = (more: Partial<Gate> = {}): Gate => ({
  name: 'test',
  command: 'npm test',
  cwd: '.',
  timeoutMs: 1000,
  env: {},
  when: [],
  source: 'config',
  ...more,
});

describe('--gate', () => {
  it('is a name and a command, which may hold more signs of equality', () => {
    expect(gatesFromFlags(['a=x=1 y', 'b.c-d_e=z'])).toMatchObject([
      { name: 'a', command: 'x=1 y', source: 'flag', cwd: '.' },
      { name: 'b.c-d_e', command: 'z' },
    ]);
  });

  it.each(['', 'a', '=x', 'a=', 'a=  ', '../a=x', 'a b=x', '-a=x', 'a=x\0y'])('refuses %j', (pair) => {
    expect(() => gatesFromFlags([pair])).toThrow(/is not name=command/);
  });

  it('refuses a name twice, and takes the place of a configured one', () => {
    expect(() => gatesFromFlags(['a=x', 'a=y'])).toThrow(/given twice/);
    const merged = withFlags(
      [gate({ name: 'a' }), gate({ name: 'b' })],
      gatesFromFlags(['b=mine', 'c=more']),
    );
    expect(merged.map(({ name, command, source }) => [name, command, source])).toEqual([
      ['a', 'npm test', 'config'],
      ['b', 'mine', 'flag'],
      ['c', 'more', 'flag'],
    ]);
  });
});

describe('the environment of a gate', () => {
  it.each([
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'npm_config_//registry.npmjs.org/:_authToken',
    'ANTHROPIC_API_KEY',
    'OPENAI_APIKEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'PGPASSWORD',
    'DB_PASSWD',
    'SSH_AUTH_SOCK',
    'SENTRY_DSN',
    'client_secret',
  ])('lacks %s', (name) => {
    expect(gateEnvironment({ [name]: 'x' }, gate(), 'M')).toEqual({
      env: { BATON_RUN_ID: 'M' },
      withheld: [name],
    });
    expect(gateEnvironment({ [name]: 'x' }, gate({ env: { [name]: true } }), 'M').env[name]).toBe('x');
  });

  it.each([
    'PATH',
    'HOME',
    'TOKENIZERS_PARALLELISM',
    'KEYBOARD',
    'XAUTHORITY',
    'CI',
    'NODE_OPTIONS',
    'LANG',
    'AUTHOR',
  ])('has %s', (name) => {
    expect(gateEnvironment({ [name]: 'x' }, gate(), 'M').env[name]).toBe('x');
  });

  it('lacks addresses with a password, and what binds to another repository, run or session', () => {
    const { env, withheld } = gateEnvironment(
      {
        REDIS_URL: 'redis://:secret@host/0',
        PLAIN_URL: 'https://host/a:b@c',
        GIT_DIR: '/x',
        CLAUDECODE: '1',
        BATON_DEPTH: '1',
        BATON_RUN_ID: 'other',
      },
      gate({ env: { MODE: 'x', BATON_RUN_ID: 'forged' } }),
      'M',
    );
    expect(env).toEqual({ PLAIN_URL: 'https://host/a:b@c', MODE: 'x', BATON_RUN_ID: 'M' });
    expect(withheld).toEqual(['REDIS_URL']);
  });
});

describe('the verdict', () => {
  const outcome = (more: Partial<Extract<GateOutcome, { started: true }>>): GateOutcome => ({
    started: true,
    end: 'itself',
    code: 0,
    signal: null,
    durationMs: 1,
    outputBytes: 0,
    swept: [],
    survivors: [],
    withheld: [],
    ...more,
  });

  it.each<[GateOutcome, string | null, string, RegExp]>([
    [outcome({}), null, 'passed', /^none$/],
    [outcome({}), 'node_modules', 'passed', /^none$/],
    [outcome({ code: 1 }), null, 'failed', /^exit 1$/],
    [outcome({ code: 1 }), 'node_modules', 'could-not-run', /node_modules is missing/],
    [outcome({ code: 126 }), null, 'could-not-run', /cannot be executed/],
    [outcome({ code: 127 }), null, 'could-not-run', /not found/],
    [outcome({ code: null, signal: 'SIGSEGV' }), null, 'failed', /SIGSEGV/],
    [outcome({ code: null }), null, 'failed', /a signal/],
    [outcome({ end: 'timeout', code: 0 }), null, 'failed', /still running after 1\.0s/],
    [outcome({ end: 'too-much-output', outputBytes: 9 }), null, 'failed', /9 bytes/],
    [outcome({ end: 'abort', code: 0 }), null, 'not-run', /interrupted/],
    [{ started: false, reason: 'no shell' }, null, 'could-not-run', /no shell/],
  ])('of %j, %j is %s', (found, missing, state, reason) => {
    const judged = judgeGate(gate(), found, missing);
    expect(judged.state).toBe(state);
    expect(judged.reason ?? 'none').toMatch(reason);
  });
});

describe('missing dependencies', () => {
  function project(manifest: object, ...folders: string[]): string {
    const top = join(temporaryFolder(), 'top');
    mkdirSync(join(top, 'app'), { recursive: true });
    writeFileSync(join(top, 'package.json'), JSON.stringify(manifest));
    for (const folder of folders) mkdirSync(join(top, folder), { recursive: true });
    return top;
  }

  it('are missed only where a runner needs them and a manifest names some', () => {
    const needy = { devDependencies: { a: '1' } };
    expect(missingDependencies('npm test', project(needy), '.')).toBe('node_modules');
    expect(missingDependencies('CI=1 npx vitest', project(needy), 'app')).toBe('node_modules');
    expect(missingDependencies('npm test', project(needy, 'node_modules'), 'app')).toBe(null);
    expect(missingDependencies('npm test', project(needy, '.pnp.cjs'), '.')).toBe(null);
    expect(missingDependencies('npm test', project(needy, '../node_modules'), '.')).toBe(null);
    expect(missingDependencies('make test', project(needy), '.')).toBe(null);
    expect(missingDependencies('cat node.txt', project(needy), '.')).toBe(null);
    expect(missingDependencies('npm test', project({ dependencies: {} }), '.')).toBe(null);
    expect(missingDependencies('npm test', project({ dependencies: 'odd' }), '.')).toBe(null);
  });
});

describe('what decides about the gates', () => {
  const nothing = async (): Promise<{ before: string | null; now: string | null }> => ({
    before: null,
    now: null,
  });

  it.each([
    'baton.config.json',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'Makefile',
    'lib/Makefile',
    'packages/a/vitest.config.ts',
    '.husky/pre-commit',
    'pyproject.toml',
    'tests/conftest.py',
    'tsconfig.build.json',
    '.eslintrc.cjs',
    'tools/check.sh',
    'ci/lint.py',
    'strict.toml',
  ])('counts %s', async (path) => {
    const gates = [
      gate({ command: 'CI=1 ./tools/check.sh --all && python3 -u lint.py src/a.ts', cwd: './ci/..' }),
      gate({ command: 'tools/check.sh' }),
      gate({ command: 'bash ./lint.py', cwd: './ci/' }),
      gate({ command: 'ruff check --config=strict.toml .' }),
    ];
    expect(await decidedBy({ changed: [path, 'src/a.ts', 'README.md'], read: nothing }, gates)).toEqual([
      path,
    ]);
  });

  it('counts a package.json by its scripts, wherever it lies, and one that cannot be read', async () => {
    const by = (before: string | null, now: string | null): Promise<string[]> =>
      decidedBy({ changed: ['a/package.json'], read: async () => ({ before, now }) }, []);
    expect(await by('{"scripts":{"t":"x"}}', '{"scripts":{"t":"x"},"dependencies":{"a":"1"}}')).toEqual([]);
    expect(await by('{"scripts":{"t":"x"}}', '{"scripts":{"t":"true"}}')).toEqual(['a/package.json']);
    expect(await by('{}', '{"baton":{"gates":[]}}')).toEqual(['a/package.json']);
    expect(await by('{}', 'broken')).toEqual(['a/package.json']);
    expect(await by(null, '{}')).toEqual(['a/package.json']);
  });
});

it('matches globs as a person means them', async () => {
  const paths = ['src/a.ts', 'src/.hidden/b.ts', 'docs/x.md', 'a[1].txt'];
  expect(await matching(paths, ['src'])).toEqual(['src/a.ts', 'src/.hidden/b.ts']);
  expect(await matching(paths, ['./docs/'])).toEqual(['docs/x.md']);
  expect(await matching(paths, ['**/*.ts'])).toEqual(['src/a.ts', 'src/.hidden/b.ts']);
  expect(await matching(paths, ['lib/**'])).toEqual([]);
  expect(await matching([], ['**'])).toEqual([]);
});

it('hands a command to the shell of the platform', () => {
  expect(shellFor('a "b"', {}, 'linux')).toEqual({ file: '/bin/sh', args: ['-c', 'a "b"'], verbatim: false });
  expect(shellFor('a "b c"', { ComSpec: 'C:\\cmd.exe' }, 'win32')).toEqual({
    file: 'C:\\cmd.exe',
    args: ['/d', '/s', '/c', '"a "b c""'],
    verbatim: true,
  });
});

it('never lets a secret through by its name', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Z]{1,8}$/),
      fc.constantFrom('TOKEN', 'SECRET', 'PASSWORD', 'API_KEY'),
      (prefix, word) => {
        const name = `${prefix}_${word}`;
        expect(gateEnvironment({ [name]: 'v' }, gate(), 'M').withheld).toEqual([name]);
      },
    ),
  );
});
