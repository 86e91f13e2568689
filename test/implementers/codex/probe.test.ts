import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeCodex } from '../../../src/implementers/codex/probe.ts';
import { mcpServers } from '../../../src/implementers/codex/settings.ts';
import type { Probe } from '../../../src/implementers/implementer.ts';
import { type Surroundings, surroundings } from '../../support/environment.ts';
import { fakeShell, quote } from '../../support/fake.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const HELP =
  'Usage: codex exec [OPTIONS]\n\nOptions:\n      --json\n  -s, --sandbox <MODE>\n      --ignore-rules\n';

/** A fake that counts how often it was started, and answers `--help` with this. */
function fake(where: Surroundings, help = HELP, version = 'codex-cli 0.171.0'): () => string[] {
  const log = join(where.root, 'calls');
  fakeShell(
    where,
    `echo "$*" >>${quote(log)}\ncase "$*" in --version) echo ${quote(version)};; *) ${help};; esac`,
    { name: 'codex', version: null },
  );
  return () => readFileSync(log, 'utf8').trimEnd().split('\n').sort();
}

const printing = (help: string): string => `printf '%s' ${quote(help)}`;

function probe(where: Surroundings, cwd = temporaryFolder()): Promise<Probe> {
  return probeCodex({
    env: where.env,
    cwd,
    profile: 'write',
    platform: 'linux',
    limitMs: 5_000,
    signal: new AbortController().signal,
    stateHome: where.state,
  });
}

describe('the version and its flags', () => {
  test('are asked for, and the flags remembered for this binary and version', async () => {
    const where = surroundings();
    const calls = fake(where, printing(HELP));
    const first = await probe(where);
    expect(first).toMatchObject({ answer: 'ok', version: 'codex-cli 0.171.0' });
    expect(first.features).toEqual([
      'exec --json',
      'exec -s',
      'exec --sandbox',
      'exec --ignore-rules',
      'resume --json',
      'resume -s',
      'resume --sandbox',
      'resume --ignore-rules',
    ]);
    expect(calls()).toEqual(['--version', 'exec --help', 'exec resume --help']);
    expect(await probe(where)).toEqual(first);
    expect(calls()).toEqual(['--version', '--version', 'exec --help', 'exec resume --help']);

    fake(where, printing(HELP.replace('--json', '--jsonl')), 'codex-cli 0.172.0');
    expect((await probe(where)).features).toContain('exec --jsonl');
  });

  test.each([
    ['fails', 'exit 1'],
    ['prints something else', 'echo hello'],
    ['is silent', 'true'],
  ])('a help that %s is not remembered', async (_, help) => {
    const where = surroundings();
    fake(where, help);
    expect(await probe(where)).toMatchObject({ answer: 'ok', features: [] });
    expect(readdirSync(where.state)).toEqual([]);
    fake(where, printing(HELP));
    expect((await probe(where)).features).toContain('exec --sandbox');
  });

  test('what answers instead of helping does it in a folder of its own', async () => {
    const where = surroundings();
    fake(where, 'echo x >made.txt');
    const cwd = temporaryFolder();
    await probe(where, cwd);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('no binary, an abnormal and a hung one', async () => {
    const where = surroundings();
    where.env['PATH'] = where.bin;
    expect(await probe(where)).toMatchObject({ answer: 'missing', binary: null, version: null });
    fakeShell(where, 'exit 3', { name: 'codex', version: null });
    expect(await probe(where)).toMatchObject({ answer: 'abnormal', version: 'unknown', features: [] });
  });
});

describe('settings that would open the sandbox', () => {
  function settings(toml: string): { where: Surroundings; home: string } {
    const where = surroundings();
    fake(where, printing(HELP));
    const home = join(where.home, '.codex');
    mkdirSync(home);
    writeFileSync(join(home, 'config.toml'), toml);
    return { where, home };
  }

  test('MCP servers are named, so that they can be turned off', async () => {
    const { where } = settings('[mcp_servers.one]\ncommand = "x"\n[mcp_servers."two three".env]\nA = "b"\n');
    const { features, warnings } = await probe(where);
    expect(features).toEqual(expect.arrayContaining(['mcp one', 'mcp two three']));
    expect(warnings).toEqual([]);
  });

  test.each(['mcp_servers = { one = { command = "x" } }', 'mcp_servers.one.command = "x"', '[mcp_servers]'])(
    'those written as %j are a gap',
    async (toml) => {
      const { where } = settings(toml);
      expect((await probe(where)).warnings).toMatchObject([{ gap: true }]);
    },
  );

  test('and so are those of a project', async () => {
    const where = surroundings();
    fake(where, printing(HELP));
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.codex'));
    writeFileSync(join(cwd, '.codex', 'config.toml'), '[mcp_servers.p]\n');
    expect((await probe(where, cwd)).warnings).toMatchObject([
      { gap: true, text: expect.stringContaining(join(cwd, '.codex', 'config.toml')) },
    ]);
  });

  test('of the repository, from below, and not of what lies above it', async () => {
    const where = surroundings();
    fake(where, printing(HELP));
    const above = temporaryFolder();
    const cwd = join(above, 'repo', 'sub');
    for (const folder of ['.codex', 'repo/.codex', 'repo/.git', 'repo/sub'])
      mkdirSync(join(above, folder), { recursive: true });
    for (const folder of [above, join(above, 'repo')])
      writeFileSync(join(folder, '.codex', 'config.toml'), '[mcp_servers.p]\n');
    const { warnings } = await probe(where, cwd);
    expect(warnings.map(({ text }) => text.split(' ')[0])).toEqual([
      join(above, 'repo', '.codex', 'config.toml'),
    ]);
  });

  test('an open network is said', async () => {
    const { where } = settings('[sandbox_workspace_write]\nnetwork_access = true\n');
    expect((await probe(where)).warnings).toMatchObject([{ gap: false }]);
  });

  test('rules are a gap for a version that cannot ignore them', async () => {
    const { where, home } = settings('');
    mkdirSync(join(home, 'rules'));
    writeFileSync(join(home, 'rules', 'default.rules'), 'prefix_rule()');
    expect((await probe(where)).warnings).toEqual([]);
    fake(where, printing(HELP.replace('      --ignore-rules\n', '')), 'codex-cli 0.100.0');
    expect((await probe(where)).warnings).toMatchObject([{ gap: true }]);
  });

  test('comments are none', () => {
    expect(mcpServers('# [mcp_servers.x]\nother = "mcp_servers"\n')).toEqual({ names: [], odd: false });
  });
});
