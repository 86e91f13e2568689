import { linesOf } from '../briefs/blocks.ts';
import { checkBrief } from '../briefs/check/check-brief.ts';
import type { BriefFinding } from '../briefs/check/finding.ts';
import { placeAt } from './brief-place.ts';
import { rulesAt } from './brief-rules.ts';
import { type RunChoice, treeAt } from './run-at.ts';
import { resolve } from 'node:path';

export interface BriefCheckOptions extends Pick<RunChoice, 'cd' | 'env'> {
  /** The brief, as the implementer would receive it. */
  brief: Uint8Array;
  /** Globs that `dispatch --touch` would declare. */
  touch: readonly string[];
  readOnly: boolean;
}

/** What is wrong with a brief for the repository at `cd`. Asks no model, runs and writes nothing. */
export async function briefCheck({
  brief,
  touch,
  readOnly,
  ...choice
}: BriefCheckOptions): Promise<BriefFinding[]> {
  const { repository, treeTop } = await treeAt(choice);
  const text = Buffer.from(brief).toString('utf8');
  const lines = linesOf(text);
  return checkBrief({
    text,
    bytes: brief.byteLength,
    lines,
    readOnly: readOnly || lines.some(({ block }) => block === 'grounding_rules'),
    touch,
    rules: rulesAt(treeTop, touch),
    place: await placeAt({ cwd: resolve(choice.cd), top: treeTop, repository, env: choice.env }),
  });
}
