import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectOf, stringOf } from '../../../src/core/json.ts';
import { dispatch } from '../../support/baton.ts';
import { surroundings } from '../../support/environment.ts';
import { makeRepository } from '../../support/repository.ts';
import { type Played, playground } from './playing.ts';

const EXEC = ['exec', '--json'];

function kinds({ records }: Played): string[] {
  return records.map(({ type, item }) => {
    const itemType = stringOf(objectOf(item)['type']);
    return itemType === null ? String(type) : `${String(type)} ${itemType}`;
  });
}

describe('as codex', () => {
  it('a script is played as that CLI prints it', async () => {
    const stage = playground();
    const last = join(stage.where.root, 'last.txt');
    const played = await stage.play(
      `
session: T1
steps:
  - think: hm
  - say: Working.
  - write: { path: new.txt, content: hi }
  - read: new.txt
  - run: exit 3
  - subagent: nothing
  - background: a build
  - retry: 1
  - say: Done.
`,
      { args: [...EXEC, '-o', last, '-'] },
    );
    expect(played).toMatchObject({ code: 0, stderr: '' });
    expect(kinds(played)).toEqual([
      'thread.started',
      'turn.started',
      'item.completed reasoning',
      'item.completed agent_message',
      'item.started file_change',
      'item.completed file_change',
      'item.started command_execution',
      'item.completed command_execution',
      'item.started command_execution',
      'item.completed command_execution',
      'item.started collab_tool_call',
      'item.completed collab_tool_call',
      'error',
      'item.completed agent_message',
      'turn.completed',
    ]);
    expect(played.records[0]).toEqual({ type: 'thread.started', thread_id: 'T1' });
    expect(objectOf(played.records[9]?.['item'])).toMatchObject({ exit_code: 3, status: 'failed' });
    expect(readFileSync(last, 'utf8')).toBe('Done.');
    expect(existsSync(join(stage.dir, 'new.txt'))).toBe(true);
  });

  it('the shape of the script wins over the command line', async () => {
    const asCodex = await playground().play('shape: codex\nsteps: [say: hi]\n');
    expect(kinds(asCodex).at(-1)).toBe('turn.completed');
    const asClaude = await playground().play('shape: claude\nsteps: [say: hi]\n', { args: [...EXEC, '-'] });
    expect(kinds(asClaude).at(-1)).toBe('result');
  });

  it.each([
    ['rate-limit', '429'],
    ['overloaded', 'high demand'],
    ['too-long', 'context window'],
    ['auth', '401'],
    ['api-error', '500'],
    ['usage-limit', 'usage limit'],
  ])('fails by %s', async (kind, words) => {
    const played = await playground().play(`- fail: ${kind}\n`, { args: [...EXEC, '-'] });
    expect(played.code).toBe(1);
    expect(played.records.at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { message: expect.stringContaining(words) },
    });
  });

  it('has no ending for what it does not know', async () => {
    const played = await playground().play('- fail: max-turns\n', { args: [...EXEC, '-'] });
    expect(played.code).toBe(3);
    expect(played.stderr).toContain('codex has no ending of the kind max-turns');
  });

  it('fails, completes and denies as a script says', async () => {
    const failed = await playground().play('- result: { error: true, text: broke }\n', {
      args: [...EXEC, '-'],
    });
    expect(failed.records.at(-1)).toEqual({ type: 'turn.failed', error: { message: 'broke' } });
    const denied = await playground().play('- deny: { tool: Bash, input: { command: ls } }\n', {
      args: [...EXEC, '-'],
    });
    expect(objectOf(denied.records[3]?.['item'])).toMatchObject({ status: 'declined' });
    const without = await playground().play('- fail: { kind: sandbox-unavailable, exit: 0 }\n', {
      args: [...EXEC, '-'],
    });
    expect(kinds(without)).toEqual([
      'thread.started',
      'turn.started',
      'item.started command_execution',
      'item.completed command_execution',
      'turn.completed',
    ]);
  });

  it('goes on with a session, and knows none that was ephemeral or never was', async () => {
    const stage = playground();
    const script = 'steps: [say: one]\non-resume: [say: two]\n';
    const first = await stage.play(script, { args: [...EXEC, '-'] });
    const id = String(first.records[0]?.['thread_id']);
    const again = await stage.play(script, { args: ['exec', 'resume', id, '--json', '-'] });
    expect(again.records[0]).toMatchObject({ thread_id: id });
    expect(objectOf(again.records[2]?.['item'])).toMatchObject({ text: 'two' });
    const last = await stage.play(script, { args: ['exec', 'resume', '--last', '--json', '-'] });
    expect(last.records[0]).toMatchObject({ thread_id: id });

    const ephemeral = await stage.play(script, { args: [...EXEC, '--ephemeral', '-'] });
    const gone = String(ephemeral.records[0]?.['thread_id']);
    const unknown = await stage.play(script, { args: ['exec', 'resume', gone, '--json', '-'] });
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain(`no rollout found for thread id ${gone}`);
  });

  it('takes the flags of codex, each in its place', async () => {
    const stage = playground();
    const bad = await stage.play('- say: x\n', { args: [...EXEC, '--ask-for-approvals', '-'] });
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect(bad.stderr).toContain("error: unexpected argument '--ask-for-approvals' found");
    const late = await stage.play('- say: x\n', { args: ['exec', 'resume', 'T1', '-s', 'read-only', '-'] });
    expect(late.code).toBe(2);
    const help = await stage.play('- say: x\n', { args: ['exec', 'resume', '--help'] });
    expect(help.stdout).toContain('--json');
    expect(help.stdout).not.toContain('--sandbox');
  });

  it('a dispatch to the scripted implementer takes the shape of its script', async () => {
    const where = surroundings();
    const script = join(where.root, 'fix.yaml');
    writeFileSync(
      script,
      'shape: codex\nexpect-args: [exec, --json]\nsteps: [write: { path: a, content: x }, say: Done.]\n',
    );
    where.env['BATON_SCRIPT'] = script;
    const { result } = await dispatch(where, {
      cd: makeRepository().dir,
      args: ['--implementer', 'scripted'],
    });
    expect(result).toMatchObject({
      implementer: 'scripted',
      status: 'completed',
      finalMessage: 'Done.',
      threadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      codexVersion: '0.0.0 (baton-scripted)',
      evidence: { changes: [{ path: 'a', kind: 'added' }] },
    });
    expect(result).not.toHaveProperty('tool');
  });

  it('long lines and cut ones', async () => {
    const long = await playground().play('- line: 100KB\n- line: { size: 100KB, as: text }\n', {
      args: [...EXEC, '-'],
    });
    expect(kinds(long).at(-1)).toBe('turn.completed');
    expect(Math.max(...long.stdout.split('\n').map((line) => line.length))).toBeGreaterThan(100_000);
    const cut = await playground().play('- say: report\n- partial: 64KB\n', { args: [...EXEC, '-'] });
    expect(cut.stdout.split('\n').at(-1)?.length).toBe(65_536);
  });
});
