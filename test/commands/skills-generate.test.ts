import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  asked,
  block,
  type GeneratingWorld,
  generatingWorld,
  skills,
  skillText,
} from '../generate/generating.ts';
import { runBaton, startBaton, until } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { processesUnder } from '../support/processes.ts';

beforeAll(ensureBuilt);

const AGENTS = '# Shop\n\nRun `npm test` before every change, and keep amounts in whole cents.\n';
const DOMAINS = { domains: [{ name: 'billing', about: 'Invoices.', paths: ['src/billing'] }] };
const file = (path: string, content: string): { structured: object } => ({
  structured: { files: [{ path, content }] },
});

/** Answers to all that a whole generation asks, as structured output. */
const ALL = {
  'Name the parts of this repository': { structured: DOMAINS },
  'Write exactly one file, `AGENTS.md`': file('AGENTS.md', AGENTS),
  'Write the skill `base`': file(
    '.claude/skills/base/SKILL.md',
    skillText('base', { files: 'package.json' }),
  ),
  'Write the skill `billing`': file('.claude/skills/billing/SKILL.md', skillText('billing')),
};

function read(world: GeneratingWorld, path: string): string {
  return world.repository.read(path);
}

/** The raw answers that were kept. */
function kept({ state }: GeneratingWorld): string[] {
  const answers = join(state, 'answers');
  return existsSync(answers)
    ? readdirSync(answers).flatMap((run) =>
        readdirSync(join(answers, run)).map((name) => readFileSync(join(answers, run, name), 'utf8')),
      )
    : [];
}

describe('a whole generation', () => {
  test('writes instructions and skills for both CLIs, and the rules, from one source', async () => {
    const world = generatingWorld(ALL);
    const { code, stdout, stderr } = await skills(world, ['generate', '--yes']);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('baton: skills for billing\n'),
    });
    expect(stdout).toContain('3 of 3 answers can be used');
    expect(read(world, 'AGENTS.md')).toContain(AGENTS);
    expect(read(world, 'CLAUDE.md')).toMatch(/^@AGENTS\.md\n/);
    const skill = read(world, '.claude/skills/billing/SKILL.md');
    expect(read(world, '.agents/skills/billing/SKILL.md')).toBe(skill);
    expect(skill).toContain(`baton-commit: "${world.repository.head().slice(0, 12)}"`);
    expect(JSON.parse(read(world, '.claude/skills/skill-rules.json'))).toMatchObject({
      skills: { base: { type: 'base' }, billing: { type: 'domain', filePatterns: ['src/billing/**'] } },
    });
    expect(kept(world)).toEqual([]);
    expect(stdout).not.toContain('as they came');
    expect(asked(world)).toHaveLength(4);
    expect(asked(world).every(({ cwd, schema }) => cwd === world.repository.dir && schema)).toBe(true);

    const again = await skills(world, ['generate', '--yes', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      outcome: 'nothing-to-write',
      publication: null,
      kept: null,
      answers: [{ raw: null }, { raw: null }, { raw: null }],
    });
    const undone = await skills(world, ['undo']);
    expect(undone.code).toBe(0);
    expect(world.repository.status()).toEqual([]);
  });

  test('as a dry run writes nothing and shows every line', async () => {
    const world = generatingWorld(ALL);
    const { code, stdout } = await skills(world, ['generate', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('would create .agents/skills/billing/SKILL.md\n');
    expect(stdout).toContain('would create .claude/skills/skill-rules.json\n');
    expect(stdout).toContain('+- Never round a single line');
    expect(stdout).toContain('nothing was written: this was a dry run\n');
    expect(world.repository.status()).toEqual([]);
    // It was paid for.
    expect(kept(world)).toHaveLength(4);
  });

  test('for claude alone needs no AGENTS.md, and takes one in that is there', async () => {
    const answer = file('CLAUDE.md', AGENTS);
    const world = generatingWorld({ ...ALL, 'Write exactly one file, `CLAUDE.md`': answer });
    await skills(world, ['generate', '--yes', '--target', 'claude']);
    expect(read(world, 'CLAUDE.md')).toContain(AGENTS);
    expect(
      world.repository.status().some((line) => line.includes('AGENTS.md') || line.includes('.agents')),
    ).toBe(false);

    const other = generatingWorld(ALL);
    other.repository.commit({ 'AGENTS.md': 'Written by hand.\n' });
    await skills(other, ['generate', '--yes', '--target', 'claude']);
    expect(read(other, 'CLAUDE.md')).toMatch(/^@AGENTS\.md\n/);
    expect(read(other, 'AGENTS.md')).toBe('Written by hand.\n');
    expect(asked(other).map(({ key }) => key)).not.toContain('Write exactly one file, `AGENTS.md`');
  });

  test('leaves what a person wrote, says so, and with --force keeps it below', async () => {
    const world = generatingWorld(ALL);
    world.repository.commit({ 'CLAUDE.md': 'Mine.\n', '.claude/skills/billing/SKILL.md': 'Mine.\n' });
    const { code, stdout } = await skills(world, ['generate', '--yes']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/skipped +CLAUDE\.md: .*--force writes it/);
    expect(read(world, 'CLAUDE.md')).toBe('Mine.\n');
    expect(read(world, '.claude/skills/billing/SKILL.md')).toBe('Mine.\n');
    // The rules are of what lies there, not of what was left out.
    expect(JSON.parse(read(world, '.claude/skills/skill-rules.json'))).toMatchObject({
      skills: { billing: { filePatterns: [] } },
    });
    expect(kept(world)).toHaveLength(4);

    const forced = await skills(world, ['generate', '--yes', '--force']);
    expect(forced.code).toBe(0);
    expect(read(world, 'CLAUDE.md')).toMatch(/^@AGENTS\.md\n\nMine\.\n/);
  });

  test('falls back to the folders with the most code where no parts are named', async () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`src/billing/f${n}.ts`, '']));
    const { 'Name the parts of this repository': _, ...rest } = ALL;
    const world = generatingWorld(rest, files);
    const { code, stdout } = await skills(world, ['generate', '--yes']);
    expect(stdout).toContain('the folders with the most code are taken');
    expect(existsSync(join(world.repository.dir, '.claude/skills/billing/SKILL.md'))).toBe(true);
    expect(code).toBe(0);
  });

  test('ends where the first question fails for good, with the code of the implementer', async () => {
    const world = generatingWorld({});
    const { code, stdout, stderr } = await skills(world, ['generate', '--yes', '--implementer', 'codex']);
    expect({ code, stdout }).toEqual({ code: 127, stdout: '' });
    expect(stderr).toContain('no executable `codex` on PATH');
    expect(kept(world)).toEqual([]);
  });
});

describe('one skill', () => {
  const KEY = 'Write the skill `billing`';
  const PATH = '.claude/skills/billing/SKILL.md';
  const one = (world: GeneratingWorld, ...args: string[]) =>
    skills(world, ['generate', '--yes', '--target', 'claude', '--domain', 'billing', ...args]);

  test('comes as text where there is no structured output, and is asked for no third time', async () => {
    const world = generatingWorld({
      [KEY]: { say: `Here it is.\n\n${block(PATH, skillText('billing'))}\nDone.` },
    });
    const { code, stderr } = await one(world);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'answered skill billing\n' });
    expect(read(world, PATH)).toContain('## Critical Rules');
    expect(asked(world).map(({ schema }) => schema)).toEqual([true, true]);
  });

  test('is asked for by the file protocol alone where a schema gave nothing', async () => {
    const world = generatingWorld({
      'did not match the required JSON Schema': { say: 'I cannot.' },
      [KEY]: { say: 'No JSON.', plain: block(PATH, skillText('billing')) },
    });
    expect((await one(world)).code).toBe(0);
    expect(asked(world).map(({ schema }) => schema)).toEqual([true, true, false]);
  });

  test.each([
    ['an unclosed file', { say: `<file path="${PATH}">\n${skillText('billing')}` }, 'it may be cut'],
    ['prose', { say: 'I would rather not.' }, 'no file'],
    ['another path', { say: block('../outside.md', 'x'.repeat(300)) }, '../outside.md'],
    ['a protected path', file('.claude/settings.json', '{}'), '.claude/settings.json'],
    ['a file that nobody asked for', file('CLAUDE.md', AGENTS), 'CLAUDE.md: nobody asked for it'],
    ['a blank file', file(PATH, ' \n'), PATH],
    ['no frontmatter', file(PATH, 'Just text, and quite a lot of it.\n'.repeat(20)), 'the first line is not'],
    ['the name of another', file(PATH, skillText('cart')), 'is not that of its folder'],
  ])('that is %s is not written; the answer is kept where it is said', async (_, reply, message) => {
    const world = generatingWorld({ [KEY]: reply });
    const { code, stderr } = await one(world);
    expect(code).toBe(1);
    expect(stderr).toContain('not usable skill billing\n');
    expect(stderr).toContain(message);
    const raw = /the answer as it came: (.+)/.exec(stderr)?.[1] ?? '';
    expect(readFileSync(raw, 'utf8')).not.toBe('');
    expect(world.repository.status()).toEqual([]);
  });

  test('that no run gave is a failure of its own, and no publication', async () => {
    const world = generatingWorld({ [KEY]: { exit: 7 } });
    const { code, stdout, stderr } = await one(world, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'nothing-to-write',
      answers: [{ name: 'skill billing', used: false, failure: { exitCode: 7 } }],
    });
    expect(stderr).toContain('failed skill billing\n');
  });

  test('has the limit of BATON_TIMEOUT, which no default of the flag masks', async () => {
    const world = generatingWorld({ [KEY]: { hang: true } });
    world.env['BATON_TIMEOUT'] = '1s';
    const { code, stderr } = await one(world);
    expect(code).toBe(1);
    expect(stderr).toContain('BATON_TIMEOUT=1s');
  });

  test('is written where nothing was committed yet, without a commit to go by', async () => {
    const world = generatingWorld({ [KEY]: file(PATH, skillText('billing')) }, {});
    world.repository.git('update-ref', '-d', 'HEAD');
    expect((await one(world)).code).toBe(0);
    expect(read(world, PATH)).not.toContain('baton-commit');
    const check = await skills(world, ['sync', '--check', '--target', 'claude']);
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('1 not committed yet\n') });
  });

  test('is published though another one failed', async () => {
    const world = generatingWorld({
      'Write the skill `cart`': { exit: 7 },
      [KEY]: file(PATH, skillText('billing')),
    });
    const { code, stdout } = await one(world, '--domain', 'cart');
    expect(code).toBe(1);
    expect(stdout).toContain('1 of 2 answers can be used');
    expect(stdout).toContain('`baton skills generate --domain cart` asks again for what is missing\n');
    expect(existsSync(join(world.repository.dir, PATH))).toBe(true);
  });
});

describe('afterwards', () => {
  const PATH = '.claude/skills/billing/SKILL.md';

  test('a generated skill is synced without a --force, and one that a person edited is not', async () => {
    const newer = skillText('billing', { extra: '- Refunds go through the same client.\n' });
    const world = generatingWorld({ ...ALL, 'was written for an earlier state': file(PATH, newer) });
    await skills(world, ['generate', '--yes', '--target', 'claude', '--domain', 'billing']);
    world.repository.commit();
    world.repository.commit({ 'src/billing/pay.ts': '2' });
    // In a clone nothing is recorded: only its mark says that the skill is baton's.
    const clone = { ...world, env: { ...world.env, BATON_HOME: join(world.root, 'elsewhere') } };
    const synced = await skills(clone, ['sync', '--yes', '--target', 'claude']);
    expect(synced.code).toBe(0);
    expect(read(world, PATH)).toContain('Refunds go through');

    world.repository.commit({ [PATH]: `${read(world, PATH)}\nMine.\n` });
    world.repository.commit({ 'src/billing/pay.ts': '3' });
    const edited = await skills(world, ['sync', '--yes', '--target', 'claude']);
    expect(edited.code).toBe(1);
    expect(edited.stdout).toContain('it was edited since baton generated it');
    expect(read(world, PATH)).toContain('Mine.');
  });

  test('an interrupt ends what is asked, writes nothing, and keeps what was answered', async () => {
    const world = generatingWorld({ ...ALL, 'Write the skill `billing`': { hang: true } });
    const run = await startBaton(['skills', 'generate', '--yes', '--cd', world.repository.dir], {
      env: world.env,
      cwd: world.root,
    });
    await until('two answers', () => run.stderr().split('answered').length === 3);
    await until('the question that hangs', () => asked(world).some(({ key }) => key.includes('billing')));
    run.signal('SIGTERM');
    const { code, stdout } = await run.ended;
    expect(code).toBe(143);
    expect(stdout).toContain('interrupted: nothing was written\n');
    expect(world.repository.status()).toEqual([]);
    expect(kept(world)).toHaveLength(3);
    expect(processesUnder(world.root)).toEqual([]);
  });
});

describe('what is refused', () => {
  test.each([
    [['--domain', 'Bad Name'], '--domain "Bad Name"'],
    [['--domain', 'a', '--domain', 'a'], 'twice'],
    [['--domain', 'delegate'], "baton's own skill"],
    [['--target', 'gemini'], '"gemini" is not known'],
    [['--implementer', 'gpt'], '"gpt" is not known'],
    [['--timeout', 'soon'], '--timeout "soon"'],
    [['--prompts', 'none'], '--prompts "none"'],
  ])('%j before anything is asked, with exit 2', async (args, message) => {
    const world = generatingWorld({});
    const { code, stdout, stderr } = await skills(world, ['generate', '--yes', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^baton: .+\n$/);
    expect(stderr).toContain(message);
    expect(asked(world)).toEqual([]);
    expect(kept(world)).toEqual([]);
  });

  test('where nobody can say yes, before anything is asked', async () => {
    const world = generatingWorld(ALL);
    const { code, stderr } = await skills(world, ['generate']);
    expect(code).toBe(2);
    expect(stderr).toContain('--yes says it in advance');
    expect(asked(world)).toEqual([]);
  });

  test('in a directory that is not there: it is named, and git is not blamed', async () => {
    const { env, home } = generatingWorld({});
    const { code, stderr } = await runBaton(['skills', 'generate', '--yes', '--cd', 'none'], {
      env,
      cwd: home,
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none" does not exist'),
    });
  });

  test('outside a repository', async () => {
    const world = generatingWorld(ALL);
    const { code, stderr } = await runBaton(['skills', 'generate', '--yes'], {
      env: world.env,
      cwd: world.home,
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not inside a git repository'),
    });
  });
});

describe('prompts of the repository', () => {
  const OWN = { 'prompts/skills-domain.md': 'OURS {{name}} {{file}}\n', 'prompts/mine.md': 'x' };

  test('count only once they are approved, and not after an edit', async () => {
    const world = generatingWorld({
      OURS: file('.claude/skills/billing/SKILL.md', skillText('billing')),
      Write: { say: 'x' },
    });
    world.repository.commit(OWN);
    const generate = () =>
      skills(world, ['generate', '--dry-run', '--target', 'claude', '--domain', 'billing']);
    const before = await generate();
    expect(before.stdout).toContain(
      'prompts/ of this repository has skills-domain.md, not used: nobody approved them (`baton prompts approve`)',
    );
    expect(asked(world).some(({ prompt }) => prompt.includes('OURS'))).toBe(false);

    const approve = () => runBaton(['prompts', 'approve', '--cd', world.repository.dir], { env: world.env });
    expect(await approve()).toMatchObject({ code: 0, stdout: 'approved: mine.md, skills-domain.md\n' });
    expect((await generate()).code).toBe(0);
    expect(asked(world).at(-1)?.prompt).toBe('OURS billing .claude/skills/billing/SKILL.md\n');

    writeFileSync(join(world.repository.dir, 'prompts', 'mine.md'), 'y');
    await generate();
    expect(asked(world).at(-1)?.prompt).not.toContain('OURS');
  });
});
