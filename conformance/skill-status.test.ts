import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../src/core/command.ts';
import { runBaton } from '../test/support/baton.ts';
import { asked, type Cli, textWorld, type TextWorld } from './text-support.ts';

async function skill({ env, repository, cli }: TextWorld, ...args: string[]) {
  return runBaton(['skill', ...args, '--target', cli], { env, cwd: repository.dir });
}

/** Whether `baton skill status` says that the model is told of the project's skill, or of the person's. */
async function claimed(world: TextWorld): Promise<boolean[]> {
  const { stdout } = await skill(world, 'status', '--json');
  const [{ places }] = JSON.parse(stdout).targets;
  return places.map(({ seen }: { seen: boolean | null }) => seen === true);
}

/** Whether the real CLI does tell it. */
async function told(world: TextWorld): Promise<boolean> {
  const args = world.cli === 'claude' ? ['-p'] : ['exec', '--json', '--sandbox', 'read-only', '-'];
  const { env, repository, cli } = world;
  const input = Buffer.from('Say hello.');
  const run = await runCommand({ file: cli, args, cwd: repository.dir, env, timeoutMs: 60_000, input });
  const [request] = asked(world);
  if (request === undefined) throw new Error(`${cli} asked nothing: ${run.end} ${run.code}\n${run.stderr}`);
  return request.includes('- delegate: Hands a coding task');
}

describe.each(['claude', 'codex'] as const)('the skill, installed for the real %s', (cli: Cli) => {
  test.each([
    ['--project', [true, false]],
    ['--user', [false, true]],
  ])('%s is told of to its model, and `baton skill status` says so', async (scope, seen) => {
    const world = await textWorld(cli, [{ say: 'Hello.' }]);
    expect(await claimed(world)).toEqual([false, false]);
    expect((await skill(world, 'install', scope, '--yes')).code).toBe(0);
    expect(await claimed(world)).toEqual(seen);
    expect(await told(world)).toBe(true);
  });
});

describe('settings by which the real claude hides it', () => {
  test.each([
    ['project', '.claude/settings.json', { skillOverrides: { delegate: 'off' } }, false],
    [
      'project',
      '.claude/settings.local.json',
      { skillOverrides: { delegate: 'user-invocable-only' } },
      false,
    ],
    ['home', '.claude/settings.json', { skillOverrides: { delegate: 'off' } }, false],
    ['project', '.claude/settings.json', { permissions: { deny: ['Skill'] } }, false],
    ['project', '.claude/settings.json', { permissions: { deny: ['Skill(other)'] } }, true],
    ['project', '.claude/settings.json', { skillOverrides: { other: 'off' } }, true],
  ])('of the %s, %s: %j', async (whose, path, settings, seen) => {
    const world = await textWorld('claude', [{ say: 'Hello.' }]);
    const file = join(whose === 'home' ? world.home : world.repository.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings));
    await skill(world, 'install', '--yes');
    expect([await claimed(world), await told(world)]).toEqual([[seen, false], seen]);
  });
});
