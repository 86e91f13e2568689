import { realpathSync } from 'node:fs';
import { UsageError } from '../core/errors.ts';
import { insideOf } from '../skills/activation/project.ts';
import { type MatchedSkills, matchReadRules } from '../skills/match.ts';
import { parseSkillRules } from '../skills/read-rules.ts';
import { findTarget } from '../targets/target.ts';
import { readProjectFile } from '../trust/project-file.ts';
import { type RunChoice, treeAt } from './run-at.ts';

export interface MatchChoice extends Pick<RunChoice, 'cd' | 'env'> {
  prompt: string;
  /** Paths, from `cd`; they need not exist. */
  files: readonly string[];
}

/**
 * The skills that the activation hook would tell a model of for this prompt and these edited files, by the rules of the
 * repository. Throws a UsageError where there are no rules, or a file lies outside.
 */
export async function matchRepositorySkills({ cd, env, prompt, files }: MatchChoice): Promise<MatchedSkills> {
  const { treeTop } = await treeAt({ cd, env });
  const place = findTarget('claude').rules;
  const bytes = place === null ? null : readProjectFile(treeTop, place);
  if (bytes === null) {
    throw new UsageError(`there are no rules: ${treeTop} has no ${place}`, {
      hint: '`baton skills rules --out` makes them from the skills',
    });
  }
  // The top is a real path: a directory that was named by a link has to be one as well.
  const inside = insideOf({ root: treeTop, target: 'claude' }, realpathSync(cd));
  const paths = files.map((file) => {
    const path = inside(file);
    if (path !== null) return path;
    throw new UsageError(`--file ${JSON.stringify(file)} is not in ${treeTop}`);
  });
  const { rules, problems } = parseSkillRules(bytes.toString('utf8'));
  const found = matchReadRules(rules, prompt, paths);
  return { matches: found.matches, problems: [...problems, ...found.problems] };
}
