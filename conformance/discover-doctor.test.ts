import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Check } from '../src/implementers/inspection.ts';
import type { Discovery } from '../src/lanes/discover/discover.ts';
import { runBaton } from '../test/support/baton.ts';
import { CLIS, type RealWorld, realWorld } from './support.ts';

async function discovered(world: RealWorld): Promise<Discovery['discovered']> {
  const { code, stdout } = await runBaton(['discover', '--json'], { env: world.env, cwd: world.root });
  expect(code).toBe(0);
  const found: Discovery = JSON.parse(stdout);
  return found.discovered.filter(({ driven }) => driven);
}

async function diagnosed(
  world: RealWorld,
  args: readonly string[] = [],
): Promise<{ code: number | null; checks: Check[] }> {
  const { code, stdout } = await runBaton(['doctor', '--json', ...args], {
    env: world.env,
    cwd: world.repository.dir,
  });
  const report: { checks: Check[] } = JSON.parse(stdout);
  return { code, checks: report.checks };
}

function stateOf(checks: readonly Check[], id: string): string | undefined {
  return checks.find((check) => check.id === id)?.state;
}

/** Anything that is sent anywhere a CLI could send it: the services of both, and every proxy. */
async function listening(world: RealWorld): Promise<string[]> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(500).end();
  });
  server.on('connect', (request, socket) => {
    heard.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.on('upgrade', (request, socket) => {
    heard.push(`UPGRADE ${request.url}`);
    socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port }: AddressInfo = Object(server.address());
  const url = `http://127.0.0.1:${port}`;
  const home = join(world.root, 'codex');
  mkdirSync(home);
  writeFileSync(
    join(home, 'config.toml'),
    `openai_base_url = "${url}/v1"\nchatgpt_base_url = "${url}/chatgpt"\n`,
  );
  Object.assign(world.env, {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'any',
    CODEX_HOME: home,
    CODEX_API_KEY: 'any',
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
  });
  return heard;
}

describe('baton discover, with the real CLIs', () => {
  test('signed out', async () => {
    const [claude, codex] = await discovered(realWorld());
    expect(claude).toMatchObject({
      key: 'claude',
      version: expect.stringMatching(/^\d+\.\d+\.\d+ \(Claude Code\)$/),
      path: join(CLIS, 'claude'),
      authenticated: false,
      models: { status: 'unsupported' },
      state: 'ready',
    });
    expect(codex).toMatchObject({
      key: 'codex',
      version: expect.stringMatching(/^codex-cli \d+\.\d+\.\d+$/),
      authenticated: false,
      models: { status: 'reported', truncated: false },
      state: 'ready',
    });
    expect(codex?.models.values.length).toBeGreaterThan(3);
  });

  test('with keys in the environment', async () => {
    const world = realWorld({ ANTHROPIC_API_KEY: 'any', CODEX_API_KEY: 'any' });
    expect((await discovered(world)).map(({ authenticated }) => authenticated)).toEqual([true, true]);
  });

  test('codex with a key of its own, and with one that it does not look at', async () => {
    const world = realWorld({ OPENAI_API_KEY: 'any' });
    const codex = async (): Promise<unknown> => (await discovered(world))[1]?.authenticated;
    expect(await codex()).toBe(false);
    mkdirSync(join(world.home, '.codex'), { recursive: true });
    execFileSync(join(CLIS, 'codex'), ['login', '--with-api-key'], {
      env: world.env,
      input: 'sk-not-a-key\n',
      stdio: 'pipe',
    });
    expect(await codex()).toBe(true);
  });

  test('nothing is asked of any service, signed in or not', async () => {
    const world = realWorld();
    const heard = await listening(world);
    await discovered(world);
    await diagnosed(world);
    for (const key of ['ANTHROPIC_API_KEY', 'CODEX_API_KEY']) delete world.env[key];
    await discovered(world);
    await diagnosed(world);
    expect(heard).toEqual([]);
  });

  test('a key of the environment is what codex exec sends', async () => {
    // Why CODEX_API_KEY counts as signed in, and OPENAI_API_KEY does not.
    const world = realWorld();
    const keys: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(400).end('{"error":{"message":"no"}}');
    });
    server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port }: AddressInfo = Object(server.address());
    const home = join(world.root, 'codex');
    mkdirSync(home);
    writeFileSync(join(home, 'config.toml'), `openai_base_url = "http://127.0.0.1:${port}/v1"\n`);
    const sentWith = async (name: string): Promise<(string | undefined)[]> => {
      await runBaton(['dispatch', '--implementer', 'codex', '--cd', world.repository.dir], {
        env: { ...world.env, CODEX_HOME: home, [name]: 'the-key' },
        cwd: world.root,
        input: 'Say hi.\n',
      });
      return keys.splice(0);
    };
    expect(await sentWith('CODEX_API_KEY')).toContain('Bearer the-key');
    expect(await sentWith('OPENAI_API_KEY')).not.toContain('Bearer the-key');
  });
});

describe('baton doctor, with the real CLIs', () => {
  test('a dispatch to both would start', async () => {
    const world = realWorld({ ANTHROPIC_API_KEY: 'any', CODEX_API_KEY: 'any' });
    for (const implementer of ['claude', 'codex']) {
      const { code, checks } = await diagnosed(world, ['--implementer', implementer]);
      expect(checks.filter(({ state }) => state === 'problem')).toEqual([]);
      expect(code).toBe(0);
      expect(stateOf(checks, 'claude.bubblewrap')).toBe('ok');
      expect(stateOf(checks, 'codex.sandbox')).toBe('ok');
    }
  });

  test('signed out, none would', async () => {
    const world = realWorld();
    for (const implementer of ['claude', 'codex']) {
      const { code, checks } = await diagnosed(world, ['--implementer', implementer]);
      expect(code).toBe(1);
      expect(stateOf(checks, `${implementer}.signed-in`)).toBe('problem');
    }
  });

  test('without bubblewrap on PATH claude could not, and codex has a sandbox of its own', async () => {
    const world = realWorld({ ANTHROPIC_API_KEY: 'any', CODEX_API_KEY: 'any' });
    const tools = join(world.root, 'tools');
    for (const name of ['sh', 'true', 'env']) symlinkSync(`/bin/${name}`, join(tools, name));
    world.env['PATH'] = `${CLIS}:${tools}`;
    const asClaude = await diagnosed(world);
    expect(asClaude.code).toBe(1);
    expect(stateOf(asClaude.checks, 'claude.bubblewrap')).toBe('problem');
    expect(stateOf(asClaude.checks, 'claude.socat')).toBe('problem');
    const asCodex = await diagnosed(world, ['--implementer', 'codex']);
    expect(stateOf(asCodex.checks, 'codex.sandbox')).toBe('ok');
    expect(asCodex.code).toBe(0);
  });
});
