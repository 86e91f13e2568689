import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, runBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';

interface World extends Surroundings {
  top: string;
}

function world(files: { [path: string]: string }): World {
  const where = surroundings();
  const dir = join(where.root, 'repo');
  mkdirSync(dir);
  return { ...where, top: makeRepository({ dir, files }).dir };
}

function skills({ env, top }: World, ...args: string[]): Promise<Ended> {
  return runBaton(['skills', ...args], { env, cwd: top });
}

const PAY = `---
name: pay
description: Use when: paying
triggers:
  files: [src/pay/**]
  keywords: [refund]
---
# Pay
`;
const OLD =
  '---\nname: old\ndescription: An old one.\n---\n# Old\n\n## Activation\n- `lib/**`\n\nKeywords: ancient\n';

describe('baton skills list', () => {
  test('shows what is there, and what is wrong with it', async () => {
    const where = world({
      '.claude/skills/pay/SKILL.md': PAY,
      '.claude/skills/old/skill.md': OLD,
      '.agents/skills/other/SKILL.md': '---\nname: differs\n---\n',
    });
    symlinkSync('nowhere', join(where.top, '.claude/skills/broken'));
    expect(await skills(where, 'list')).toEqual({
      code: 0,
      signal: null,
      stdout: `pay  claude  .claude/skills/pay/SKILL.md
  Use when: paying
  files src/pay/**; keywords refund
  needs quotes: description
old  claude  .claude/skills/old/skill.md
  An old one.
  files lib/**; keywords ancient
  not-discovered: rename it with \`baton skills migrate\`
other  codex  .agents/skills/other/SKILL.md
  no description
  name differs from folder: "differs"
`,
      stderr: 'baton: .claude/skills/broken: a link to nowhere\n',
    });
    const { stdout } = await skills(where, 'list', '--target', 'codex', '--json');
    expect(JSON.parse(stdout)).toEqual({
      skills: [
        {
          target: 'codex',
          name: 'other',
          path: '.agents/skills/other/SKILL.md',
          description: null,
          triggers: { filePatterns: [], keywords: [], alwaysActivate: false },
          notes: ['name differs from folder: "differs"'],
        },
      ],
      problems: [],
    });
  });

  test('says what each CLI sends', async () => {
    const where = world({
      '.claude/skills/pay/SKILL.md': PAY,
      '.claude/skills/old/skill.md': OLD,
      '.agents/skills/differs/SKILL.md': '---\nname: another\ndescription: \u001b[31mred\n---\n',
    });
    const { code, stdout } = await skills(where, 'list', '--effective');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^claude {2}computed: .*\n {2}sent {5}pay {2}Use when: paying\n {2}missing {2}old\n/,
    );
    expect(stdout).toContain('           not-discovered: only a file named SKILL.md is looked for\n');
    expect(stdout).toMatch(/\n\ncodex {2}computed: .*\n/);
    expect(stdout).not.toContain('\u001b');
  });

  test('says once what a model with a small window does not read', async () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: ${'x'.repeat(1500)}\n---\n`;
    const files = ['a', 'b', 'c'].map((name) => [`.claude/skills/${name}/SKILL.md`, skill(name)]);
    const { stdout } = await skills(
      world(Object.fromEntries(files)),
      'list',
      '--effective',
      '--target',
      'claude',
    );
    expect(stdout.split('\n').map((line) => line.slice(0, 30))).toEqual([
      expect.stringMatching(/^claude/),
      expect.stringMatching(/^ {2}sent {5}a {2}xxx/),
      expect.stringMatching(/^ {2}sent {5}b {2}xxx/),
      expect.stringMatching(/^ {2}sent {5}c {2}xxx/),
      '  a model with a window of 200',
      '',
    ]);
    expect(stdout).toContain('reads only the names of 2 of these\n');
  });

  test('may be empty', async () => {
    expect(await skills(world({ a: '' }), 'list')).toMatchObject({
      stdout: 'this repository has no skills\n',
    });
  });

  test.each([
    [['list', '--target', 'gemini'], '"gemini" is not known'],
    [['list', '--cd', 'nowhere'], 'nowhere'],
    [['list', '--unknown'], '--unknown'],
    [['nothing'], 'nothing'],
  ])('refuses %j', async (args, why) => {
    const { code, stdout, stderr } = await skills(world({ a: '' }), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^baton: .+\n$/);
    expect(stderr).toContain(why);
  });
});

describe('baton skills rules', () => {
  const FILE = '.claude/skills/skill-rules.json';

  test('prints, checks and writes', async () => {
    const where = world({ '.claude/skills/pay/SKILL.md': PAY });
    const file = join(where.top, FILE);
    const printed = await skills(where, 'rules');
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(printed.stdout)).toMatchObject({
      version: '2.0',
      skills: { pay: { filePatterns: ['src/pay/**'] } },
    });
    expect(existsSync(file)).toBe(false);
    expect(await skills(where, 'rules', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is not there'),
    });
    expect(await skills(where, 'rules', '--out')).toMatchObject({ code: 0, stdout: `${file}: written\n` });
    expect(readFileSync(file, 'utf8')).toBe(printed.stdout);
    expect(await skills(where, 'rules', '--out')).toMatchObject({ stdout: `${file}: is as it should be\n` });
    expect(await skills(where, 'rules', '--check')).toMatchObject({ code: 0 });
    writeFileSync(join(where.top, '.claude/skills/pay/SKILL.md'), PAY.replace('refund', 'charge'));
    chmodSync(file, 0o664);
    expect(await skills(where, 'rules', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('out of date'),
    });
    const { stdout } = await skills(where, 'rules', '--out', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ file, before: 'other', written: true, problems: [] });
    expect(statSync(file).mode & 0o777).toBe(0o664);
  });

  test('goes to another file', async () => {
    const where = world({ '.claude/skills/pay/SKILL.md': PAY });
    const file = join(where.root, 'out', 'rules.json');
    expect(await skills(where, 'rules', '--out', file)).toMatchObject({
      code: 0,
      stdout: `${file}: written\n`,
    });
    expect(await skills(where, 'rules', '--check', '--out', file)).toMatchObject({ code: 0 });
    expect(existsSync(join(where.top, FILE))).toBe(false);
  });

  test('does not follow a link out of the repository', async () => {
    const where = world({ a: '' });
    mkdirSync(join(where.root, 'outside'));
    mkdirSync(join(where.top, '.claude'));
    symlinkSync(join(where.root, 'outside'), join(where.top, '.claude/skills'));
    const { code, stderr } = await skills(where, 'rules', '--out');
    expect(code).toBe(1);
    expect(stderr).toContain('symbolic link .claude/skills');
    expect(readdirSync(join(where.root, 'outside'))).toEqual([]);
  });

  test('says what cannot be read', async () => {
    const where = world({ '.claude/skills/a/SKILL.md': '---\na: 1\na: 2\n---\n' });
    const { code, stderr } = await skills(where, 'rules');
    expect(code).toBe(0);
    expect(stderr).toContain('a/SKILL.md: a key is there twice');
  });
});

describe('baton skills migrate', () => {
  const FILES = {
    '.claude/skills/pay/SKILL.md': PAY,
    '.claude/skills/old/skill.md': OLD,
    '.claude/skills/fine/SKILL.md': '---\nname: fine\ndescription: Fine.\n---\n',
  };
  const QUOTED = PAY.replace('Use when: paying', '"Use when: paying"');
  const CARRIED = OLD.replace(
    '.\n---',
    '.\nmetadata:\n  triggers: "{\\"files\\":[\\"lib/**\\"],\\"keywords\\":[\\"ancient\\"]}"\n---',
  );

  test('shows, asks for a yes, and writes', async () => {
    const where = world(FILES);
    const read = (path: string) => readFileSync(join(where.top, '.claude/skills', path), 'utf8');
    const shown = await skills(where, 'migrate', '--dry-run');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('.claude/skills/pay/SKILL.md: quotes description\n');
    expect(shown.stdout).toContain('-description: Use when: paying\n+description: "Use when: paying"\n');
    expect(shown.stdout).toContain(
      '.claude/skills/old/skill.md: rename to SKILL.md, triggers into the frontmatter\n',
    );
    expect(shown.stdout).toMatch(/\nnothing was changed\n$/);
    expect(await skills(where, 'migrate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'Change 2 files?; look at what is shown, and say it in advance with --yes',
      ),
    });
    expect([read('pay/SKILL.md'), read('old/skill.md')]).toEqual([PAY, OLD]);
    expect(await skills(where, 'migrate', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n2 files changed\n$/),
    });
    expect([read('pay/SKILL.md'), read('old/SKILL.md')]).toEqual([QUOTED, CARRIED]);
    expect(readdirSync(join(where.top, '.claude/skills/old'))).toEqual(['SKILL.md']);
    expect(await skills(where, 'migrate', '--yes')).toMatchObject({
      code: 0,
      stdout: 'nothing to migrate\n',
    });
  });

  test('leaves what it must not touch, and says so', async () => {
    const where = world({
      '.claude/skills/both/skill.md': OLD,
      '.claude/skills/both/SKILL.md': '---\nname: both\n---\n',
      '.claude/skills/both/references/in/skill.md': OLD,
      '.claude/skills/bad/SKILL.md': '---\na: 1\na: 2\n---\n',
    });
    mkdirSync(join(where.root, 'outside'));
    writeFileSync(join(where.root, 'outside/skill.md'), OLD);
    symlinkSync(join(where.root, 'outside'), join(where.top, '.claude/skills/linked'));
    mkdirSync(join(where.top, '.agents'));
    symlinkSync('../.claude/skills', join(where.top, '.agents/skills'));
    const { code, stdout } = await skills(where, 'migrate', '--yes', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      written: false,
      migrations: [],
      problems: [
        expect.stringMatching(/^\.claude\/skills\/bad\/SKILL\.md: a key is there twice/),
        expect.stringMatching(/^\.claude\/skills\/both\/references\/in\/skill\.md: it lies in the folder/),
        expect.stringMatching(/^\.claude\/skills\/both\/skill\.md: there is a SKILL\.md beside it/),
        expect.stringMatching(/^\.claude\/skills\/linked\/skill\.md: it lies outside/),
      ],
    });
    expect(readFileSync(join(where.root, 'outside/skill.md'), 'utf8')).toBe(OLD);
  });

  test('changes a file that two products share once', async () => {
    const where = world(FILES);
    mkdirSync(join(where.top, '.agents'));
    symlinkSync('../.claude/skills', join(where.top, '.agents/skills'));
    const { code, stdout } = await skills(where, 'migrate', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ written: true, migrations: [{}, {}], problems: [] });
  });
});
