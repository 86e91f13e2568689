import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type GeneratingWorld, generatingWorld, skillText } from '../generate/generating.ts';
import { put } from '../publishing/publishing.ts';
import { PROGRAMS } from '../support/baton.ts';
import { ensureBuilt } from '../support/build.ts';
import { processesUnder } from '../support/processes.ts';

import { KEYS, onTerminal, type Terminal } from '../support/terminal.ts';

beforeAll(ensureBuilt);

const PATH = '.claude/skills/billing/SKILL.md';
const QUESTION = 'Write these files?';

/** Somebody sits at a terminal, and is asked whether the skill `billing` is to be written. */
async function atTheQuestion(
  args: readonly string[] = [],
): Promise<{ world: GeneratingWorld; terminal: Terminal }> {
  const files = [{ path: PATH, content: skillText('billing') }];
  const world = generatingWorld({ 'Write the skill `billing`': { structured: { files } } });
  const command = ['skills', 'generate', '--target', 'claude', '--domain', 'billing', ...args];
  const terminal = onTerminal([process.execPath, PROGRAMS.baton, ...command], {
    cwd: world.repository.dir,
    env: world.env,
  });
  await terminal.showing(QUESTION);
  return { world, terminal };
}

describe('while it is asked whether to write', () => {
  test('nothing is written yet, and a yes writes what was shown', async () => {
    const { world, terminal } = await atTheQuestion();
    expect(terminal.shown()).toContain('+- Never round a single line');
    expect(world.repository.status()).toEqual([]);
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(world.repository.read(PATH)).toContain('- Never round a single line');
  });

  test.each([[[]], [['--force']]])(
    'what a person writes there is left alone (%j): nobody was shown that it would go',
    async (args) => {
      const { world, terminal } = await atTheQuestion(args);
      put(world.repository.dir, { [PATH]: 'Mine.\n' });
      terminal.type('y');
      expect(await terminal.ended).toBe(1);
      expect(terminal.shown()).toContain('it changed since what would be written was shown');
      expect(world.repository.read(PATH)).toBe('Mine.\n');
    },
  );

  test('Ctrl-C is a no, and the answer is kept', async () => {
    const { world, terminal } = await atTheQuestion();
    terminal.type(KEYS.ctrlC);
    expect(await terminal.ended).toBe(1);
    expect(world.repository.status()).toEqual([]);
    expectKept(world);
  });

  test('a signal ends it, and the answer is kept', async () => {
    const { world, terminal } = await atTheQuestion();
    const asking = processesUnder(world.root).filter(({ command }) => command.startsWith(process.execPath));
    expect(asking).toHaveLength(1);
    for (const { pid } of asking) process.kill(pid, 'SIGTERM');
    expect(await terminal.ended).toBe(143);
    expect(terminal.shown()).toContain('interrupted: nothing was written\n');
    expect(world.repository.status()).toEqual([]);
    expectKept(world);
  });
});

function expectKept({ state }: GeneratingWorld): void {
  const answers = join(state, 'answers');
  const [folder = ''] = readdirSync(answers);
  expect(readFileSync(join(answers, folder, 'skill-billing.txt'), 'utf8')).toContain('Never round');
}
