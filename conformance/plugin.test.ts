import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../src/core/command.ts';
import { PROJECT } from '../test/support/project.ts';
import { temporaryFolder } from '../test/support/temporary.ts';
import { asked, textWorld, type TextWorld } from './text-support.ts';

/** What of the package, or of the repository, a plugin is made of. */
function pluginFolder(): string {
  const folder = temporaryFolder();
  for (const part of ['.claude-plugin', 'skills', 'README.md'])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  return folder;
}

async function claude({ env, repository }: TextWorld, ...args: string[]): Promise<string> {
  const input = Buffer.from('Say hello.');
  const run = await runCommand({ file: 'claude', args, cwd: repository.dir, env, timeoutMs: 60_000, input });
  const printed = run.stdout.toString('utf8') + run.stderr;
  if (run.code !== 0) throw new Error(`claude ${args.join(' ')}: ${run.end} ${run.code}\n${printed}`);
  return printed;
}

describe('the Claude Code plugin', () => {
  test('is valid by the CLI’s own rules, and by those of its directory', async () => {
    const world = await textWorld('claude', [{ say: 'Hello.' }]);
    const printed = await claude(world, 'plugin', 'validate', pluginFolder(), '--profile', 'directory');
    expect(printed).toContain('skills: baton:delegate');
    expect(printed).toContain('Validation passed');
  });

  test('is installed from its own marketplace, and its skill is before the model then', async () => {
    const world = await textWorld('claude', [{ say: 'Hello.' }]);
    await claude(world, 'plugin', 'marketplace', 'add', pluginFolder());
    await claude(world, 'plugin', 'install', 'baton@baton-relay');
    await claude(world, '-p', '--output-format', 'json');
    expect(asked(world)[0]).toContain('baton:delegate: Hands a coding task to a separate coding agent');
  });
});
