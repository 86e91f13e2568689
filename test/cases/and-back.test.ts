import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { block, generatingWorld, skillText } from '../generate/generating.ts';
import { runBaton } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';

beforeAll(ensureBuilt);

const SKILL = '.claude/skills/billing/SKILL.md';
/** As a person writes them: no line end, tabs, a hook of their own. */
const SETTINGS =
  '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]},\t"model" : "opus"}';

test('what came last may go last: no empty folder stays behind', async () => {
  const world = generatingWorld({}, { 'README.md': '# Shop\n' });
  const { repository, env } = world;
  for (const [command, does] of [
    ['skill', 'install'],
    ['hooks', 'install'],
    ['skill', 'uninstall'],
    ['hooks', 'uninstall'],
  ] as const)
    expect(await runBaton([command, does, '--yes'], { env, cwd: repository.dir })).toMatchObject({ code: 0 });
  expect(readdirSync(repository.dir).toSorted()).toEqual(['.git', 'README.md']);
});

test('all that baton writes into a repository can be taken out again, byte for byte', async () => {
  const world = generatingWorld(
    {
      'Write the skill `base`': {
        say: block('.claude/skills/base/SKILL.md', skillText('base', { files: 'package.json' })),
      },
      'Write the skill `billing`': { say: block(SKILL, skillText('billing')) },
    },
    {
      'package.json': '{"name":"shop","scripts":{"test":"exit 0"}}',
      'AGENTS.md': '# Mine\r\n\r\nNo final newline',
      'src/billing/pay.ts': 'export const pay = 1;\n',
      '.claude/settings.json': SETTINGS,
    },
  );
  const { repository, env } = world;
  const good = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runBaton(args, { env, cwd: repository.dir });
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  const folders = (): string[] =>
    readdirSync(repository.dir, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('.git/'))
      .sort();
  const before = { git: repository.fingerprint(), folders: folders() };

  await good('skill', 'install', '--yes');
  await good('hooks', 'install', '--yes');
  await good('skills', 'generate', '--yes', '--domain', 'base', '--domain', 'billing');
  expect(await good('skills', 'validate')).toContain(': 0 errors, 0 warnings\n');
  await good('skills', 'rules', '--check');
  const matched = await good('skills', 'match', '--prompt', 'mend it', '--file', 'src/billing/pay.ts');
  expect(matched).toContain('billing');
  expect(matched).not.toContain('delegate');
  expect(repository.read('.claude/settings.json')).toContain('baton-hook:skill-activation');
  expect(repository.read('.claude/settings.json')).toContain('"say done"');

  await good('hooks', 'uninstall', '--yes');
  expect(repository.read('.claude/settings.json')).toBe(SETTINGS);
  // The last publication is that of the generation: the other is taken out by its own command.
  await good('skills', 'undo');
  await good('skill', 'uninstall', '--yes');
  expect({ git: repository.fingerprint(), folders: folders() }).toEqual(before);
  expect(repository.status()).toEqual([]);
});
