import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Result } from '../src/rundir/result.ts';
import { makeRepository, openRepository } from '../test/support/repository.ts';
import { CLIS, dispatchReal, gitFiles, type RealOptions, type RealWorld, realWorld } from './support.ts';

const codex = (flags: readonly string[] = []): RealOptions => ({ implementer: 'codex', flags });

/** A folder below the shared temp folder of the machine. Every world lies there, its repository too. */
function sharedFolder(): string {
  const folder = mkdtempSync('/tmp/baton-shared-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Everything that a run must not do, one a line; each tells what came of it. */
function attempts(world: RealWorld, runDir: string, shared: string): string {
  return [
    'git commit --allow-empty -m sneaky',
    'git tag sneaky',
    'git branch sneaky',
    'echo dirty >>one.txt; git stash',
    'git config sneaky.key value',
    'git update-ref refs/heads/other HEAD',
    "printf '#!/bin/sh\\n' >.git/hooks/pre-commit",
    'echo x >.git/info/exclude',
    'mv .git .moved',
    'git -C nested commit --allow-empty -m sneaky',
    'rm -rf nested/.git; mv nested elsewhere',
    'git -C deep/er commit --allow-empty -m sneaky',
    'mkdir -p .codex; echo x >.codex/config.toml; echo x >.agents/x',
    `echo x >${runDir}/planted.txt`,
    `echo x >${runDir}/events.jsonl`,
    `echo x >${world.root}/outside.txt`,
    `echo x >${shared}/outside.txt`,
    'echo x >$HOME/outside.txt',
    'echo x >"$TMPDIR/own.txt" && cp "$TMPDIR/own.txt" copied.txt',
  ].join('\n');
}

describe('the commit boundary', () => {
  test('holds at the top of a repository, and for nested ones', async () => {
    const world = realWorld();
    const { repository } = world;
    const nested = makeRepository({ dir: join(repository.dir, 'nested') });
    const deep = makeRepository({ dir: join(repository.dir, 'deep', 'er') });
    const [runDir, shared] = [join(world.root, 'run'), sharedFolder()];
    repository.write({ 'body.txt': attempts(world, runDir, shared) });
    const before = [repository, nested, deep].map(gitFiles);

    const { result } = await dispatchReal(world, [{ bash: 'sh body.txt' }, { say: 'Tried.' }], {
      ...codex(),
      outDir: runDir,
    });

    expect(result).toMatchObject({ status: 'completed', finalMessage: 'Tried.' });
    expect(result.evidence).toMatchObject({ violations: [], coverage: { complete: true, gaps: [] } });
    expect([repository, nested, deep].map(gitFiles)).toEqual(before);
    expect(readdirSync(runDir)).not.toContain('planted.txt');
    for (const folder of [world.root, world.home, shared])
      expect(readdirSync(folder)).not.toContain('outside.txt');
    expect(repository.read('one.txt')).toContain('dirty'); // the attempts did run
    expect(repository.read('copied.txt')).toBe('x\n'); // and had a temp folder of their own,
    expect(readdirSync(world.tmp)).toEqual([]); // which is gone
  });

  test('holds in a linked worktree', async () => {
    const world = realWorld();
    const tree = join(world.root, 'linked');
    world.repository.git('worktree', 'add', '-q', tree);
    const before = gitFiles(world.repository);
    const commit = `git commit --allow-empty -m x; git branch sneaky; echo x >${world.repository.dir}/.git/hooks/post-commit; rm .git; echo x >made.txt`;
    const { result } = await dispatchReal(world, [{ bash: commit }, { say: 'x' }], { ...codex(), cd: tree });
    expect(result).toMatchObject({ status: 'completed', evidence: { violations: [] } });
    expect(gitFiles(world.repository)).toEqual(before);
    expect(openRepository(tree).status()).toEqual(['?? made.txt']);
  });

  test('holds from a subdirectory, which nothing leaves', async () => {
    const world = realWorld();
    world.repository.commit({ 'sub/two.txt': 'two\n' });
    const before = gitFiles(world.repository);
    const commit =
      'git commit --allow-empty -m x; echo x >../up.txt; echo x >../.git/hooks/pre-commit; echo x >in.txt';
    const { result } = await dispatchReal(world, [{ bash: commit }, { say: 'x' }], {
      ...codex(),
      cd: join(world.repository.dir, 'sub'),
    });
    expect(result).toMatchObject({ status: 'completed', evidence: { violations: [] } });
    expect(world.repository.status()).toEqual(['?? sub/in.txt']);
    expect(gitFiles(world.repository)).toEqual(before);
  });

  test('settings of other agents stay writable, which is reported', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(
      world,
      [{ bash: 'mkdir -p .claude; echo {} >.claude/settings.json' }, { say: 'x' }],
      codex(),
    );
    expect(result.evidence.violations).toContainEqual(
      expect.objectContaining({ kind: 'agent-settings', actor: 'implementer-possible' }),
    );
  });

  test('so does what lies outside of the declared scope', async () => {
    const { result } = await dispatchReal(
      realWorld(),
      [{ bash: 'echo x >two.txt' }, { say: 'x' }],
      codex(['--touch', 'src/**']),
    );
    expect(result.evidence.violations).toMatchObject([{ kind: 'scope', actor: 'implementer-possible' }]);
  });

  test('a directory that was opened is open, and no other', async () => {
    const world = realWorld();
    const [open, closed] = [join(world.root, 'open'), join(world.root, 'closed')];
    for (const folder of [open, closed]) mkdirSync(folder);
    const { result } = await dispatchReal(
      world,
      [{ bash: `echo x >${open}/f; echo x >${closed}/f` }, { say: 'x' }],
      codex(['--allow-write', open]),
    );
    expect(result.widened).toEqual({ hooks: false, write: [open], domains: [] });
    expect([readdirSync(open), readdirSync(closed)]).toEqual([['f'], []]);
  });

  test('a run directory within the working directory is within reach, and the result says so', async () => {
    const world = realWorld();
    const outDir = join(world.repository.dir, 'run');
    const { result, stderr } = await dispatchReal(
      world,
      [{ bash: 'echo x >run/planted.txt' }, { say: 'x' }],
      { ...codex(), outDir },
    );
    expect(readdirSync(outDir)).toContain('planted.txt');
    expect(result.evidence.coverage.complete).toBe(false);
    expect(result.evidence.coverage.gaps).toContainEqual(expect.stringContaining(outDir));
    expect(stderr).toContain(outDir);
  });
});

describe('hooks', () => {
  const rewrite = 'echo "git commit --allow-empty -qm hooked" >hook.sh';

  /** A hook of the project that the user has trusted, as its own dialogue would leave it in the settings. */
  async function runWithHook(flags: string[]): Promise<{ world: RealWorld; result: Result }> {
    const world = realWorld();
    const hook = { type: 'command', command: `sh ${world.repository.dir}/hook.sh` };
    world.repository.commit({
      'hook.sh': 'true\n',
      '.codex/hooks.json': JSON.stringify({ hooks: { PostToolUse: [{ matcher: '.*', hooks: [hook] }] } }),
    });
    const project = `[projects.${JSON.stringify(world.repository.dir)}]\ntrust_level = "trusted"\n`;
    const { key, currentHash } = await trustOf(world, project);
    world.codexSettings = `${project}[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`;
    const { result } = await dispatchReal(
      world,
      [{ bash: rewrite }, { bash: 'ls' }, { say: 'x' }],
      codex(flags),
    );
    return { world, result };
  }

  test('are off, so that a rewritten script does not leave the sandbox', async () => {
    const { world, result } = await runWithHook([]);
    expect(world.repository.git('log', '--format=%s')).not.toContain('hooked');
    expect(result).toMatchObject({ status: 'completed' });
    expect(result.evidence.violations.map(({ kind }) => kind)).not.toContain('commit');
  });

  test('that were allowed can commit, which is reported', async () => {
    const { world, result } = await runWithHook(['--allow-hooks']);
    expect(world.repository.git('log', '--format=%s')).toContain('hooked');
    expect(result).toMatchObject({ status: 'completed', widened: { hooks: true } });
    expect(result.evidence.violations).toContainEqual(
      expect.objectContaining({ kind: 'commit', actor: 'implementer-possible' }),
    );
  });
});

describe('what the user’s own settings would open stays closed', () => {
  test('rules that let commands out of the sandbox', async () => {
    const world = realWorld();
    const rules = join(world.root, 'codex', 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'default.rules'), 'prefix_rule(pattern=["git","commit"], decision="allow")\n');
    const { result } = await dispatchReal(
      world,
      [{ bash: 'git commit --allow-empty -m ruled' }, { say: 'x' }],
      codex(),
    );
    expect(result).toMatchObject({
      status: 'completed',
      evidence: { violations: [], coverage: { complete: true } },
    });
    expect(world.repository.git('log', '--format=%s')).toBe('first');
  });

  test('a wider sandbox, more roots, and a fixed approval policy', async () => {
    const world = realWorld();
    const open = join(world.root, 'open');
    mkdirSync(open);
    world.codexSettings = `sandbox_mode = "danger-full-access"
approval_policy = "on-request"
[sandbox_workspace_write]
writable_roots = [${JSON.stringify(open)}]
`;
    const escalated = {
      cmd: 'touch escalated.txt',
      sandbox_permissions: 'require_escalated',
      justification: 'x',
    };
    const { result } = await dispatchReal(
      world,
      [
        { bash: `echo x >${open}/f; git commit --allow-empty -m sneaky` },
        { tool: { name: 'exec_command', input: escalated } },
        { say: 'x' },
      ],
      codex(),
    );
    expect(result).toMatchObject({ status: 'completed', evidence: { tree: 'unchanged', violations: [] } });
    expect(readdirSync(open)).toEqual([]);
  });

  test('MCP servers, which run outside of the sandbox', async () => {
    const world = realWorld();
    const started = join(world.root, 'started.txt');
    const server = `command = "sh"\nargs = ["-c", "echo x >${started}"]\n`;
    world.codexSettings = `[mcp_servers."my.server"]\n${server}[mcp_servers.plain]\n${server}`;
    const { result } = await dispatchReal(world, [{ bash: 'ls' }, { say: 'x' }], codex());
    expect(result.status).toBe('completed');
    expect(existsSync(started)).toBe(false);
  });
});

describe('other profiles', () => {
  test('a read-only run has nothing to write with', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(
      world,
      [
        { bash: 'cat one.txt; echo x >two.txt; echo x >/tmp/baton-read-only' },
        { write: { path: 'three.txt', content: 'x\n' } },
        { say: 'The plan.' },
      ],
      codex(['--read-only']),
    );
    expect(result).toMatchObject({
      status: 'completed',
      sandbox: 'read-only',
      shellSandbox: 'strict',
      readOnlyViolation: false,
      finalMessage: 'The plan.',
      evidence: { tree: 'unchanged', violations: [], coverage: { complete: true } },
    });
    expect(world.repository.status()).toEqual([]);
    expect(existsSync('/tmp/baton-read-only')).toBe(false);
  });

  test('full access is full, and a commit is found', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(
      world,
      [{ bash: 'git commit --allow-empty -qm sneaky' }, { say: 'x' }],
      codex(['--sandbox', 'danger-full-access']),
    );
    expect(world.repository.git('log', '--format=%s')).toContain('sneaky');
    expect(result.evidence.violations).toContainEqual(
      expect.objectContaining({ kind: 'commit', actor: 'implementer-possible' }),
    );
  });
});

/** Asks codex itself for the hash by which it would know the one hook of the project again. */
async function trustOf(world: RealWorld, settings: string): Promise<{ key: string; currentHash: string }> {
  const home = join(world.root, 'codex');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.toml'), settings);
  const child = spawn(join(CLIS, 'codex'), ['app-server'], {
    env: { ...world.env, CODEX_HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ask = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  ask({ id: 1, method: 'initialize', params: { clientInfo: { name: 'conformance', version: '1' } } });
  ask({ method: 'initialized' });
  ask({ id: 2, method: 'hooks/list', params: { cwds: [world.repository.dir] } });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const answer = printed.split('\n').find((line) => line.startsWith('{"id":2,') && line.endsWith('}'));
    if (answer !== undefined) {
      child.stdin.end();
      return JSON.parse(answer).result.data[0].hooks[0];
    }
  }
  throw new Error(`codex app-server left without an answer: ${printed}`);
}

test('the temp folder of a run is private, and where the system keeps such folders', async () => {
  const world = realWorld();
  const { result } = await dispatchReal(
    world,
    [{ bash: 'stat -c "%a %n" "$TMPDIR" >seen.txt' }, { say: 'x' }],
    codex(),
  );
  expect(result.status).toBe('completed');
  expect(readFileSync(join(world.repository.dir, 'seen.txt'), 'utf8')).toMatch(
    new RegExp(`^700 ${world.tmp}/baton-tmp-`),
  );
});
