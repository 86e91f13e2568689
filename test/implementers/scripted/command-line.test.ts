import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBaton, startBaton } from '../../support/baton.ts';
import { surroundings } from '../../support/environment.ts';
import { kindsOf, playground, resultIn } from './playing.ts';

describe('without a script', () => {
  it('says what is missing and exits 2', async () => {
    const { code, stdout, stderr } = await runBaton([], { program: 'scripted', env: surroundings().env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('there is no script to play');
    expect(stderr).toContain('BATON_SCRIPT');
  });

  it('answers --version and --help all the same', async () => {
    const { env } = surroundings();
    const version = await runBaton(['--version'], { program: 'scripted', env });
    const help = await runBaton(['--help'], { program: 'scripted', env });
    expect([version.code, version.stdout]).toEqual([0, '0.0.0 (baton-scripted)\n']);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Usage: baton-scripted')]);
  });
});

describe('the command line', () => {
  it('refuses unknown flags in the words of the real CLI', async () => {
    const { code, stdout, stderr } = await playground().play('- say: x\n', { args: ['--no-such-flag'] });
    expect([code, stdout, stderr]).toEqual([1, '', "error: unknown option '--no-such-flag'\n"]);
  });

  it.each([
    [['--model'], "error: option '--model <value>' argument missing"],
    [['do it'], "error: unexpected argument 'do it'"],
    [['--output-format', 'json'], '--output-format json'],
  ])('refuses %j', async (args, why) => {
    const { code, stderr } = await playground().play('- say: x\n', { args });
    expect(code).toBe(1);
    expect(stderr).toContain(why);
  });

  it('names the file and the step of a mistake, and plays nothing', async () => {
    const { dir, play } = playground();
    const { code, stdout, stderr } = await play('- write: { path: a, content: x }\n- wait: 5\n');
    expect([code, stdout, readdirSync(dir)]).toEqual([2, '', []]);
    expect(stderr).toMatch(/^baton-scripted: .*script\.yaml: step 2: there is no step "wait"/);
    expect(stderr).toContain('docs/scripted.md');
  });

  it('says that a script cannot be read', async () => {
    const { code, stderr } = await playground().play('', { args: ['--script', '/nowhere.yaml'] });
    expect([code, stderr]).toEqual([2, expect.stringContaining('the script /nowhere.yaml cannot be read')]);
  });

  it.each([
    ['version: 2.1.332 (Claude Code)\nsteps: []\n', 0, '2.1.332 (Claude Code)\n', ''],
    ['version: { text: "1.0", exit: 4, stderr: noise }\nsteps: []\n', 4, '1.0\n', 'noise\n'],
  ])('answers --version as the script says: %j', async (script, code, stdout, stderr) => {
    expect(await playground().play(script, { args: ['--version'] })).toMatchObject({ code, stdout, stderr });
  });

  it('hangs on --version when told to, until it is ended', async () => {
    const player = await playground().start('version: { hang: true, stderr: asked }\nsteps: []\n', {
      args: ['--version'],
    });
    while (!player.stderr().includes('asked')) await new Promise((resolve) => setTimeout(resolve, 20));
    player.signal('SIGTERM');
    expect(await player.ended).toMatchObject({ code: 143, stdout: '' });
  });
});

describe('expectations', () => {
  it.each([
    ['expect-brief: subtract', 'expect-brief: the brief does not contain "subtract"'],
    [
      'expect-args: [--model, x]',
      'expect-args: ["--model","x"] do not stand in a row in ["--model","y","x"]',
    ],
    ['expect-env: { LANG: null }', 'expect-env: LANG is "C.UTF-8"'],
    ['expect-env: { CLAUDECODE: "1" }', 'expect-env: CLAUDECODE is not set'],
  ])('ends the play where one is not met: %s', async (expectation, why) => {
    const args = expectation.includes('args') ? ['--model', 'y', '--settings', 'x'] : [];
    const { code, stdout, stderr } = await playground().play(`${expectation}\nsteps: [say: x]\n`, { args });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(why.replace('"y","x"', '"y","--settings","x"'));
  });

  it('plays where all are met', async () => {
    const { code } = await playground().play(
      'expect-brief: do it\nexpect-args: [--model, y]\nexpect-env: { LANG: C.UTF-8, CLAUDECODE: null }\nsteps: [say: x]\n',
      { args: ['-p', '--model', 'y'] },
    );
    expect(code).toBe(0);
  });

  it('wants a brief, unless stdin is not to be read', async () => {
    const { play, where, dir } = playground();
    const empty = await play('- say: x\n', { brief: ' \n' });
    expect([empty.code, empty.stdout]).toEqual([1, '']);
    expect(empty.stderr).toContain('Input must be provided');
    const script = join(where.root, 'unread.yaml');
    writeFileSync(script, 'read-brief: false\nsteps: [say: x]\n');
    // A brief that is larger than a pipe: who waits for it to be read waits for ever.
    const unread = await startBaton(['--script', script], {
      program: 'scripted',
      cwd: dir,
      env: where.env,
      input: 'x'.repeat(1_000_000),
    });
    expect((await unread.ended).code).toBe(0);
  });
});

describe('settings', () => {
  it.each([
    ['{"sandbox":{"enabled":true}}', '', true],
    ['{"sandbox":{"enabled":false}}', '', false],
    ['{ not json', '', false],
    ['{"sandbox":{"enabled":true}}', 'sandbox: off', false],
    ['{}', 'sandbox: on', true],
    ['{"sandbox":{"enabled":true}}', 'sandbox: unsaid', undefined],
  ])('says of the sandbox what %s asks for, with %j', async (settings, script, said) => {
    const { where, play } = playground();
    const file = join(where.root, 'profile.json');
    writeFileSync(file, settings);
    const { records } = await play(`${script}\nsteps: [say: x]\n`, { args: ['--settings', file] });
    expect(records[0]?.['sandbox_enabled']).toBe(said);
  });

  it('exits 1 where the file is missing', async () => {
    const { code, stdout, stderr } = await playground().play('- say: x\n', {
      args: ['--settings', '/nowhere.json'],
    });
    expect([code, stdout, stderr]).toEqual([1, '', 'Error: Settings file not found: /nowhere.json\n']);
  });
});

describe('sessions', () => {
  const script = 'steps: [say: first]\non-resume: [say: again]\n';

  it('are resumed by id, and by --continue in their own directory', async () => {
    const { play } = playground();
    const first = await play(script);
    const id = String(first.records[0]?.['session_id']);
    const resumed = await play(script, { args: ['--resume', id] });
    const continued = await play(script, { args: ['--continue'] });
    expect(resultIn(resumed.records)).toMatchObject({ session_id: id, result: 'again' });
    expect(resultIn(continued.records)).toMatchObject({ session_id: id, result: 'again' });
  });

  it('may go on under another id', async () => {
    const { play } = playground();
    await play(`session: S1\n${script}`);
    const resumed = await play(`session: S2\n${script}`, { args: ['--resume', 'S1'] });
    expect(resultIn(resumed.records)).toMatchObject({ session_id: 'S2', result: 'again' });
  });

  it('start afresh where there is nothing to continue', async () => {
    const elsewhere = playground();
    const { records } = await elsewhere.play(script, { args: ['--continue'] });
    expect(resultIn(records)['result']).toBe('first');
  });

  it('that nobody knows fail as in the real CLI', async () => {
    const { code, stderr, records } = await playground().play(script, { args: ['--resume', 'S9'] });
    expect([code, kindsOf(records)]).toEqual([1, ['result']]);
    expect(stderr).toBe('No conversation found with session ID: S9\n');
    expect(records[0]).toMatchObject({ session_id: 'S9', subtype: 'error_during_execution', is_error: true });
  });

  it('are kept where BATON_SCRIPT_STATE says', async () => {
    const { where, play } = playground();
    const folder = join(where.root, 'sessions');
    await play(`session: S1\n${script}`, { env: { BATON_SCRIPT_STATE: folder } });
    expect([readdirSync(folder), readdirSync(where.state)]).toEqual([['S1.json'], []]);
  });
});
