import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { approveByHand, approveProject, writeGlobal, writeProject } from '../lanes/fleets.ts';
import { dispatch, type DispatchOptions, PROGRAMS, runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { fakeShell, quote } from '../support/fake.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { proven, result, session } from './proof.ts';

beforeAll(ensureBuilt);

const CODEX_SAYS = [
  { type: 'thread.started', thread_id: 'T1' },
  { type: 'turn.started' },
  { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: 'done' } },
  { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
].map((record) => JSON.stringify(record));

/** Surroundings with these lanes, a claude and a codex that each keep their arguments, and what they got. */
function world(lanes: object, extra: { [name: string]: string } = {}) {
  const where = surroundings(extra);
  writeGlobal(where, lanes);
  const fake = (name: string, version: string, records: readonly string[]): void => {
    const said = records.map(quote).join(' ');
    fakeShell(
      where,
      `cat >/dev/null\nprintf '%s\\n' "$@" >>${quote(join(where.root, name))}\nprintf '%s\\n' ${said}`,
      { name, version },
    );
  };
  fake('claude', '2.1.332 (Claude Code)', [session(), result()]);
  fake('codex', 'codex-cli 0.171.0', CODEX_SAYS);
  return where;
}

/** What the fake of that name was started with; null where it was not. */
function argumentsOf(where: Surroundings, name: 'claude' | 'codex'): string[] | null {
  const file = join(where.root, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : null;
}

/** The word behind a flag. */
function after(args: readonly string[] | null, flag: string): string | undefined {
  return args?.[args.indexOf(flag) + 1];
}

const CLAUDE = { implementer: 'claude', model: 'opus', effort: 'high', timeout: '1h', readOnly: true };
const CODEX = { implementer: 'codex', model: 'gpt', effort: 'xhigh', timeout: '2h', sandbox: 'read-only' };
const LANES = {
  review: CLAUDE,
  hard: CODEX,
  plain: { implementer: 'claude' },
  full: { implementer: 'codex', sandbox: 'danger-full-access' },
};

/** A dispatch that must come to a good end. */
async function run(where: Surroundings, args: readonly string[], options: Partial<DispatchOptions> = {}) {
  const ended = await proven(where, { cd: temporaryFolder(), args, ...options });
  expect(ended.result.status).toBe('completed');
  return { ...ended, claude: argumentsOf(where, 'claude'), codex: argumentsOf(where, 'codex') };
}

describe('a dispatch with a lane', () => {
  it('has its dials, and its implementer where none is named', async () => {
    const claude = await run(world(LANES), ['--lane', 'review', '--json']);
    expect(claude.result).toMatchObject({
      implementer: 'claude',
      lane: 'review',
      laneSource: 'global',
      laneDials: ['model', 'effort', 'timeout', 'readOnly'],
      model: 'opus',
      effort: 'high',
      timeout: '1h',
      readOnly: true,
      readOnlyViolation: null,
    });
    expect(JSON.parse(claude.stdout)).toEqual(claude.result);
    expect(after(claude.claude, '--model')).toBe('opus');
    expect(after(claude.claude, '--effort')).toBe('high');
    expect(after(claude.claude, '--permission-mode')).toBe('plan');

    const codex = await run(world(LANES), ['--lane', 'hard']);
    expect(codex.result).toMatchObject({
      implementer: 'codex',
      lane: 'hard',
      laneDials: ['model', 'effort', 'timeout', 'sandbox'],
      model: 'gpt',
      effort: 'xhigh',
      timeout: '2h',
      sandbox: 'read-only',
    });
    expect(after(codex.codex, '-m')).toBe('gpt');
    expect(after(codex.codex, '-s')).toBe('read-only');
    expect(codex.codex?.join(' ')).toMatch(/model_reasoning_effort=\W*xhigh/);
    expect(codex.claude).toBe(null);
    expect(codex.stdout).toContain('hard (global), which set model, effort, timeout, sandbox');
  });

  it('without a dial, or without a lane, has the defaults', async () => {
    const plain = await run(world(LANES), ['--lane', 'plain']);
    expect(plain.result).toMatchObject({
      lane: 'plain',
      laneDials: [],
      model: null,
      effort: null,
      timeout: null,
      readOnly: false,
    });
    const none = await run(world(LANES), []);
    expect(none.result).toMatchObject({ lane: null, laneSource: null, model: null, implementer: 'claude' });
    expect(none.result).not.toHaveProperty('laneDials');
  });

  it.each<[string[], object, string]>([
    [['--model', 'haiku'], { model: 'haiku', effort: 'high', timeout: '1h', readOnly: true }, 'model'],
    [['--effort', 'low'], { model: 'opus', effort: 'low', timeout: '1h', readOnly: true }, 'effort'],
    [['--timeout', '5m'], { model: 'opus', effort: 'high', timeout: '5m', readOnly: true }, 'timeout'],
    [['--read-only'], { model: 'opus', effort: 'high', timeout: '1h', readOnly: true }, 'readOnly'],
    [
      ['--dangerously-skip-permissions'],
      { model: 'opus', timeout: '1h', readOnly: false, dangerouslySkipPermissions: true },
      'readOnly',
    ],
  ])('to claude gives way to %j, and says which dials are still its own', async (flags, expected, dial) => {
    const ended = await run(world(LANES, { IS_SANDBOX: '1' }), ['--lane', 'review', ...flags]);
    expect(ended.result).toMatchObject({ lane: 'review', ...expected });
    expect(ended.result.laneDials).toEqual(
      ['model', 'effort', 'timeout', 'readOnly'].filter((name) => name !== dial),
    );
    expect(ended.claude?.includes('--dangerously-skip-permissions')).toBe(
      flags.includes('--dangerously-skip-permissions'),
    );
  });

  it.each<[string[], object, string]>([
    [['--model', 'mini'], { model: 'mini', effort: 'xhigh', timeout: '2h', sandbox: 'read-only' }, 'model'],
    [['--effort', 'low'], { model: 'gpt', effort: 'low', timeout: '2h', sandbox: 'read-only' }, 'effort'],
    [['--timeout', '5m'], { model: 'gpt', effort: 'xhigh', timeout: '5m', sandbox: 'read-only' }, 'timeout'],
    [
      ['--sandbox', 'workspace-write'],
      { model: 'gpt', timeout: '2h', sandbox: 'workspace-write' },
      'sandbox',
    ],
    [
      ['--sandbox', 'danger-full-access'],
      { model: 'gpt', timeout: '2h', sandbox: 'danger-full-access' },
      'sandbox',
    ],
  ])('to codex gives way to %j, and says which dials are still its own', async (flags, expected, dial) => {
    const ended = await run(world(LANES), ['--lane', 'hard', ...flags]);
    expect(ended.result).toMatchObject({ lane: 'hard', ...expected });
    expect(ended.result.laneDials).toEqual(
      ['model', 'effort', 'timeout', 'sandbox'].filter((name) => name !== dial),
    );
    expect(after(ended.codex, '-s')).toBe(ended.result.sandbox);
  });

  it('of full access is narrowed by a flag', async () => {
    const ended = await run(world(LANES), ['--lane', 'full', '--read-only']);
    expect(ended.result).toMatchObject({ sandbox: 'read-only', readOnly: true, laneDials: [] });
    expect(after(ended.codex, '-s')).toBe('read-only');
  });

  it('is held to its limit, and the message names the lane', async () => {
    const where = world({ slow: { implementer: 'claude', timeout: '1s' } });
    fakeShell(where, `cat >/dev/null\nprintf '%s\\n' ${quote(session())}\nexec sleep 600`);
    const ended = await proven(where, { cd: temporaryFolder(), args: ['--lane', 'slow'] });
    expect(ended.result).toMatchObject({ status: 'timeout', timeout: '1s' });
    expect(ended.result.error).toContain('--lane slow (timeout 1s)');
  });

  it.each<[string[], string, string]>([
    [['--lane', 'hrad'], '--lane "hrad" is not known', 'there are review, hard, plain, full, ui (global: '],
    [
      ['--lane', 'hard', '--implementer', 'claude'],
      '--lane "hard" is bound to codex, not to "claude"',
      'dispatch it to codex',
    ],
    [
      ['--lane', 'plain', '--implementer', 'scripted'],
      '--lane "plain" is bound to claude',
      'dispatch it to claude',
    ],
    [['--lane', 'ui'], '--lane "ui" is bound to "opencode", which baton does not drive', 'claude and codex'],
    [
      ['--lane', 'odd'],
      '--lane "odd" cannot be used: "sandbox" is not supported by claude: claude has model, effort, timeout, readOnly',
      'mend it in ',
    ],
    [['--lane', 'torn'], 'readOnly true and sandbox "workspace-write" contradict', ''],
    [['--lane', 'hard', '--max-turns', '3'], '--max-turns is not supported by the implementer codex', ''],
    [
      ['--lane', 'plain', '--sandbox', 'read-only'],
      '--sandbox is not supported by the implementer claude',
      '',
    ],
    [
      ['--lane', 'review', '--read-only', '--dangerously-skip-permissions'],
      '--read-only and --dangerously-skip-permissions exclude each other',
      '',
    ],
  ])('that cannot be is refused: %j', async (args, message, hint) => {
    const where = world({
      ...LANES,
      ui: { implementer: 'opencode', model: 'a/b' },
      odd: { implementer: 'claude', sandbox: 'read-only' },
      torn: { implementer: 'codex', readOnly: true, sandbox: 'workspace-write' },
    });
    const ended = await dispatch(where, { cd: temporaryFolder(), args });
    expect(ended).toMatchObject({ code: 2, stdout: '', result: null });
    expect(ended.stderr).toMatch(/^baton: [^\n]+\n$/);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toContain(hint);
    expect(existsSync(ended.dir)).toBe(false);
    expect([argumentsOf(where, 'claude'), argumentsOf(where, 'codex')]).toEqual([null, null]);
  });
});

describe('a lane of the project', () => {
  it('counts once it is approved, and then in the place of the user’s', async () => {
    const where = world({ review: CLAUDE });
    const { dir } = makeRepository();
    writeProject(dir, {
      review: { implementer: 'codex', model: 'theirs' },
      more: { implementer: 'codex', sandbox: 'danger-full-access' },
    });

    const refused = await dispatch(where, { cd: dir, args: ['--lane', 'more'] });
    expect(refused).toMatchObject({ code: 2, result: null });
    expect(refused.stderr).toMatch(
      /--lane "more" stands in .*\/\.delegate\/config\.json, which is not approved.*`baton lanes approve`/,
    );
    expect(argumentsOf(where, 'codex')).toBe(null);

    const mine = await run(where, ['--lane', 'review'], { cd: dir });
    expect(mine.result).toMatchObject({ laneSource: 'global', model: 'opus', implementer: 'claude' });
    expect(mine.stderr).toContain('the project has a lane "review" too, which is not used');

    approveByHand(dir, '--absolute-git-dir');
    const theirs = await run(where, ['--lane', 'review'], { cd: dir });
    expect(theirs.result).toMatchObject({
      laneSource: 'project',
      laneDials: ['model'],
      model: 'theirs',
      implementer: 'codex',
    });
    expect(theirs.stderr).not.toContain('not used');
    const full = await run(where, ['--lane', 'more'], { cd: join(dir, '.delegate') });
    expect(full.result).toMatchObject({ sandbox: 'danger-full-access', dangerouslySkipPermissions: true });
  });

  it('that is broken disables no other', async () => {
    const where = world({ review: CLAUDE });
    const { dir } = makeRepository();
    writeProject(dir, '{ // mine\n');
    const ended = await run(where, ['--lane', 'review'], { cd: dir });
    expect(ended.result).toMatchObject({ laneSource: 'global' });
    expect(ended.stderr).toMatch(/config\.json is not used: it is no strict JSON \(comments are not allowed/);
  });
});

describe('a drop-in, alone in an empty folder', () => {
  it.each([
    ['relay', 'claude', 'review', 'hard'],
    ['codexRelay', 'codex', 'hard', 'review'],
  ] as const)('%s takes a lane of %s, and refuses one of another', async (program, name, own, other) => {
    const where = world(LANES);
    const folder = temporaryFolder();
    const file = join(folder, 'relay.mjs');
    copyFileSync(PROGRAMS[program], file);
    const ended = await run(where, ['--lane', own], { program, file });
    expect(ended.result).toMatchObject({ implementer: name, lane: own, laneSource: 'global' });
    expect(ended.result.laneDials).toHaveLength(4);
    expect(ended[name]).toContain(name === 'claude' ? 'opus' : 'gpt');
    const refused = await dispatch(where, { cd: temporaryFolder(), program, file, args: ['--lane', other] });
    expect(refused).toMatchObject({ code: 2, result: null });
    expect(refused.stderr).toMatch(/is bound to \w+, not to "\w+"/);
    expect(readdirSync(folder)).toEqual(['relay.mjs']);
  });

  it('takes an approved lane of the project', async () => {
    const where = world({});
    const { dir } = makeRepository();
    writeProject(dir, { fast: { implementer: 'claude', model: 'haiku' } });
    await approveProject(dir);
    const ended = await run(where, ['--lane', 'fast'], { cd: dir, program: 'relay' });
    expect(ended.result).toMatchObject({ laneSource: 'project', model: 'haiku' });
  });
});

describe('other runs', () => {
  it('a rework keeps the lane of its run, as it was', async () => {
    const where = world({ fast: { implementer: 'claude', model: 'haiku', timeout: '1h' } });
    const { dir } = makeRepository();
    const env = where.env;
    const first = await runBaton(['dispatch', '--lane', 'fast', '--effort', 'low', '--json'], {
      env,
      cwd: dir,
      input: 'Do it.',
    });
    expect(first.code).toBe(0);
    writeGlobal(where, { fast: { implementer: 'codex', model: 'other' } });
    const again = await runBaton(['rework', '--json'], { env, cwd: dir, input: 'Not so.' });
    expect(again.stderr).toBe('');
    expect(JSON.parse(again.stdout)).toMatchObject({
      implementer: 'claude',
      lane: 'fast',
      laneSource: 'global',
      laneDials: ['model', 'timeout'],
      model: 'haiku',
      effort: 'low',
      timeout: '1h',
      resumed: true,
    });
    const shorter = await runBaton(['rework', '--timeout', '5m', '--json'], {
      env,
      cwd: dir,
      input: 'Not so.',
    });
    expect(JSON.parse(shorter.stdout)).toMatchObject({ lane: 'fast', laneDials: ['model'], timeout: '5m' });
  });

  it('a rework has full access by a lane only where that is said again', async () => {
    const where = world(LANES);
    const { dir } = makeRepository();
    const baton = (...args: string[]) =>
      runBaton([...args, '--json'], { env: where.env, cwd: dir, input: 'Do it.' });
    expect((await baton('dispatch', '--lane', 'full')).code).toBe(0);
    const unsaid = await baton('rework');
    expect(unsaid).toMatchObject({ code: 2, stdout: '' });
    expect(unsaid.stderr).toContain('say --dangerously-skip-permissions again');
    const said = await baton('rework', '--dangerously-skip-permissions');
    expect(JSON.parse(said.stdout)).toMatchObject({
      lane: 'full',
      laneDials: [],
      sandbox: 'danger-full-access',
      dangerouslySkipPermissions: true,
    });
  });

  it('an answer comes from the lane’s implementer and model', async () => {
    const where = world(LANES);
    const ask = (args: readonly string[]) =>
      runBaton(['ask', ...args], { env: where.env, cwd: where.root, input: 'Why?' });
    const answer = await ask(['--lane', 'full', '--model', 'mini', '--json']);
    expect(JSON.parse(answer.stdout)).toMatchObject({ text: 'done', lane: 'full', laneSource: 'global' });
    const codex = argumentsOf(where, 'codex');
    expect([after(codex, '-s'), after(codex, '-m')]).toEqual(['read-only', 'mini']);
    const other = await ask(['--lane', 'review', '--implementer', 'codex']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    await ask(['--lane', 'review']);
    expect(after(argumentsOf(where, 'claude'), '--model')).toBe('opus');
  });

  it('a rehearsal looks the lane up in the user’s home, not in its own', async () => {
    const where = world({ ...LANES, fast: { implementer: 'claude', model: 'haiku' } });
    const script = join(where.root, 'script.yaml');
    writeFileSync(script, '- say: hello\n');
    const ended = await runBaton(['rehearse', '--script', script, '--lane', 'fast', '--json'], {
      env: where.env,
      cwd: where.root,
    });
    expect(JSON.parse(ended.stdout)).toMatchObject({ lane: 'fast', laneDials: ['model'], model: 'haiku' });
    mkdirSync(join(where.root, 'other'));
    const unknown = await runBaton(['rehearse', '--script', script, '--lane', 'fsat'], {
      env: where.env,
      cwd: where.root,
    });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
  });
});
