import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Discovery } from '../../src/lanes/discover/discover.ts';
import { runBaton, startBaton, untilFile } from '../support/baton.ts';
import { alone, fakeClaude, fakeCodex, fakeSandbox } from '../support/clis.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { processesUnder, waitUntilGone } from '../support/processes.ts';

const KEYS = [
  'claude',
  'codex',
  'dsh',
  'cline',
  'opencode',
  'agy',
  'grok',
  'kimi',
  'qoder',
  'vibe',
  'cursor',
  'pi',
  'omp',
  'aider',
  'copilot',
  'warp',
  'zcode',
  'commandcode',
];

function world(): Surroundings {
  const where = alone(surroundings());
  fakeSandbox(where);
  return where;
}

function run(where: Surroundings, args: readonly string[] = []) {
  return runBaton(['discover', ...args], { env: where.env, cwd: where.root });
}

async function discovered(where: Surroundings): Promise<Discovery> {
  const { code, stdout, stderr } = await run(where, ['--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const found: Discovery = JSON.parse(stdout);
  return found;
}

describe('baton discover --json', () => {
  test('tells of both CLIs, of one that baton does not drive, and of what is missing', async () => {
    const where = world();
    const [claude, codex] = [fakeClaude(where), fakeCodex(where, { signedIn: false })];
    const pwd = join(where.root, 'pwd');
    fakeShell(where, `pwd >${quote(pwd)}; echo 2026.11.30-abc`, { name: 'cursor-agent', version: null });
    const found = await discovered(where);
    expect(found).toMatchObject({
      version: 'delegate-discover.v1',
      discovered: [
        {
          key: 'claude',
          binary: 'claude',
          version: '2.1.332 (Claude Code)',
          path: join(where.bin, 'claude'),
          authenticated: true,
          supports: ['model', 'effort', 'timeout', 'readOnly'],
          models: { status: 'unsupported', values: [], truncated: false },
          driven: true,
          state: 'ready',
          note: null,
        },
        {
          key: 'codex',
          version: 'codex-cli 0.171.0',
          authenticated: false,
          supports: ['model', 'effort', 'timeout', 'readOnly', 'sandbox'],
          models: { status: 'reported', values: ['gpt-a', 'gpt-b'], truncated: false },
        },
        {
          key: 'cursor',
          binary: 'cursor-agent',
          version: '2026.11.30-abc',
          authenticated: null,
          supports: [],
          models: { status: 'unsupported', values: [], truncated: false },
          driven: false,
        },
      ],
    });
    expect(found.missing).toContainEqual({
      key: 'aider',
      binary: 'aider',
      state: 'not-installed',
      note: 'aider is not installed: no folder of PATH has it',
      remedy: 'install aider, or put its folder on PATH',
    });
    expect([...found.discovered, ...found.missing].map(({ key }) => key).sort()).toEqual(KEYS.toSorted());
    // No question could be taken for a prompt, and what is not known runs where it harms nothing.
    expect(claude()).toEqual(['--version', 'auth status --json']);
    expect(codex()).toEqual(['--version', 'debug models --bundled', 'login status', 'sandbox -- true']);
    expect(readFileSync(pwd, 'utf8')).toMatch(/baton-probe-/);
    expect(readdirSync(where.tmp)).toEqual([]);
    expect(readdirSync(where.state)).toEqual([]);
  });

  test('an API key counts where the CLI takes it, and a provider of the user’s own is not judged', async () => {
    const where = world();
    fakeCodex(where, { signedIn: false });
    const standing = async (): Promise<unknown> => (await discovered(where)).discovered[0]?.authenticated;
    expect(await standing()).toBe(false);
    where.env['OPENAI_API_KEY'] = 'k';
    expect(await standing()).toBe(false);
    where.env['CODEX_API_KEY'] = 'k';
    expect(await standing()).toBe(true);
    const home = join(where.root, 'codex-home');
    where.env['CODEX_HOME'] = home;
    mkdirSync(home);
    writeFileSync(join(home, 'config.toml'), 'model_provider = "mine"\n[model_providers.mine]\n');
    expect(await standing()).toBe(null);
  });

  test('a CLI that does not work is told apart from one that is missing', async () => {
    const where = world();
    symlinkSync('/nowhere/claude', join(where.bin, 'claude'));
    fakeShell(where, 'echo broken >&2; exit 1', { name: 'codex', version: null });
    const { discovered: found, missing } = await discovered(where);
    expect(found).toMatchObject([
      {
        key: 'codex',
        version: null,
        authenticated: null,
        state: 'failing',
        note: expect.stringContaining('it exits 1: broken'),
        remedy: 'npm install -g @openai/codex',
      },
    ]);
    expect(missing[0]).toMatchObject({ key: 'claude', state: 'broken-link' });
  });

  test('what hangs is ended, and does not hold up the others', async () => {
    const where = world();
    fakeShell(where, `sleep 600 & sleep 600`, { version: null });
    where.env['PATH'] += ':/bin';
    fakeShell(where, 'sleep 600', { name: 'pi', version: null });
    fakeCodex(where);
    const { discovered: found } = await discovered(where);
    expect(found.map(({ key, state }) => [key, state])).toEqual(
      expect.arrayContaining([
        ['claude', 'hung'],
        ['codex', 'ready'],
        ['pi', 'hung'],
      ]),
    );
    expect(await waitUntilGone(() => processesUnder(where.bin))).toEqual([]);
  });

  test('an interrupt ends the questions, too', async () => {
    const where = world();
    where.env['PATH'] += ':/bin';
    const asked = join(where.root, 'asked');
    fakeShell(where, `echo yes >${quote(asked)}; sleep 600`, { version: null });
    const started = await startBaton(['discover', '--json'], { env: where.env, cwd: where.root });
    await untilFile(asked);
    started.signal('SIGINT');
    expect(await started.ended).toMatchObject({ code: 130, stdout: '' });
    expect(await waitUntilGone(() => processesUnder(where.bin))).toEqual([]);
  });
});

describe('baton discover', () => {
  test('shows a table, what is wrong, and what is not there', async () => {
    const where = world();
    fakeClaude(where);
    fakeCodex(where, { signedIn: false });
    fakeShell(where, `printf 'aider \\033]0;evil\\007 1.2.3\\n'`, { name: 'aider', version: null });
    fakeShell(where, 'exit 0', { name: 'vibe', version: null });
    const { code, stdout } = await run(where);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^claude +2\.1\.332 \(Claude Code\) +signed in +\//);
    expect(lines[1]).toMatch(/^codex +codex-cli 0\.171\.0 +not signed in, 2 models +\//);
    expect(stdout).toMatch(/^vibe +no-version +not driven by baton/m);
    expect(stdout).toContain('its version cannot be read: it prints nothing');
    expect(lines.at(-2)).toMatch(/^not installed: dsh, cline/);
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });

  test('a directory that is not there is a bad use', async () => {
    const where = world();
    const { code, stdout, stderr } = await run(where, ['--cd', join(where.root, 'nowhere')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^baton: --cd .* does not exist.*\n$/);
    expect(existsSync(join(where.root, 'nowhere'))).toBe(false);
  });
});
