import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runBaton, readResult, PROGRAMS, until } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeBytes, lines, prove, proven, result, session } from './proof.ts';

let repository: TestRepository;
beforeAll(() => {
  repository = makeRepository();
});

/** A fake that keeps its arguments, environment, stdin and working directory. */
function fakeRecording(
  where: Surroundings,
  more = '',
): {
  args(): string[];
  env(): Map<string, string>;
  stdin(): Buffer;
  cwd(): string;
} {
  const file = (name: string): string => join(where.root, `got.${name}`);
  fakeShell(
    where,
    `cat >${quote(file('stdin'))}
    printf '%s\\0' "$@" >${quote(file('args'))}
    env -0 >${quote(file('env'))}
    pwd -P >${quote(file('cwd'))}
    ${more}
    printf '${lines(session(), result()).replaceAll('\n', '\\n')}'`,
  );
  const words = (name: string): string[] => readFileSync(file(name), 'utf8').split('\0').slice(0, -1);
  return {
    args: () => words('args'),
    env: () =>
      new Map(words('env').map((entry) => [entry.split('=', 1)[0] ?? '', entry.replace(/^[^=]*=/s, '')])),
    stdin: () => readFileSync(file('stdin')),
    cwd: () => readFileSync(file('cwd'), 'utf8').trimEnd(),
  };
}

const ARGS = (dir: string, surface = 'Read,Glob,Grep,Edit,Write,Bash'): string[] => [
  '-p',
  '--output-format',
  'stream-json',
  '--verbose',
  '--tools',
  surface,
  '--strict-mcp-config',
  '--disallowedTools',
  'mcp__*',
  '--disable-slash-commands',
  '--settings',
  join(dir, 'profile.json'),
];

const DENIED = [
  'Bash(git commit *)',
  'Bash(git * commit *)',
  'Bash(git * commit)',
  'Bash(git push *)',
  'Bash(git * push *)',
  'Bash(git * push)',
  'Bash(claude *)',
  'Bash(*claude-delegate*)',
];

function profileOf(dir: string): unknown {
  return JSON.parse(readFileSync(join(dir, 'profile.json'), 'utf8'));
}

describe('E: stdin, arguments, environment', () => {
  it('E1 stdin is ended, for the run, the version probe and git', async () => {
    const where = surroundings();
    const seen = join(where.root, 'seen');
    fakeShell(
      where,
      `if [ "$1" = --version ]; then cat >${quote(seen)}; echo 1.0; exit 0; fi
      cat >/dev/null; cat >/dev/null; printf '${lines(session(), result()).replaceAll('\n', '\\n')}'`,
      { version: null },
    );
    const run = await proven(where, { cd: repository.dir, input: 'this is not for the implementer' });
    expect(run.result).toMatchObject({ status: 'completed', claudeVersion: '1.0' });
    expect(readFileSync(seen, 'utf8')).toBe('');
  });

  it('E1 an implementer that reads nothing and leaves early is an ordinary ending', async () => {
    const where = surroundings();
    fakeShell(where, `echo 'unknown flag' >&2; exit 1`);
    const run = await proven(where, { cd: repository.dir, brief: 'x'.repeat(5_000_000) });
    expect(run.result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      stderrTail: ['unknown flag'],
      agent: { claim: 'none' },
    });
    expect(run.result.error).toContain('exited 1 without a terminal event');
  });

  it('E3 a brief of 300 KB, and one of 10,000,000 bytes, go through stdin', async () => {
    for (const size of [300_000, 10_000_000]) {
      const where = surroundings();
      const got = fakeRecording(where);
      const brief = Buffer.alloc(size, 'brief 中 ');
      const run = await proven(where, { cd: repository.dir, brief });
      expect(got.stdin().equals(brief)).toBe(true);
      expect(got.args().join(' ')).not.toContain('brief 中');
      expect(run.result.status).toBe('completed');
    }
  });

  it('E3 an environment that is too large to start anything is an ordinary failure with a result', async () => {
    await ensureBuilt();
    // The child is given all that baton is given and more: the markers, and the path of the profile as an argument.
    const where = surroundings();
    const state = join(where.root, ...Array<string>(14).fill('s'.repeat(200)));
    mkdirSync(state, { recursive: true });
    fakeBytes(where, lines(session(), result()));
    const args = ['dispatch', '--cd', repository.dir];
    const env = (size: number): { [name: string]: string } => {
      const filled: { [name: string]: string } = { ...where.env, BATON_HOME: state };
      for (let left = size, i = 0; left > 0; left -= 100_000, i += 1)
        filled[`FILL_${String(i).padStart(3, '0')}`] = 'x'.repeat(Math.min(left, 100_000));
      return filled;
    };
    const starts = (size: number): boolean =>
      spawnSync('/bin/true', [PROGRAMS.baton, ...args, process.execPath], { env: env(size) }).status === 0;
    let [fits, tooLarge] = [0, 16_000_000];
    expect(starts(tooLarge)).toBe(false);
    while (tooLarge - fits > 100) {
      const middle = Math.floor((fits + tooLarge) / 2);
      if (starts(middle)) fits = middle;
      else tooLarge = middle;
    }
    const ended = await runBaton(args, { env: env(fits - 400), cwd: where.root, input: 'Do it.' });
    const [tree = ''] = readdirSync(join(state, 'runs'));
    const [id = ''] = readdirSync(join(state, 'runs', tree));
    const dir = join(state, 'runs', tree, id);
    const run = prove({ ...ended, dir, result: readResult(dir) });
    expect(run.result).toMatchObject({ status: 'failed', exitCode: 1, process: { exit: 'not-started' } });
    expect(run.result.error).toContain('E2BIG');
  });

  it.each(['- [ ] do it', '--help', '-p', '$(touch x) `id` "\'\\', '\ufeffwith a mark', 'crlf\r\nlines\r\n'])(
    'E4 the brief %j arrives byte for byte',
    async (brief) => {
      const where = surroundings();
      const got = fakeRecording(where);
      const run = await proven(where, { cd: repository.dir, brief });
      expect(got.stdin().toString()).toBe(brief);
      expect(readFileSync(join(run.dir, 'brief.txt'), 'utf8')).toBe(brief);
      expect(got.args()).toEqual([...ARGS(run.dir), '--permission-mode', 'acceptEdits']);
    },
  );

  it('E5 NUL and bytes that are no text in the brief leave stdin as they are', async () => {
    const where = surroundings();
    const got = fakeRecording(where);
    const brief = Buffer.from([0x61, 0x00, 0x62, 0xff, 0xfe, 0xed, 0xa0, 0xbd, 0x0a]);
    const run = await proven(where, { cd: repository.dir, brief });
    expect(got.stdin()).toEqual(brief);
    expect(readFileSync(join(run.dir, 'brief.txt'))).toEqual(brief);
  });

  it('E6 the variables of another session and another repository are gone, all others stay', async () => {
    const where = surroundings();
    const got = fakeRecording(where, `[ -z "$CLAUDECODE" ] || exit 1`);
    const gone = {
      CLAUDECODE: '1',
      GIT_DIR: '/nonexistent/.git',
      GIT_WORK_TREE: '/nonexistent',
      GIT_INDEX_FILE: '/nonexistent/index',
      GIT_OBJECT_DIRECTORY: '/nonexistent/objects',
      GIT_COMMON_DIR: '/nonexistent/common',
      GIT_CONFIG_COUNT: '0',
      GIT_PREFIX: 'sub/',
    };
    const kept = {
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_OAUTH_TOKEN: 'not-a-real-token',
      CLAUDE_CODE_CHILD_SESSION: '1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      claudecode: 'another name on this platform',
      GIT_AUTHOR_NAME: 'Somebody',
      GIT_SSH_COMMAND: 'ssh -v',
      LINES: 'two\nlines=1',
      EMPTY: '',
    };
    const run = await proven(where, { cd: repository.dir, env: { ...where.env, ...gone, ...kept } });
    expect(run.result).toMatchObject({ status: 'completed', evidence: { tree: 'unchanged' } });
    expect(run.result.evidence.baseCommit).toBe(repository.head());
    const env = got.env();
    expect(Object.keys(gone).filter((name) => env.has(name))).toEqual([]);
    for (const [name, value] of Object.entries({ ...where.env, ...kept }))
      expect([name, env.get(name)]).toEqual([name, value]);
    expect(env.get('BATON_RUN_ID')).toBe(run.result.runId);
    expect(env.get('BATON_DEPTH')).toBe('1');
  });

  it('E6 a dispatch inside a run is refused before anything is made', async () => {
    const where = surroundings();
    fakeRecording(where);
    const inner = join(where.root, 'inner');
    const ended = await runBaton(['dispatch', '--cd', repository.dir, '--out-dir', inner], {
      env: { ...where.env, BATON_DEPTH: '1' },
      input: 'Do it.',
    });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^baton: .*BATON_DEPTH.*\n$/);
    expect(existsSync(inner)).toBe(false);
  });

  it('E7 bypass as root is refused with the way out, unless the user said that root is harmless', async () => {
    const where = surroundings();
    const got = fakeRecording(where);
    const outDir = join(where.root, 'run');
    const args = ['--dangerously-skip-permissions'];
    const asRoot = process.getuid?.() === 0;
    const plain = await runBaton(['dispatch', '--cd', repository.dir, '--out-dir', outDir, ...args], {
      env: where.env,
      input: 'Do it.',
    });
    expect(plain.code).toBe(asRoot ? 2 : 0);
    expect(existsSync(outDir)).toBe(!asRoot);
    expect(plain.stderr).toMatch(asRoot ? /^baton: .*root.*IS_SANDBOX=1.*\n$/ : /^$/);

    const run = await proven(where, { cd: repository.dir, args, env: { ...where.env, IS_SANDBOX: '1' } });
    expect(got.args()).toEqual([...ARGS(run.dir), '--dangerously-skip-permissions']);
    expect(run.result).toMatchObject({
      dangerouslySkipPermissions: true,
      permissionMode: 'bypassPermissions',
      shellSandbox: 'strict',
    });
    expect(profileOf(run.dir)).toMatchObject({ permissions: { deny: DENIED }, sandbox: { enabled: true } });
    expect(where.env).not.toHaveProperty('IS_SANDBOX');
  });

  it('E8 lines about a damaged configuration are counted, kept and no failure', async () => {
    const where = surroundings();
    const noise = ['Claude configuration file is corrupted', 'The backup is at: /home/x/.claude.json.backup'];
    fakeBytes(where, lines(...noise, session(), result()));
    const run = await proven(where, { cd: repository.dir });
    expect(run.result).toMatchObject({ status: 'completed', stream: { unreadable: 2, events: 2 } });
  });

  describe('the launch', () => {
    it('E4 every dial arrives, in its place and as written', async () => {
      const where = surroundings();
      const got = fakeRecording(where);
      const dials = [
        ['--model', 'claude-x[1m]:v/2@z'],
        ['--effort', 'xhigh'],
        ['--max-turns', '7'],
        ['--max-budget-usd', '0.50'],
        ['--autocompact', '150k'],
      ];
      const args = [...dials.flat(), '--session', 'S-7:x.y', '--timeout', '1h30m', '--quiet'];
      const run = await proven(where, { cd: repository.dir, args });
      expect(got.args()).toEqual([
        ...ARGS(run.dir),
        '--permission-mode',
        'acceptEdits',
        '--resume',
        'S-7:x.y',
        ...dials.flat(),
      ]);
      expect(run.result).toMatchObject({
        model: 'claude-x[1m]:v/2@z',
        effort: 'xhigh',
        maxTurns: 7,
        maxBudgetUsd: 0.5,
        autocompact: '150k',
        timeout: '1h30m',
        resumed: true,
        resumeLast: false,
      });
    });

    it('E4 a read-only run has three tools, no deny list and no sandbox', async () => {
      const where = surroundings();
      const got = fakeRecording(where);
      const run = await proven(where, { cd: repository.dir, args: ['--read-only'] });
      expect(got.args()).toEqual([...ARGS(run.dir, 'Read,Glob,Grep'), '--permission-mode', 'plan']);
      expect(profileOf(run.dir)).toEqual({ disableClaudeAiConnectors: true, disableAllHooks: true });
      expect(run.result).toMatchObject({
        readOnly: true,
        toolSurface: ['Read', 'Glob', 'Grep'],
        shellSandbox: 'not-applicable',
        permissionMode: 'plan',
      });
    });

    it('E4 the profile denies exactly this, and keeps every git directory and the run directory', async () => {
      const where = surroundings();
      const main = makeRepository();
      main.git('worktree', 'add', '-q', join(main.dir, 'linked'));
      const nested = makeRepository({ dir: join(main.dir, 'linked', 'vendor', 'nested') });
      fakeRecording(where);
      const run = await proven(where, { cd: join(main.dir, 'linked') });
      const protectedPaths = [
        join(main.dir, '.git', 'worktrees', 'linked'),
        join(main.dir, '.git'),
        join(nested.dir, '.git'),
        realpathSync(run.dir),
      ];
      expect(profileOf(run.dir)).toEqual({
        disableClaudeAiConnectors: true,
        disableAllHooks: true,
        permissions: {
          deny: DENIED,
          ask: protectedPaths.flatMap((path) => [`Edit(/${path})`, `Edit(/${path}/**)`]),
        },
        sandbox: {
          enabled: true,
          failIfUnavailable: true,
          autoAllowBashIfSandboxed: true,
          allowUnsandboxedCommands: false,
          excludedCommands: [],
          filesystem: { disabled: false, denyWrite: protectedPaths, allowWrite: [] },
          network: { allowedDomains: [] },
        },
      });
    });

    it('E4 what is widened stands in the profile and in the result', async () => {
      const where = surroundings();
      fakeRecording(where);
      const cache = temporaryFolder();
      const run = await proven(where, {
        cd: repository.dir,
        args: [
          '--allow-hooks',
          '--allow-write',
          cache,
          '--allow-domain',
          'a.example',
          '--allow-domain',
          '*.b.example',
        ],
      });
      expect(profileOf(run.dir)).not.toHaveProperty('disableAllHooks');
      expect(profileOf(run.dir)).toMatchObject({
        sandbox: {
          filesystem: { allowWrite: [cache] },
          network: { allowedDomains: ['a.example', '*.b.example'] },
        },
      });
      expect(run.result.widened).toEqual({
        hooks: true,
        write: [cache],
        domains: ['a.example', '*.b.example'],
      });
      expect(run.stdout).toContain('they run outside the sandbox');
    });

    it('E4 a profile of an earlier run that was edited is not used again', async () => {
      const where = surroundings();
      fakeRecording(where);
      const outDir = join(where.root, 'again');
      await proven(where, { cd: repository.dir, outDir });
      writeFileSync(join(outDir, 'profile.json'), '{"sandbox":{"enabled":false}}');
      await proven(where, { cd: repository.dir, outDir, args: ['--resume-last'] });
      expect(profileOf(outDir)).toMatchObject({ permissions: { deny: DENIED }, sandbox: { enabled: true } });
    });

    it('E4 the working directory is the one that was asked for', async () => {
      const where = surroundings();
      const got = fakeRecording(where);
      const sub = join(makeRepository({ files: { 'a b/ü/f.txt': 'x\n' } }).dir, 'a b', 'ü');
      const run = await proven(where, { cd: sub });
      expect(got.cwd()).toBe(sub);
      expect(run.result.workdir).toBe(sub);
    });
  });

  describe('the version preflight', () => {
    it.each([
      ['another exit', 'echo 9.9; exit 3'],
      ['no answer', 'exit 0'],
      ['a signal', 'kill -9 $$'],
      ['only stderr', 'echo 9.9 >&2; exit 0'],
    ])('E1 an abnormal answer is "unknown", and the run starts: %s', async (_, answer) => {
      const where = surroundings();
      fakeShell(
        where,
        `[ "$1" = --version ] && { ${answer}; }
        cat >/dev/null; printf '${lines(session(), result()).replaceAll('\n', '\\n')}'`,
        { version: null },
      );
      const run = await proven(where, { cd: repository.dir });
      expect(run.result).toMatchObject({ status: 'completed', claudeVersion: 'unknown' });
    });

    it('E1 a preflight that hangs ends the run with 124, and leaves nothing', async () => {
      const where = surroundings();
      const [pid, launched] = [join(where.root, 'pid'), join(where.root, 'launched')];
      fakeShell(
        where,
        `[ "$1" = --version ] && { trap '' TERM; echo $$ >${quote(pid)}; sleep 600 & wait; sleep 600; }
        echo yes >${quote(launched)}`,
        { version: null },
      );
      const run = await proven(where, { cd: repository.dir });
      expect(run.result).toMatchObject({
        status: 'timeout',
        exitCode: 124,
        claudeVersion: 'unknown',
        process: { exit: 'not-started', timeoutKind: null, pid: null },
        evidence: { tree: 'unchanged' },
      });
      expect(run.result.error).toContain('nothing was dispatched');
      expect(existsSync(launched)).toBe(false);
      const probe = Number(readFileSync(pid, 'utf8'));
      await until('the end of the probe', () => !existsSync(`/proc/${probe}`));
    });
  });
});
