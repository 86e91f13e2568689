import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Result } from '../src/rundir/result.ts';
import { makeRepository, openRepository } from '../test/support/repository.ts';
import {
  dispatchReal,
  gitFiles,
  projectSettings,
  type RealWorld,
  realWorld,
  userSettings,
} from './support.ts';

/** Everything that a run must not do, one a line; each tells what came of it. */
function attempts(world: RealWorld, runDir: string): string {
  return [
    'git commit --allow-empty -m sneaky',
    'git tag sneaky',
    'git branch sneaky',
    'echo dirty >>one.txt; git stash',
    'git config sneaky.key value',
    'git reset --soft HEAD~0; git update-ref refs/heads/other HEAD',
    "printf '#!/bin/sh\\n' >.git/hooks/pre-commit",
    'echo x >.git/info/exclude',
    'mv .git .moved',
    'git -C nested commit --allow-empty -m sneaky',
    'rm -rf nested/.git',
    `echo x >${runDir}/planted.txt`,
    `echo x >${runDir}/events.jsonl`,
    `echo x >${world.root}/outside.txt`,
    'echo x >$HOME/outside.txt',
  ].join('\n');
}

/** The ways around rules that look at a command's first words. */
const WAYS: [string, () => object[]][] = [
  ['sh -c …; echo', () => [{ bash: "sh -c '. ./body.txt'; echo" }]],
  ['a script file', () => [{ bash: 'sh body.txt' }]],
  [
    'another language',
    () => [
      {
        write: {
          path: 'run.mjs',
          content:
            "import { execFileSync } from 'node:child_process';\nexecFileSync('sh', ['body.txt'], { stdio: 'inherit' });\n",
        },
      },
      { bash: 'node run.mjs' },
    ],
  ],
  ...(existsSync('/usr/bin/python3')
    ? [
        [
          'python',
          () => [
            {
              write: { path: 'run.py', content: "import subprocess\nsubprocess.call(['sh', 'body.txt'])\n" },
            },
            { bash: 'python3 run.py' },
          ],
        ] satisfies [string, () => object[]],
      ]
    : []),
];

describe('the commit boundary', () => {
  test.each(WAYS)('holds against %s', async (_, way) => {
    const world = realWorld();
    const { repository } = world;
    const nested = makeRepository({ dir: join(repository.dir, 'nested') });
    const runDir = join(world.root, 'run');
    const body = attempts(world, runDir);
    repository.write({ 'body.txt': body });
    const [before, nestedBefore] = [gitFiles(repository), gitFiles(nested)];

    const { result } = await dispatchReal(world, [...way(), { say: 'Tried.' }], { outDir: runDir });

    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'Tried.',
      evidence: { violations: [] },
    });
    expect(gitFiles(repository)).toEqual(before);
    expect(gitFiles(nested)).toEqual(nestedBefore);
    expect(readdirSync(runDir)).not.toContain('planted.txt');
    expect(existsSync(join(world.root, 'outside.txt'))).toBe(false);
    expect(existsSync(join(world.home, 'outside.txt'))).toBe(false);
    expect(repository.read('one.txt')).toContain('dirty'); // the attempts did run
  });

  test('holds in a linked worktree', async () => {
    const world = realWorld();
    const tree = join(world.root, 'linked');
    world.repository.git('worktree', 'add', '-q', tree);
    const before = gitFiles(world.repository);
    const { result } = await dispatchReal(
      world,
      [
        {
          write: {
            path: 'c.sh',
            content: 'git commit --allow-empty -m x; git branch sneaky; rm .git; echo $?\n',
          },
        },
        { bash: 'sh c.sh' },
        { say: 'x' },
      ],
      { cd: tree },
    );
    expect(result).toMatchObject({ status: 'completed', evidence: { violations: [] } });
    expect(gitFiles(world.repository)).toEqual(before);
    expect(openRepository(tree).status()).toEqual(['?? c.sh']);
  });

  test('holds from a subdirectory, which nothing leaves', async () => {
    const world = realWorld();
    world.repository.commit({ 'sub/two.txt': 'two\n' });
    const before = gitFiles(world.repository);
    const { result } = await dispatchReal(
      world,
      [
        { write: { path: 'c.sh', content: 'git commit --allow-empty -m x; echo x >../up.txt; echo $?\n' } },
        { bash: 'sh c.sh' },
        { write: { path: join(world.repository.dir, 'up.txt'), content: 'x' } },
        { say: 'x' },
      ],
      { cd: join(world.repository.dir, 'sub') },
    );
    expect(result.agent.denials).toMatchObject([{ tool: 'Write' }]);
    expect(world.repository.status()).toEqual(['?? sub/c.sh']);
    expect(gitFiles(world.repository)).toEqual(before);
  });

  test('a plain commit and a write outside are refused, and the result says so', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(world, [
      { bash: 'git commit --allow-empty -m x' },
      { write: { path: join(world.root, 'outside.txt'), content: 'x' } },
      { write: { path: '.git/hooks/pre-commit', content: 'x' } },
      { write: { path: '.claude/settings.json', content: '{}' } },
      { say: 'Could not.' },
    ]);
    expect(result.agent.denials.map((denial) => denial.tool)).toEqual(['Bash', 'Write', 'Write', 'Write']);
    expect(result).toMatchObject({ status: 'completed', evidence: { tree: 'unchanged', violations: [] } });
  });

  test.each(['run', 'odd [1]*{a} (b)', 'back\\slash'])(
    'the run directory inside the tree stays baton’s own: %s',
    async (name) => {
      const world = realWorld();
      const outDir = join(world.repository.dir, name);
      const { result } = await dispatchReal(
        world,
        [
          { write: { path: `${name}/result.json`, content: '{}' } },
          {
            write: {
              path: 's.sh',
              content: `echo x >'${outDir}/planted.txt'; ln -s '${outDir}' link; echo\n`,
            },
          },
          { bash: 'sh s.sh' },
          { write: { path: 'link/brief.txt', content: 'x' } },
          { say: 'x' },
        ],
        { outDir },
      );
      expect(result.agent.denials.map((denial) => denial.tool)).toEqual(['Write', 'Write']);
      expect(readdirSync(outDir)).not.toContain('planted.txt');
      expect(result).toMatchObject({ status: 'completed', finalMessage: 'x', stream: { truncated: false } });
    },
  );
});

describe('hooks', () => {
  const HOOK = {
    hooks: { PostToolUse: [{ matcher: '.*', hooks: [{ type: 'command', command: 'sh ./hook.sh' }] }] },
  };
  const edits = [
    { write: { path: 'hook.sh', content: 'git commit --allow-empty -qm hooked\n' } },
    { read: 'one.txt' },
    { say: 'x' },
  ];

  async function runWithHook(flags: string[]): Promise<{ world: RealWorld; result: Result }> {
    const world = realWorld();
    projectSettings(world, HOOK);
    const { result } = await dispatchReal(world, edits, { flags });
    return { world, result };
  }

  test('are off, so that an edited script does not leave the sandbox', async () => {
    const { world, result } = await runWithHook([]);
    expect(world.repository.git('log', '--format=%s')).toBe('first');
    expect(result.evidence.violations.map((violation) => violation.kind)).not.toContain('commit');
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

describe('settings that undo the sandbox', () => {
  test('a commit through excluded commands is warned of, and found', async () => {
    const world = realWorld();
    userSettings(world, { permissions: { allow: ['Bash(sh *)'] }, sandbox: { excludedCommands: ['sh *'] } });
    const { result, stderr } = await dispatchReal(world, [
      { write: { path: 'c.sh', content: 'git commit --allow-empty -qm sneaky\n' } },
      { bash: 'sh c.sh' },
      { say: 'x' },
    ]);
    expect(world.repository.git('log', '--format=%s')).toContain('sneaky');
    expect(stderr).toContain('sandbox.excludedCommands');
    expect(result.evidence.coverage).toMatchObject({
      complete: false,
      gaps: [expect.stringContaining('sandbox.excludedCommands')],
    });
    expect(result.evidence.violations).toContainEqual(
      expect.objectContaining({ kind: 'commit', actor: 'implementer-possible' }),
    );
  });

  test('a project’s own helper runs outside, before any trust: a gap', async () => {
    const world = realWorld();
    const outside = join(world.root, 'outside.txt');
    world.repository.commit({ 'key.sh': `echo any; echo x >${outside}\n` });
    projectSettings(world, { apiKeyHelper: 'sh ./key.sh' });
    const { result } = await dispatchReal(world, [{ say: 'x' }], { env: { ANTHROPIC_API_KEY: '' } });
    expect(existsSync(outside)).toBe(true);
    expect(result.evidence.coverage).toMatchObject({
      complete: false,
      gaps: [expect.stringContaining('apiKeyHelper')],
    });
  });

  test.each([
    { enabled: false },
    { filesystem: { disabled: true } },
    { allowUnsandboxedCommands: true },
    { filesystem: { allowWrite: ['/'] } },
  ])('the profile holds against the user’s %j', async (sandbox) => {
    const world = realWorld();
    userSettings(world, { permissions: { allow: ['Bash', 'Write', 'Edit'] }, sandbox });
    const before = gitFiles(world.repository);
    const commit = "sh -c 'git commit --allow-empty -m sneaky'; echo";
    const { result } = await dispatchReal(world, [
      { bash: commit },
      { tool: { name: 'Bash', input: { command: commit, dangerouslyDisableSandbox: true } } },
      { write: { path: '.git/refs/heads/sneaky', content: 'x' } },
      { say: 'x' },
    ]);
    expect(result).toMatchObject({ status: 'completed', evidence: { violations: [] } });
    expect(gitFiles(world.repository)).toEqual(before);
  });
});

describe('a read-only run', () => {
  test('has nothing to write with', async () => {
    const world = realWorld();
    const { result } = await dispatchReal(
      world,
      [
        { read: 'one.txt' },
        { write: { path: 'two.txt', content: 'x' } },
        { bash: 'touch three.txt' },
        { say: 'The plan.' },
      ],
      { flags: ['--read-only'] },
    );
    expect(result).toMatchObject({
      status: 'completed',
      permissionMode: 'plan',
      shellSandbox: 'not-applicable',
      readOnlyViolation: false,
      finalMessage: 'The plan.',
      evidence: { tree: 'unchanged', violations: [], coverage: { complete: true } },
    });
    expect(result.agent.denials.map((denial) => denial.tool)).toEqual(['Write', 'Bash']);
    expect(world.repository.status()).toEqual([]);
  });

  test('a question that nobody can answer', async () => {
    const questions = [
      {
        question: 'Which?',
        header: 'h',
        multiSelect: false,
        options: [
          { label: 'a', description: 'a' },
          { label: 'b', description: 'b' },
        ],
      },
    ];
    const { result } = await dispatchReal(
      realWorld(),
      [{ tool: { name: 'AskUserQuestion', input: { questions } } }, { say: 'Assumed a.' }],
      { flags: ['--read-only'] },
    );
    expect(result).toMatchObject({ status: 'completed', agent: { claim: 'success', reason: 'needs-input' } });
  });
});

describe('a bypass run', () => {
  const asRoot = process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {};

  test('is sandboxed all the same, and cannot write into git directories', async () => {
    const world = realWorld(asRoot);
    const before = gitFiles(world.repository);
    const outDir = join(world.root, 'run');
    const { result } = await dispatchReal(
      world,
      [
        { bash: "sh -c 'git commit --allow-empty -m sneaky'; echo" },
        { bash: 'git commit --allow-empty -m direct' },
        { write: { path: '.git/hooks/pre-commit', content: 'x' } },
        { write: { path: join(outDir, 'result.json'), content: 'x' } },
        { write: { path: join(world.root, 'outside.txt'), content: 'x' } },
        { say: 'x' },
      ],
      { outDir, flags: ['--dangerously-skip-permissions'] },
    );
    expect(result).toMatchObject({
      status: 'completed',
      permissionMode: 'bypassPermissions',
      shellSandbox: 'strict',
      dangerouslySkipPermissions: true,
      evidence: { tree: 'unchanged', violations: [] },
    });
    expect(result.agent.denials.map((denial) => denial.tool)).toEqual(['Bash', 'Write', 'Write']);
    expect(gitFiles(world.repository)).toEqual(before);
    expect(existsSync(join(world.root, 'outside.txt'))).toBe(true); // what containment says of this profile
  });
});
