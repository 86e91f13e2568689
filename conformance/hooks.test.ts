import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  codexSettings,
  codexTopSettings,
  hookWorld,
  install,
  prompt,
  stateOf,
  trustHooks,
  trustProject,
  withoutNode,
  writeJson,
} from './hooks-support.ts';
import type { Cli, TextWorld } from './text-support.ts';

/** Installed, and for codex trusted as a person would. */
async function readyWorld(cli: Cli, steps?: readonly object[]): Promise<TextWorld> {
  const world = await hookWorld(cli, steps);
  await install(world);
  if (cli === 'codex') {
    trustProject(world);
    await trustHooks(world);
  }
  return world;
}

function scriptOf(world: TextWorld): string {
  return join(world.repository.dir, `.${world.cli}`, 'hooks', 'baton-activation.cjs');
}

/** What the status says, and whether the model is really told. */
async function seen(world: TextWorld): Promise<object> {
  return { state: await stateOf(world), told: (await prompt(world)).told };
}

/** Hooks work where they are in force, and nowhere else. */
function as(state: string): object {
  return { state, told: [state === 'in-force'] };
}

describe.each(['claude', 'codex'] as const)('the activation hook in the real %s', (cli) => {
  test('tells the model which skill the prompt calls for', async () => {
    const world = await readyWorld(cli);
    expect(await prompt(world)).toMatchObject({ code: 0, told: [true], prompted: true });
  });

  test('says nothing of a prompt that calls for none', async () => {
    const world = await readyWorld(cli);
    const quiet = 'Say hello.';
    expect(await prompt(world, world.env, quiet)).toMatchObject({ code: 0, told: [false], prompted: true });
  });

  test('tells the model of the skill that an edit calls for', async () => {
    const write = { write: { path: 'billing/new.txt', content: 'x\n' } };
    const world = await readyWorld(cli, [write, { say: 'Done.' }]);
    // Of a model that it does not know, codex takes patches through its shell, and starts no hook for them.
    if (cli === 'codex') codexTopSettings(world, 'sandbox_mode = "danger-full-access"\nmodel = "gpt-5.5"');
    writeJson(join(world.home, '.claude', 'settings.json'), { permissions: { defaultMode: 'acceptEdits' } });
    const { code, told } = await prompt(world, world.env, 'Make the file.');
    expect(code).toBe(0);
    expect(readFileSync(join(world.repository.dir, 'billing/new.txt'), 'utf8')).toBe('x\n');
    expect(told).toEqual([false, true]);
  });

  test.each([
    ['there is no node', 'no-node'],
    ['the script is gone', 'gone'],
    ['the script is broken', '('],
    ['the script exits with 2', 'process.stderr.write("no"); process.exit(2)'],
    ['the script never ends', 'setInterval(() => {}, 1000)'],
    ['there are no rules', 'no-rules'],
    ['the rules are broken', 'broken-rules'],
  ])('never blocks a prompt where %s', async (_, fault) => {
    const world = await readyWorld(cli);
    const rules = join(world.repository.dir, '.claude/skills/skill-rules.json');
    if (fault === 'gone') rmSync(scriptOf(world));
    else if (fault === 'no-rules') rmSync(rules);
    else if (fault === 'broken-rules') writeFileSync(rules, '{');
    else if (fault !== 'no-node') writeFileSync(scriptOf(world), fault);
    const env = fault === 'no-node' ? withoutNode(world) : world.env;
    const run = await prompt(world, env);
    expect(run).toMatchObject({ code: 0, told: [false], prompted: true });
    expect(run.printed).toContain('Done.');
  });
});

describe('what `baton hooks status` says of the real claude is what it does', () => {
  const settings = (world: TextWorld, name: string) => join(world.repository.dir, '.claude', name);
  test('absent, in force, disabled by one setting, and in force by a stronger one', async () => {
    const world = await hookWorld('claude', [{ say: '1' }, { say: '2' }, { say: '3' }, { say: '4' }]);
    expect(await seen(world)).toEqual(as('absent'));
    await install(world);
    expect(await seen(world)).toEqual(as('in-force'));
    writeJson(join(world.home, '.claude', 'settings.json'), { disableAllHooks: true });
    expect(await seen(world)).toEqual(as('disabled'));
    writeJson(settings(world, 'settings.local.json'), { disableAllHooks: false });
    expect(await seen(world)).toEqual(as('in-force'));
  });

  test.each([
    ['a comment', (text: string) => `${text}// c\n`, 'file-ignored'],
    ['a comma too many', (text: string) => text.replace(/\}\s*$/, ',}'), 'file-ignored'],
    [
      'another value of a wrong type',
      (text: string) => text.replace('{', '{"permissions": 7,'),
      'file-ignored',
    ],
    [
      'a wrong type in our own entry',
      (text: string) => text.replaceAll('"timeout": 5', '"timeout": "5"'),
      'file-ignored',
    ],
    [
      'a wrong type in the entry of somebody else',
      (text: string) => text.replace('"PostToolUse": [', '"PostToolUse": [5,'),
      'in-force',
    ],
    [
      'an unknown key and event',
      (text: string) => text.replace('"hooks": {', '"x": 1, "hooks": {"Never": [],'),
      'in-force',
    ],
    ['a byte order mark', (text: string) => `\ufeff${text}`, 'in-force'],
  ])('with %s', async (_, edit, state) => {
    const world = await hookWorld('claude');
    await install(world);
    const file = settings(world, 'settings.json');
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
    expect(await seen(world)).toEqual(as(state));
  });
});

describe('what `baton hooks status` says of the real codex is what it does', () => {
  test('absent, not trusted as long as a person did not trust project and hooks, in force', async () => {
    const world = await hookWorld('codex', [
      { say: '1' },
      { say: '2' },
      { say: '3' },
      { say: '4' },
      { say: '5' },
    ]);
    expect(await seen(world)).toEqual(as('absent'));
    await install(world);
    expect(await seen(world)).toEqual(as('not-trusted'));
    trustProject(world);
    expect(await seen(world)).toEqual(as('not-trusted'));
    await trustHooks(world);
    expect(await seen(world)).toEqual(as('in-force'));
    const file = join(world.repository.dir, '.codex', 'hooks.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"timeout": 5', '"timeout": 6'));
    expect(await seen(world)).toEqual(as('not-trusted'));
  });

  test('disabled, by the feature or hook by hook', async () => {
    const world = await readyWorld('codex', [{ say: '1' }]);
    codexSettings(world, '[features]\nhooks = false\n');
    expect(await seen(world)).toEqual(as('disabled'));
    const other = await hookWorld('codex', [{ say: '1' }]);
    await install(other);
    trustProject(other);
    await trustHooks(other, 'enabled = false\n');
    expect(await seen(other)).toEqual(as('disabled'));
  });

  test('a file that it does not take', async () => {
    const world = await readyWorld('codex', [{ say: '1' }, { say: '2' }]);
    const file = join(world.repository.dir, '.codex', 'hooks.json');
    const text = readFileSync(file, 'utf8');
    appendFileSync(file, '// c\n');
    expect(await seen(world)).toEqual(as('file-ignored'));
    writeFileSync(file, text.replace('{', '{"version": 1,'));
    expect(await seen(world)).toEqual(as('file-ignored'));
  });
});
