import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../src/core/command.ts';
import type { EffectiveList, EffectiveSkill } from '../src/skills/effective/contract.ts';
import { setFrontmatterKey } from '../src/skills/frontmatter-edit.ts';
import { setTriggers } from '../src/skills/triggers.ts';
import { runBaton } from '../test/support/baton.ts';
import { skill, writeOddSkills, writeSkill } from '../test/skills/effective/odd-skills.ts';
import { type Cli, type TextWorld, textWorld } from './text-support.ts';

const FOLDERS = { claude: '.claude/skills', codex: '.agents/skills' } as const;

/** Runs the real CLI on its own, as a person would, and returns all texts of its first request. */
async function sentBy(world: TextWorld, cwd: string, flags: readonly string[] = []): Promise<string[]> {
  const args =
    world.cli === 'claude'
      ? ['-p', '--output-format', 'json', ...flags]
      : ['exec', '--json', '--sandbox', 'read-only', '--skip-git-repo-check', '-'];
  const input = Buffer.from('Say hello.');
  const run = await runCommand({ file: world.cli, args, cwd, env: world.env, timeoutMs: 60_000, input });
  const [request] = world.model.requests.filter(({ kind }) => kind === 'turn');
  if (!request) throw new Error(`${world.cli} asked nothing: ${run.end} ${run.code}\n${run.stderr}`);
  return texts(request.body);
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

async function effective(world: TextWorld, cd: string): Promise<EffectiveList> {
  const args = ['skills', 'list', '--effective', '--target', world.cli, '--json', '--cd', cd];
  const { code, stdout, stderr } = await runBaton(args, { env: world.env, cwd: world.root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { lists }: { lists: EffectiveList[] } = JSON.parse(stdout);
  const [list] = lists;
  if (!list) throw new Error('no list');
  return list;
}

/** The lines of the list of skills in a request, each with its name and what stands after it. */
function listed(cli: Cli, request: readonly string[]): Map<string, string> {
  const mark = cli === 'claude' ? 'The following skills are available' : '### Available skills';
  // Codex's own instructions speak of such a list, too.
  const text =
    request.find(
      (one) => one.includes(mark) && (cli === 'claude' || one.startsWith('<skills_instructions>')),
    ) ?? '';
  const lines = text
    .slice(text.indexOf(mark))
    .split(/\n(?=- )/)
    .slice(1);
  return new Map(
    lines.map((line) => {
      const told = line.slice(2).replace(/ \(file: [^)]*\)(?:\n[\s\S]*)?$/, '');
      const colon = told.indexOf(': ');
      return colon === -1 ? [told.trim(), ''] : [told.slice(0, colon), told.slice(colon + 2).trim()];
    }),
  );
}

/** Of our skills: the name and the description that the model reads, where baton says that it knows it. */
function claimed({ skills }: EffectiveList): EffectiveSkill[] {
  return skills.filter(({ source, status }) => source !== 'other' && status !== 'missing');
}

describe.each(['claude', 'codex'] as const)('the real %s', (cli) => {
  test('sends the description of a skill that baton wrote', async () => {
    const world = await textWorld(cli, [{ say: 'Hello.' }]);
    const description = 'Use when: billing "changes", or taxes # do';
    const triggers = { filePatterns: ['src/billing/**'], keywords: ['tax'], alwaysActivate: false };
    const named = setFrontmatterKey('# Billing\n', ['name'], 'billing');
    const content = setTriggers(setFrontmatterKey(named, ['description'], description), triggers);
    writeSkill(join(world.repository.dir, FOLDERS[cli]), 'billing/SKILL.md', content);
    const request = await sentBy(world, world.repository.dir);
    expect(listed(cli, request).get('billing')).toBe(description);
  });

  test('sends of odd skills what baton says that it sends', async () => {
    const world = await textWorld(cli, [{ say: 'Hello.' }]);
    const folder = join(world.repository.dir, FOLDERS[cli]);
    writeOddSkills(folder);
    writeSkill(
      join(world.home, cli === 'claude' ? '.claude/skills' : '.codex/skills'),
      'mine/SKILL.md',
      skill('name: mine', 'description: Mine.'),
    );
    const list = await effective(world, world.repository.dir);
    const request = listed(cli, await sentBy(world, world.repository.dir));
    const ours = claimed(list);
    expect(ours.length).toBeGreaterThan(10);
    const known = ours.filter(({ description }) => description !== null);
    expect(known.map(({ name }) => [name, request.get(name)])).toEqual(
      known.map(({ name, description }) => [name, description]),
    );
    expect([...request.keys()]).toEqual(expect.arrayContaining(ours.map(({ name }) => name)));
    const missing = list.skills.filter(({ status }) => status === 'missing').map(({ name }) => name);
    expect(missing).toEqual(expect.arrayContaining(['lower']));
    expect(missing.filter((name) => request.has(name))).toEqual([]);
  });

  test('sends of too many skills what baton says that it sends', async () => {
    const world = await textWorld(cli, [{ say: 'Hello.' }]);
    for (let i = 100; i < 300; i += 1)
      writeSkill(
        join(world.repository.dir, FOLDERS[cli]),
        `skill${i}/SKILL.md`,
        skill(`name: skill${i}`, `description: ${'word '.repeat(60)}${i}`),
      );
    const list = await effective(world, world.repository.dir);
    const request = listed(cli, await sentBy(world, world.repository.dir));
    const names = claimed(list).map(({ name }) => name);
    expect(names).toHaveLength(200);
    expect(names.filter((name) => !request.has(name))).toEqual([]);
    const whole = (told: string | undefined) => told !== undefined && /^word .* \d{3}$/.test(told);
    const kept = names.filter((name) => whole(request.get(name))).length;
    const said = list.skills.filter(({ source, status }) => source !== 'other' && status === 'sent').length;
    // Claude's own skills, which take a part of the room, differ from start to start.
    expect(Math.abs(kept - said)).toBeLessThanOrEqual(cli === 'claude' ? 10 : 0);
  });

  test('finds the skills from the working directory up to the top', async () => {
    const world = await textWorld(cli, [{ say: 'Hello.' }]);
    const sub = join(world.repository.dir, 'sub');
    mkdirSync(sub);
    const write = (dir: string, name: string, description: string) =>
      writeSkill(
        join(dir, FOLDERS[cli]),
        `${name}/SKILL.md`,
        skill(`name: ${name}`, `description: ${description}`),
      );
    write(world.repository.dir, 'top', 'At the top.');
    write(sub, 'below', 'Below it.');
    write(join(world.repository.dir, 'other'), 'aside', 'Beside it.');
    write(world.root, 'above', 'Above it.');
    const names = claimed(await effective(world, sub)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['below', 'top']);
    const request = listed(cli, await sentBy(world, sub));
    expect(['above', 'aside', 'below', 'top'].filter((name) => request.has(name))).toEqual(['below', 'top']);
  });
});

describe('the real claude with a model of a small window', () => {
  test('sends fewer descriptions, as baton says', async () => {
    const world = await textWorld('claude', [{ say: 'Hello.' }]);
    for (let i = 10; i < 30; i += 1)
      writeSkill(
        join(world.repository.dir, FOLDERS.claude),
        `skill${i}/SKILL.md`,
        skill(`name: skill${i}`, `description: ${'word '.repeat(60)}${i}`),
      );
    const { skills } = await effective(world, world.repository.dir);
    const said = skills.filter(({ reasons }) => reasons.some(({ code }) => code === 'small-window'));
    const request = listed(
      'claude',
      await sentBy(world, world.repository.dir, ['--model', 'claude-haiku-4-5']),
    );
    const cut = skills.filter(({ name }) => request.get(name) === '');
    expect(cut.length).toBeGreaterThan(0);
    expect(Math.abs(cut.length - said.length)).toBeLessThanOrEqual(3);
  });
});
