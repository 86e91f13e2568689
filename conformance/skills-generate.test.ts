import { describe, expect, test } from 'vitest';
import { block, skillText } from '../test/generate/generating.ts';
import { runBaton } from '../test/support/baton.ts';
import { asked, type TextWorld, textWorld } from './text-support.ts';

/** One question, so that the order of the script is that of the answers. */
function generate({ env, root, repository, cli }: TextWorld) {
  const args = ['--domain', 'base', '--target', cli, '--implementer', cli, '--yes'];
  return runBaton(['skills', 'generate', ...args, '--cd', repository.dir], { env, cwd: root });
}

const BASE = skillText('base', { files: 'one.txt' });

describe('a skill from the real claude', () => {
  const path = '.claude/skills/base/SKILL.md';

  test('as structured output, after a look into the repository', async () => {
    const files = [{ path, content: BASE }];
    const world = await textWorld('claude', [
      { turn: [{ say: 'Let me look.' }, { read: 'one.txt' }] },
      { tool: { name: 'StructuredOutput', input: { files } } },
    ]);
    const { code, stdout } = await generate(world);
    expect(stdout).toContain('written\n');
    expect(code).toBe(0);
    expect(world.repository.read(path)).toContain('## Critical Rules');
    expect(world.repository.read('.claude/skills/skill-rules.json')).toContain('"one.txt"');
    expect(asked(world)[0]).toContain('Write the skill `base`');
  });

  test('as text, where it does not call its tool', async () => {
    // claude asks for the tool call once more by itself, and baton puts the question again, too.
    const says = { say: `Here it is.\n\n${block(path, BASE)}` };
    const world = await textWorld('claude', [says, says, says, says, says]);
    expect((await generate(world)).code).toBe(0);
    expect(world.repository.read(path)).toContain('## Critical Rules');
  });
});

describe('a skill from the real codex', () => {
  const path = '.agents/skills/base/SKILL.md';

  test('as structured output', async () => {
    const world = await textWorld('codex', [
      { turn: [{ say: 'Let me look.' }, { bash: 'cat one.txt' }] },
      { say: JSON.stringify({ files: [{ path, content: BASE }] }) },
    ]);
    expect((await generate(world)).code).toBe(0);
    expect(world.repository.read(path)).toContain('## Critical Rules');
    expect(world.repository.status()).toEqual(['?? .agents/skills/base/SKILL.md']);
  });

  test('as text, by the file protocol', async () => {
    const says = { say: `Here it is.\n\n${block(path, BASE)}` };
    const world = await textWorld('codex', [says, says, says]);
    expect((await generate(world)).code).toBe(0);
    expect(world.repository.read(path)).toContain('## Critical Rules');
    expect(world.model.stepsLeft()).toBe(1);
  });
});
