import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Ended, PROGRAMS, runBaton } from '../support/baton.ts';
import { type Surroundings, surroundings } from '../support/environment.ts';
import { makeRepository } from '../support/repository.ts';
import { KEYS, type Terminal } from '../support/terminal.ts';

export interface World {
  where: Surroundings;
  dir: string;
  /** What is offered after these words; the last is the one at the cursor. */
  offered: (...words: string[]) => Promise<string[]>;
  suggest: (shell: string, ...words: string[]) => Promise<Ended>;
}

/** A repository, and `baton` on PATH. */
export function world(): World {
  const where = surroundings();
  symlinkSync(PROGRAMS.baton, join(where.bin, 'baton'));
  const { dir } = makeRepository();
  const suggest = (shell: string, ...words: string[]): Promise<Ended> =>
    runBaton(['completion', 'suggest', shell, '--', ...words], { env: where.env, cwd: dir });
  return {
    where,
    dir,
    suggest,
    offered: async (...words) => {
      const { code, stdout, stderr } = await suggest('zsh', ...words);
      expect([code, stderr]).toEqual([0, '']);
      return namesIn(stdout);
    },
  };
}

/** The values of an answer, without their descriptions. */
function namesIn(answer: string): string[] {
  return answer
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

/** Types into a shell, presses Tab, and says what the line has become once it shows this. */
export async function pressTab(shell: Terminal, line: string, until: string): Promise<void> {
  shell.type(`${line}${KEYS.tab}`);
  await shell.showing(until);
  shell.type(KEYS.ctrlU);
}

export const LANES = { mechanical: { implementer: 'claude' }, 'hard-one': { implementer: 'codex' } };
