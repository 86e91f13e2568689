import { realpathSync } from 'node:fs';
import { effectiveForClaude } from '../skills/effective/claude.ts';
import { effectiveForCodex } from '../skills/effective/codex.ts';
import type { EffectiveList } from '../skills/effective/contract.ts';
import { targetsOf } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';

/** What each of these CLIs (`claude`, `codex` or `all`) would tell its model of skills, when started in `cd`. */
export async function effectiveSkills(
  choice: Pick<RunChoice, 'cd' | 'env'> & { target: string },
): Promise<EffectiveList[]> {
  const targets = targetsOf(choice.target);
  const { treeTop } = await treeAt(choice);
  const place = { cwd: realpathSync(choice.cd), top: treeTop, env: choice.env };
  return Promise.all(
    targets.map(async ({ id }) => (id === 'claude' ? effectiveForClaude(place) : effectiveForCodex(place))),
  );
}
