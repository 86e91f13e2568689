import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, runBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';
import { type PartialRule, rulesOf } from '../skills/rules-support.ts';

const RULES: { [name: string]: PartialRule } = {
  pay: { keywords: ['refund'], intentPatterns: ['pay .* back', '('], filePatterns: ['src/pay/**'] },
  docs: { priority: 'critical', filePatterns: ['**/*.md'] },
};
const SKILL =
  '---\nname: pay\ndescription: d\ntriggers:\n  files: ["src/pay/**", "it\'s $(touch x)"]\n---\n# Pay\n';

describe('baton skills match', () => {
  it('shows which skills are called for, and why', async () => {
    const where = world();
    const run = await skills(where, [
      'match',
      '--prompt',
      'Refund it, and pay Ann back (README.md)',
      '--file',
      'src/pay/a',
      'x',
    ]);
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(
      'docs  critical  file README.md (**/*.md)\npay  high  keyword "refund", intent /pay .* back/, file src/pay/a (src/pay/**)\n',
    );
    expect(run.stderr).toMatch(/^baton: pay: the intent pattern "\(": .*\n$/);
  });

  it('says it in JSON, from a folder below, for a prompt on stdin', async () => {
    const where = world();
    const run = await skills(
      where,
      ['match', '--json', '--prompt', '-', '--cd', 'src', '--file', 'pay/b.ts'],
      'go',
    );
    expect(JSON.parse(run.stdout)).toMatchObject({
      matches: [
        { name: 'pay', priority: 'high', why: [{ kind: 'file', path: 'src/pay/b.ts', glob: 'src/pay/**' }] },
      ],
      problems: [{ skill: 'pay' }],
    });
    expect(run.stderr).toBe('');
  });

  it('takes files from a directory that is reached by a link', async () => {
    const where = world();
    symlinkSync(where.top, join(where.root, 'link'));
    const run = await skills(where, ['match', '--cd', join(where.root, 'link'), '--file', 'src/pay/a']);
    expect(run.stdout).toBe('pay  high  file src/pay/a (src/pay/**)\n');
  });

  it('says that none is', async () => {
    expect((await skills(world(), ['match', '--prompt', 'hello'])).stdout).toBe('no skill is called for\n');
  });

  it.each([
    [['match'], /nothing to match/],
    [['match', '--file', '../elsewhere'], /is not in/],
    [['rules', '--into', 'f.sh'], /--into belongs to --bash/],
    [['rules', '--bash', '--out'], /--bash goes with --into only/],
    [['rules', '--bash', '--into', 'none.sh'], /none\.sh" cannot be read/],
    [['rules', '--bash', '--into', 'README.md'], /README\.md: there is no line/],
  ])('%j is refused in one line', async (args, message) => {
    const run = await skills(world(), args);
    expect([run.code, run.stdout, run.stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(run.stderr).toMatch(message);
  });

  it('says how to get rules where there are none', async () => {
    const where = surroundings();
    const { dir } = makeRepository({ files: { a: '' } });
    const run = await runBaton(['skills', 'match', '--prompt', 'x'], { env: where.env, cwd: dir });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('`baton skills rules --out`')]);
  });
});

describe('baton skills rules --bash', () => {
  it('prints a function that bash takes', async () => {
    const run = await skills(world(), ['rules', '--bash']);
    expect(run.stdout.startsWith('# BEGIN detect_skill_domain\n')).toBe(true);
    expect(inBash(`${run.stdout}detect_skill_domain src/pay/a`)).toBe('pay\n');
  });

  it('puts it into a script, and leaves all else of it: bytes, mode, and the link that leads to it', async () => {
    const where = world();
    const file = join(where.top, 'hook.sh');
    const around = [
      Buffer.from('#!/bin/bash\r\n# \xff\xfe\n', 'latin1'),
      Buffer.from('detect_skill_domain "$1" # \xe9', 'latin1'),
    ];
    const markers = Buffer.from('# BEGIN detect_skill_domain\nold\n# END detect_skill_domain\n');
    writeFileSync(
      file,
      Buffer.concat([around[0] ?? '', markers, around[1] ?? ''].map((part) => Buffer.from(part))),
    );
    chmodSync(file, 0o775);
    symlinkSync('hook.sh', join(where.top, 'link.sh'));

    const run = await skills(where, ['rules', '--bash', '--into', 'link.sh']);
    expect(run.stdout).toMatch(/link\.sh: written\n$/);
    const printed = await skills(where, ['rules', '--bash']);
    const made = readFileSync(file);
    expect(made.toString('latin1')).toBe(
      `${around[0]?.toString('latin1')}${Buffer.from(printed.stdout).toString('latin1')}${around[1]?.toString('latin1')}`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o775);
    expect((await skills(where, ['rules', '--bash', '--into', 'link.sh'])).stdout).toMatch(
      /is as it should be\n$/,
    );
    expect(readFileSync(file).equals(made)).toBe(true);
  });
});

interface World extends Surroundings {
  top: string;
}

function world(): World {
  const { dir } = makeRepository({
    files: {
      'README.md': 'read me\n',
      'src/pay/a': '',
      '.claude/skills/pay/SKILL.md': SKILL,
      '.claude/skills/skill-rules.json': JSON.stringify(rulesOf(RULES)),
    },
  });
  return { ...surroundings(), top: dir };
}

function skills({ env, top }: World, args: readonly string[], input = ''): Promise<Ended> {
  return runBaton(['skills', ...args], { env, cwd: top, input });
}

function inBash(script: string): string {
  return spawnSync('bash', ['-s'], { input: script, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })
    .stdout;
}
