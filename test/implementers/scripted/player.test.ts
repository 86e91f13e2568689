import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectOf } from '../../../src/core/json.ts';
import { makeRepository } from '../../support/repository.ts';
import { kindsOf, playground, recordsIn, resultIn } from './playing.ts';

describe('a play', () => {
  it('prints a session, what is said and done, and a success with the last said text', async () => {
    const { dir, play } = playground();
    writeFileSync(join(dir, 'a.txt'), 'one\n');
    const { code, stderr, records } = await play(
      `
      - say: Looking.
      - think: Hm.
      - read: a.txt
      - edit: { path: a.txt, old: one, new: two }
      - write: { path: deep/b.txt, content: "hi\\n" }
      - append: { path: a.txt, content: "three\\n" }
      - rename: { from: deep/b.txt, to: c.txt }
      - run: cat a.txt c.txt; echo err >&2
      - say: Done.
      `,
      { args: ['-p', '--model', 'm1', '--permission-mode', 'acceptEdits', '--tools', 'Write,Bash'] },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(records[0]).toMatchObject({
      type: 'system',
      subtype: 'init',
      cwd: dir,
      model: 'm1',
      permissionMode: 'acceptEdits',
      tools: ['Bash', 'Write'],
    });
    const outputs = records.filter(({ type }) => type === 'user').map((record) => JSON.stringify(record));
    expect(outputs.at(-1)).toContain('"content":"two\\nthree\\nhi\\nerr"');
    expect(resultIn(records)).toMatchObject({ subtype: 'success', is_error: false, result: 'Done.' });
    expect(new Set(records.map((record) => record['session_id'])).size).toBe(1);
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('two\nthree\n');
    expect(existsSync(join(dir, 'deep/b.txt'))).toBe(false);
  });

  it('gives records of one message one id, so that its usage counts once', async () => {
    const { records } = await playground().play('- say: a\n- run: "true"\n- say: b\n');
    const ids = records
      .filter(({ type }) => type === 'assistant')
      .map((record) => objectOf(record['message'])['id']);
    expect(ids).toEqual(['msg_1', 'msg_1', 'msg_2']);
    expect(resultIn(records)).toMatchObject({
      num_turns: 2,
      usage: { input_tokens: 200, output_tokens: 40 },
    });
  });

  it('reports what the system refuses as the tool error, says so on stderr, and goes on', async () => {
    const { code, stderr, records } = await playground().play('- read: nowhere\n- run: exit 3\n- say: on\n');
    expect(code).toBe(0);
    expect(stderr).toContain('step 1 (read): ENOENT');
    const errors = records.filter(({ type }) => type === 'user').map((record) => JSON.stringify(record));
    expect(errors.every((one) => one.includes('"is_error":true'))).toBe(true);
    expect(errors[1]).toContain('Exit code 3');
    expect(resultIn(records)['result']).toBe('on');
  });

  it('writes nothing outside the working directory, not through a link either', async () => {
    const { where, dir, play } = playground();
    const { code, stderr } = await play(
      `- link: { path: way, target: ${where.home} }\n- write: { path: way/x, content: x }\n`,
    );
    expect(code).toBe(3);
    expect(stderr).toContain('step 2 (write): way/x leads out of the working directory');
    expect(readdirSync(where.home)).toEqual([]);
    const meant = await play('- write: { path: ../home/x, content: x, outside: true }\n');
    expect([meant.code, readdirSync(where.home)]).toEqual([0, ['x']]);
    const deleted = await play('- delete: way\n');
    expect([deleted.code, existsSync(where.home), readdirSync(dir)]).toEqual([0, true, []]);
  });

  it('really does to a repository what an implementer must not', async () => {
    const repository = makeRepository();
    const before = repository.head();
    const { code, records } = await playground(repository.dir).play(`
      - write: { path: new.txt, content: x }
      - commit: it's done
      - tag: v9
      - branch: side
      - write: { path: other.txt, content: x }
      - stash
      - git-config: { key: core.editor, value: "a b" }
      - plant-hook: { name: post-commit, script: "#!/bin/sh\\necho hi\\n" }
    `);
    expect(code).toBe(0);
    expect(repository.head()).not.toBe(before);
    expect(repository.git('log', '-1', '--format=%s')).toBe("it's done");
    expect(repository.git('tag')).toBe('v9');
    expect(repository.git('branch', '--list', 'side')).toContain('side');
    expect(repository.git('stash', 'list')).toContain('scripted');
    expect(repository.git('config', 'core.editor')).toBe('a b');
    expect(readFileSync(join(repository.dir, '.git/hooks/post-commit'), 'utf8')).toContain('echo hi');
    expect(kindsOf(records)).toContain('system/vcs_state_changed');
  });

  it('shows denials, questions, retries, subagents and background tasks as the CLI does', async () => {
    const { records } = await playground().play(`
      - deny: { tool: Bash, input: { command: git push }, reason: no }
      - deny: { tool: Write, quiet: true }
      - ask: Which?
      - retry: 2
      - subagent: from below
      - background: build
      - say: end
    `);
    expect(kindsOf(records).filter((kind) => kind.startsWith('system/'))).toEqual([
      'system/init',
      'system/permission_denied',
      'system/api_retry',
      'system/api_retry',
      'system/task_started',
      'system/task_notification',
    ]);
    const result = resultIn(records);
    expect(result['permission_denials']).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'git push' } },
    ]);
    expect(result).toMatchObject({ result: 'end', subagent_stats: { spawned: 1 } });
    const below = records.find(
      (record) => record['parent_tool_use_id'] !== null && record['type'] === 'assistant',
    );
    expect(JSON.stringify(below)).toContain('from below');
  });

  it('is not the same in its keys’ order as anybody would expect', async () => {
    const { stdout } = await playground().play('- say: x\n');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\{"duration_api_ms"/);
  });
});

describe('endings', () => {
  it.each([
    [
      'rate-limit',
      { subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: 429 },
    ],
    [
      'overloaded',
      { subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: 529 },
    ],
    ['too-long', { subtype: 'success', is_error: true, terminal_reason: 'prompt_too_long' }],
    ['auth', { subtype: 'success', is_error: true, api_error_status: 401 }],
    ['api-error', { subtype: 'success', is_error: true, api_error_status: 500 }],
    ['usage-limit', { is_error: true, result: "You've hit your limit · resets 3pm (Europe/Berlin)" }],
    ['max-turns', { subtype: 'error_max_turns', errors: ['Reached maximum number of turns (7)'] }],
    ['budget', { subtype: 'error_max_budget_usd', terminal_reason: 'budget_exhausted' }],
    ['session-not-found', { subtype: 'error_during_execution', is_error: true }],
    ['sandbox-unavailable', { subtype: 'error_during_execution', is_error: true }],
  ])('fails with %s as the CLI does', async (kind, fields) => {
    const { code, records } = await playground().play(`- fail: ${kind}\n`, { args: ['--max-turns', '7'] });
    expect(code).toBe(1);
    expect(resultIn(records)).toMatchObject(fields);
    const noSession = ['session-not-found', 'sandbox-unavailable'].includes(kind);
    expect(kindsOf(records)[0]).toBe(noSession ? 'result' : 'system/init');
  });

  it('leaves `result` out where a limit ended it', async () => {
    const { records } = await playground().play('- fail: max-turns\n');
    expect(Object.keys(resultIn(records))).not.toContain('result');
  });

  it('takes the wording and the exit code of the script', async () => {
    const { code, records } = await playground().play(
      '- fail: { kind: usage-limit, text: "limit reached|17", exit: 0 }\n',
    );
    expect([code, resultIn(records)['result']]).toEqual([0, 'limit reached|17']);
  });

  it('may close several times, and say more afterwards', async () => {
    const { records } = await playground().play(
      '- result: first\n- say: more\n- result: { error: true, subtype: odd, without: [result], fields: { errors: [] } }\n- say: after\n',
    );
    expect(kindsOf(records)).toEqual(['system/init', 'result', 'assistant', 'result', 'assistant']);
    const last = resultIn(records);
    expect(last).toMatchObject({ subtype: 'odd', is_error: true, errors: [], result_index: 1 });
    expect(Object.keys(last)).not.toContain('result');
  });

  it.each([
    ['- say: half\n- no-result\n', 0],
    ['- say: half\n- exit: 0\n', 0],
    ['- say: half\n- exit: 9\n', 9],
  ])('may leave without a result: %j', async (script, exit) => {
    const { code, records } = await playground().play(script);
    expect([code, kindsOf(records)]).toEqual([exit, ['system/init', 'assistant']]);
  });

  it('ends itself by a signal', async () => {
    const { code, signal, records } = await playground().play('- say: half\n- signal: SIGKILL\n');
    expect([code, signal, records.length]).toEqual([null, 'SIGKILL', 2]);
  });

  it('answers in CRLF, and without a session record, where the script says so', async () => {
    const { stdout } = await playground().play('line-ending: crlf\ninit: false\nsteps: [say: x]\n');
    expect(stdout.split('\r\n')).toHaveLength(3);
    expect(kindsOf(recordsIn(stdout))).toEqual(['assistant', 'result']);
  });
});
