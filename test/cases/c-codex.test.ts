import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/rundir/result.ts';
import { dispatch, type DispatchOptions } from '../support/baton.ts';
import { surroundings, type Surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { PROJECT } from '../support/project.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fakeBytes, lines, proven, type Proven } from './proof.ts';

const CODEX = { name: 'codex', version: 'codex-cli 0.171.0' };
const RECORDINGS = join(PROJECT, 'test', 'recordings');

const thread = (id = 'T1'): string => JSON.stringify({ type: 'thread.started', thread_id: id });
const TURN = JSON.stringify({ type: 'turn.started' });
const says = (text: string): string =>
  JSON.stringify({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } });
const done = (usage: object = { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 }): string =>
  JSON.stringify({ type: 'turn.completed', usage });
const failed = (message: string): string => JSON.stringify({ type: 'turn.failed', error: { message } });
const errs = (message: string): string => JSON.stringify({ type: 'error', message });
const ran = (output: string, exitCode: number): string =>
  JSON.stringify({
    type: 'item.completed',
    item: {
      id: `c${output.length}`,
      type: 'command_execution',
      command: 'x',
      aggregated_output: output,
      exit_code: exitCode,
    },
  });

const run = (where: Surroundings, options: DispatchOptions): Promise<Proven> =>
  proven(where, { ...options, args: ['--implementer', 'codex', ...(options.args ?? [])] });

/** Dispatches to a fake codex that prints these records. */
async function say(records: readonly string[], exit = 0, before = ''): Promise<Proven> {
  const where = surroundings();
  fakeBytes(where, lines(...records), { ...CODEX, exit, before });
  return run(where, { cd: makeRepository().dir });
}

/** A fake that keeps its arguments and environment, does something, and succeeds. */
function fakeKeeping(where: Surroundings, { id = 'T1', doing = '' } = {}) {
  const [args, env] = [join(where.root, 'args'), join(where.root, 'env')];
  fakeShell(
    where,
    `cat >/dev/null\nprintf '%s\\n' "$@" >${quote(args)}\nenv >${quote(env)}\n${doing}\nprintf '%s\\n' ${[thread(id), TURN, says('ok'), done()].map(quote).join(' ')}`,
    CODEX,
  );
  return {
    args: (): string[] => readFileSync(args, 'utf8').trimEnd().split('\n'),
    env: (): Map<string, string> =>
      new Map(
        readFileSync(env, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
  };
}

describe('C: codex events', () => {
  it.each([
    [
      'session.created and item_type',
      [
        '{"type":"session.created","session_id":"T1"}',
        '{"type":"item.completed","item":{"id":"i","item_type":"assistant_message","text":"Hi."}}',
        done(),
      ],
    ],
    ['thread.started and type', [thread(), TURN, says('Hi.'), done()]],
    [
      'the msg envelope',
      [
        '{"id":"0","msg":{"type":"session_configured","session_id":"T1"}}',
        '{"id":"1","msg":{"type":"agent_message","message":"Hi."}}',
        '{"id":"1","msg":{"type":"task_complete","last_agent_message":"Hi."}}',
      ],
    ],
    [
      'and unknown items',
      [
        thread(),
        '{"type":"item.flubbed","item":{}}',
        '{"type":"item.completed","item":{"type":"flubbed"}}',
        says('Hi.'),
        done(),
      ],
    ],
  ])('C1 schema drift: %s', async (_, records) => {
    const { result } = await say(records);
    expect(result).toMatchObject({ status: 'completed', finalMessage: 'Hi.', threadId: 'T1' });
    expect(result.stream).toMatchObject({ events: records.length, unreadable: 0 });
  });

  it('C2 reconnects are not fatal', async () => {
    const { result } = await say([
      thread(),
      TURN,
      errs('Reconnecting... 1/5 (stream closed)'),
      says('Hi.'),
      done(),
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      finalMessage: 'Hi.',
      agent: { retries: 1, reason: null },
    });
  });

  it.each([0, 1])(
    'C4 turn.failed is failed, with its own message, also with exit %d and an empty stderr',
    async (exit) => {
      const message = "You've hit your usage limit. Upgrade to Pro or try again in 3 hours 5 minutes.";
      const { result } = await say([thread(), TURN, errs(message), failed(message)], exit);
      expect(result).toMatchObject({
        status: 'failed',
        exitCode: 1,
        error: message,
        stderrTail: [],
        agent: {
          claim: 'error',
          reason: 'usage-limit',
          retryable: true,
          retryAt: expect.stringMatching(/^20/),
        },
      });
    },
  );

  it('C5 a stream without turn.completed is no success, whatever the exit code', async () => {
    const { result } = await say([thread(), TURN, says('Half.')]);
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      threadId: 'T1',
      finalMessage: 'Half.',
      agent: { claim: 'none' },
    });
  });

  it.each([
    ['zero tokens', done({ input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 })],
    ['no usage', '{"type":"turn.completed"}'],
  ])('C5 an empty turn (%s) is suspicious, and no success', async (_, end) => {
    const { result } = await say([thread(), TURN, end]);
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      agent: { claim: 'error', reason: 'other' },
    });
    expect(result.error).toContain('without a word');
  });

  it('C6 of several messages the last that is not empty is the final text', async () => {
    const { result, dir } = await say([
      thread(),
      TURN,
      says('Looking.'),
      ran('x', 0),
      says('Done.'),
      says(''),
      done(),
    ]);
    expect(result).toMatchObject({ status: 'completed', finalMessage: 'Done.', agent: { toolCalls: 1 } });
    expect(readFileSync(join(dir, 'events.jsonl'), 'utf8')).toContain('Looking.');
  });

  it('C7 without a -o file the text is from the stream, and a stale one is gone before the start', async () => {
    const where = surroundings();
    const outDir = join(where.root, 'run');
    mkdirSync(outDir, { mode: 0o700 });
    const final = join(outDir, 'final.txt');
    writeFileSync(final, 'stale');
    const fake = fakeKeeping(where, { doing: `test -e ${quote(final)} && exit 9` });
    const { result } = await run(where, { cd: makeRepository().dir, outDir });
    expect(result).toMatchObject({ status: 'completed', finalMessage: 'ok' });
    expect(fake.args().join(' ')).toContain(`-o ${final}`);
    expect(readFileSync(final, 'utf8')).toBe('ok');
  });

  it('C7 what codex itself wrote there is replaced by the text of the stream', async () => {
    const where = surroundings();
    const outDir = join(where.root, 'run');
    fakeKeeping(where, { doing: `echo other >${quote(join(outDir, 'final.txt'))}` });
    await run(where, { cd: makeRepository().dir, outDir });
    expect(readFileSync(join(outDir, 'final.txt'), 'utf8')).toBe('ok');
  });

  it('C9 outside of git the remedy is named, and the flag only added when asked for', async () => {
    const where = surroundings();
    const refusal = 'Not inside a trusted directory and --skip-git-repo-check was not specified.';
    fakeShell(
      where,
      `cat >/dev/null\ncase " $* " in *" --skip-git-repo-check "*) ;; *) echo ${quote(refusal)} >&2; exit 1;; esac\nprintf '%s\\n' ${[thread(), says('ok'), done()].map(quote).join(' ')}`,
      CODEX,
    );
    const refused = await run(where, { cd: temporaryFolder() });
    expect(refused.result).toMatchObject({ status: 'failed', exitCode: 1, stderrTail: [refusal] });
    expect(refused.result.error).toContain('--skip-git-repo-check');
    expect(refused.stderr.split('\n')[0]).toContain('--skip-git-repo-check');
    const asked = await run(where, { cd: temporaryFolder(), args: ['--skip-git-repo-check'] });
    expect(asked.result.status).toBe('completed');
    const inGit = await run(where, { cd: makeRepository().dir });
    expect(inGit.result.status).toBe('failed');
  });

  it('C10 a sandbox that is not there is the reason, and nothing is widened for it', async () => {
    const { result } = await say([
      thread(),
      TURN,
      ran('bwrap: No permissions to create a new namespace', 1),
      says('I could not.'),
      done(),
    ]);
    expect(result).toMatchObject({
      sandbox: 'workspace-write',
      finalMessage: 'I could not.',
      agent: { reason: 'sandbox-unavailable', retryable: false },
    });
  });

  it('stderr, tools and the agent’s own words never classify a run', async () => {
    const words = "You've hit your usage limit (429); no rollout found";
    const { result } = await say([thread(), TURN, ran(words, 1), says(words)], 1, `echo ${quote(words)} >&2`);
    expect(result).toMatchObject({ status: 'failed', exitCode: 1, agent: { claim: 'none', reason: null } });
    expect(result.error).not.toContain('usage limit');
  });
});

describe('C: recordings of the real codex, through the CLI', () => {
  const OK = { status: 'completed', exitCode: 0, agent: { claim: 'success', reason: null, retryable: null } };
  const bad = (reason: string | null, retryable: boolean | null, claim = 'error'): object => ({
    status: 'failed',
    exitCode: 1,
    agent: { claim, reason, retryable },
  });

  it.each<[name: string, expected: object, exit: number]>([
    ['success', { ...OK, finalMessage: 'All done.', usage: { input_tokens: 200, output_tokens: 40 } }, 0],
    ['resume', { ...OK, finalMessage: 'Reworked.', usage: { input_tokens: 300 } }, 0],
    ['patch', { ...OK, finalMessage: 'Patched.' }, 0],
    ['commit-denied', { ...OK, finalMessage: 'Could not.' }, 0],
    ['read-only', { ...OK, finalMessage: 'Plan.' }, 0],
    ['failing-command', { ...OK, finalMessage: 'It failed.' }, 0],
    ['final-file', { ...OK, finalMessage: 'To file.' }, 0],
    ['rate-limited', bad('rate-limit', true), 1],
    ['usage-limit', bad('usage-limit', null), 1],
    ['auth', bad('auth', false), 1],
    ['context-overflow', bad('context-overflow', false), 1],
    ['0.45.0-success', { ...OK, finalMessage: 'All done.' }, 0],
    ['0.45.0-rate-limited', bad('rate-limit', true), 1],
    ['0.42.0-success', { ...bad(null, null, 'none'), finalMessage: 'All done.' }, 0],
    ['0.42.0-rate-limited', bad('rate-limit', true), 0],
    ['server-error', bad('overloaded', true), 1],
    ['bad-request', { ...bad('api-error', false), error: 'bad' }, 1],
    ['resume-unknown', bad('session-not-found', false, 'none'), 1],
    ['ask-approval-flag', { ...bad(null, null, 'none'), exitCode: 2 }, 2],
  ])('%s', async (name, expected, exit) => {
    const where = surroundings();
    const stderr = join(RECORDINGS, `codex-${name}.stderr.txt`);
    const before = existsSync(stderr) ? `cat ${quote(stderr)} >&2` : '';
    fakeBytes(where, readFileSync(join(RECORDINGS, `codex-${name}.jsonl`)), { ...CODEX, exit, before });
    const { result } = await run(where, { cd: makeRepository().dir });
    expect(result).toMatchObject(expected);
  });
});

describe('C: the command line', () => {
  it('is a fresh exec with the brief on stdin, in its directory, with a temp folder of its own', async () => {
    const where = surroundings();
    const repository = makeRepository();
    const fake = fakeKeeping(where, { doing: 'stat -c %a "$TMPDIR" >temp-mode; pwd >place' });
    const { result, dir } = await run(where, {
      cd: repository.dir,
      args: ['--model', 'm', '--effort', 'high'],
    });
    const args = fake.args();
    expect(args.slice(0, 10)).toEqual([
      'exec',
      '--json',
      '-o',
      join(dir, 'final.txt'),
      '-s',
      'workspace-write',
      '-m',
      'm',
      '-c',
      'model_reasoning_effort=high',
    ]);
    expect(args.at(-1)).toBe('-');
    expect(repository.read('place').trim()).toBe(repository.dir);
    const temp = fake.env().get('TMPDIR') ?? '';
    expect(temp.startsWith(`${where.tmp}/baton-tmp-`)).toBe(true);
    expect(args).toContain(`sandbox_workspace_write.writable_roots=${JSON.stringify([temp])}`);
    expect(repository.read('temp-mode').trim()).toBe('700');
    expect(readdirSync(where.tmp)).toEqual([]);
    expect(result).toMatchObject({
      implementer: 'codex',
      threadId: 'T1',
      session: null,
      sandbox: 'workspace-write',
      codexVersion: 'codex-cli 0.171.0',
      cost: { inputTokens: 5, cachedTokens: 2, outputTokens: 3, usd: null },
    });
    for (const name of ['tool', 'claudeVersion', 'sessionId', 'permissionMode', 'resultSubtype'])
      expect(result).not.toHaveProperty(name);
  });

  it('the approval flag is passed only where the help lists it', async () => {
    const where = surroundings();
    const seen = join(where.root, 'args');
    const help =
      'Usage: codex exec [OPTIONS]\n\n  -s, --sandbox <M>\n      --json\n      --ask-for-approval <P>\n';
    fakeShell(
      where,
      `case "$*" in *--help) printf '%s' ${quote(help)}; exit 0;; esac\ncat >/dev/null; printf '%s ' "$@" >${quote(seen)}; printf '%s\\n' ${[thread(), says('ok'), done()].map(quote).join(' ')}`,
      CODEX,
    );
    await run(where, { cd: makeRepository().dir });
    expect(readFileSync(seen, 'utf8')).toContain('--ask-for-approval never');
  });

  it.each([
    [['--max-turns', '3'], '--max-turns is not supported'],
    [['--max-budget-usd', '1'], '--max-budget-usd is not supported'],
    [['--autocompact', 'auto'], '--autocompact is not supported'],
    [['--dangerously-skip-permissions'], '--dangerously-skip-permissions is not supported'],
    [['--allow-domain', 'a.example'], '--allow-domain is not supported'],
    [['--sandbox', 'none'], 'choose read-only, workspace-write, danger-full-access'],
    [['--sandbox', 'workspace-write', '--read-only'], 'exclude each other'],
    [['--keep-env', 'PATH'], '--keep-env needs --clean-env'],
    [['--clean-env', '--keep-env', '1BAD'], 'is not the name of a variable'],
    [['--clean-env', '--keep-env', 'A=b'], 'is not the name of a variable'],
    [['--clean-env', '--keep-env', 'NOT_SET_AT_ALL'], '--keep-env NOT_SET_AT_ALL is not set'],
    [['--clean-env', '--keep-env'], '--keep-env'],
    [['--effort', ''], '--effort'],
    [['--resume-last'], 'no record of a session of codex'],
  ])('%j is refused before anything is made', async (args, message) => {
    const where = surroundings();
    fakeKeeping(where);
    const refused = await dispatch(where, {
      cd: temporaryFolder(),
      args: ['--implementer', 'codex', ...args],
    });
    expect(refused).toMatchObject({ code: 2, result: null });
    expect(refused.stderr).toContain(message);
    expect(refused.stderr.trimEnd()).not.toContain('\n');
    expect(existsSync(refused.dir)).toBe(false);
  });

  it.each([['--sandbox', 'read-only'], ['--ephemeral'], ['--clean-env'], ['--skip-git-repo-check']])(
    '%s is refused for claude, never dropped',
    async (...args) => {
      const where = surroundings();
      const refused = await dispatch(where, { cd: temporaryFolder(), args });
      expect(refused).toMatchObject({ code: 2, result: null });
      expect(refused.stderr).toContain(`${args[0]} is not supported by the implementer claude`);
    },
  );

  it('a clean environment has a basic few variables, and those kept by name', async () => {
    const where = surroundings({ SECRET: 'hidden', OPENAI_API_KEY: 'hidden-too', KEPT: 'one', EMPTY: '' });
    const fake = fakeKeeping(where);
    const args = ['--clean-env', '--keep-env', 'KEPT', '--keep-env', 'EMPTY', '--keep-env', 'KEPT'];
    const { result, stdout, dir } = await run(where, { cd: makeRepository().dir, args });
    expect(result).toMatchObject({ cleanEnv: true, keepEnv: ['KEPT', 'EMPTY'] });
    const env = fake.env();
    expect(env.get('KEPT')).toBe('one');
    expect(env.get('EMPTY')).toBe('');
    expect(env.get('HOME')).toBe(where.home);
    for (const name of ['SECRET', 'OPENAI_API_KEY', 'BATON_HOME']) expect(env.has(name)).toBe(false);
    const kept = readdirSync(dir).filter((name) => statSync(join(dir, name)).isFile());
    for (const name of kept) expect(readFileSync(join(dir, name), 'utf8')).not.toContain('hidden');
    expect(stdout).toContain('clean, kept: KEPT, EMPTY');
  });

  it('no codex on PATH', async () => {
    const { result } = await run(surroundings(), { cd: makeRepository().dir });
    expect(result).toMatchObject({
      status: 'codex_unavailable',
      exitCode: 127,
      codexVersion: null,
      threadId: null,
    });
  });

  it('full access is asked for by name, and recorded', async () => {
    const where = surroundings();
    const fake = fakeKeeping(where);
    const { result } = await run(where, {
      cd: makeRepository().dir,
      args: ['--sandbox', 'danger-full-access'],
    });
    expect(fake.args().join(' ')).toContain('-s danger-full-access');
    expect(result).toMatchObject({ sandbox: 'danger-full-access', dangerouslySkipPermissions: true });
  });

  it('hooks are off unless allowed, after the effort', async () => {
    const where = surroundings();
    const fake = fakeKeeping(where);
    await run(where, { cd: makeRepository().dir, args: ['--effort', 'low'] });
    const off = fake.args();
    expect(off.indexOf('features.hooks=false')).toBe(off.indexOf('model_reasoning_effort=low') + 2);
    const { result } = await run(where, { cd: makeRepository().dir, args: ['--allow-hooks'] });
    expect(fake.args()).not.toContain('features.hooks=false');
    expect(result.widened).toMatchObject({ hooks: true });
  });
});

describe('C: sessions', () => {
  async function resumed(
    where: Surroundings,
    cd: string,
    args: string[],
  ): Promise<{ args: string[]; result: Result }> {
    const fake = fakeKeeping(where, { id: 'T1' });
    const { result } = await run(where, { cd, args });
    return { args: fake.args(), result };
  }

  async function started(args: string[] = []): Promise<{ where: Surroundings; repository: TestRepository }> {
    const [where, repository] = [surroundings(), makeRepository()];
    fakeKeeping(where, { id: 'T1' });
    await run(where, { cd: repository.dir, args });
    return { where, repository };
  }

  it('"last" is baton’s own record of the directory, with the sandbox it had', async () => {
    const { where, repository } = await started();
    fakeKeeping(where, { id: 'T2' });
    await run(where, { cd: makeRepository().dir });
    const { args, result } = await resumed(where, repository.dir, ['--resume-last']);
    expect(args.slice(0, 3)).toEqual(['exec', 'resume', 'T1']);
    expect(args).not.toContain('-s');
    expect(args).not.toContain('--last');
    expect(args).toContain('sandbox_mode="workspace-write"');
    expect(result).toMatchObject({ resumed: true, resumeLast: true, session: null, threadId: 'T1' });
  });

  it('a read-only session stays read-only', async () => {
    const { where, repository } = await started(['--read-only']);
    const { args, result } = await resumed(where, repository.dir, ['--session', 'T1']);
    expect(args).toContain('sandbox_mode="read-only"');
    expect(result).toMatchObject({
      readOnly: true,
      sandbox: 'read-only',
      session: 'T1',
      readOnlyViolation: false,
    });
  });

  it('another sandbox is asked for by its flag', async () => {
    const { where, repository } = await started(['--read-only']);
    const { args, result } = await resumed(where, repository.dir, [
      '--session',
      'T1',
      '--sandbox',
      'workspace-write',
    ]);
    expect(args.join(' ')).toMatch(/sandbox_mode="workspace-write"|-s workspace-write/);
    expect(result).toMatchObject({ readOnly: false, sandbox: 'workspace-write' });
  });

  it('full access is never taken over unsaid', async () => {
    const [where, repository] = [surroundings(), makeRepository()];
    fakeKeeping(where);
    await run(where, { cd: repository.dir, args: ['--sandbox', 'danger-full-access'] });
    const again = await run(where, { cd: repository.dir, args: ['--session', 'T1'] });
    expect(again.result.sandbox).toBe('workspace-write');
    expect(again.stderr).toContain('--sandbox danger-full-access');
  });

  it('an ephemeral session is passed on as such, and not recorded', async () => {
    const { where, repository } = await started(['--ephemeral']);
    const refused = await dispatch(where, {
      cd: repository.dir,
      args: ['--implementer', 'codex', '--resume-last'],
    });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('--session <id>');
  });

  it('the summary says how to go on', async () => {
    const where = surroundings();
    fakeKeeping(where);
    const { stdout } = await run(where, { cd: makeRepository().dir });
    expect(stdout).toContain('baton dispatch --implementer codex --session T1');
  });
});

describe('C: the drop-in relay', () => {
  it('is codex by default, with its run directory under the temp folder', async () => {
    const where = surroundings();
    const fake = fakeKeeping(where);
    const { result } = await proven(where, {
      cd: makeRepository().dir,
      program: 'codexRelay',
      args: ['--read-only'],
    });
    expect(fake.args().join(' ')).toContain('-s read-only');
    expect(result).toMatchObject({ implementer: 'codex', status: 'completed', sandbox: 'read-only' });
    expect(result).not.toHaveProperty('tool');
  });
});
