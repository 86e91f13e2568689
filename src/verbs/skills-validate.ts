import { join, relative } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { listRepository } from '../generate/scan/listing.ts';
import { findSkillFiles } from '../skills/find.ts';
import { readSkillText } from '../skills/read-skill.ts';
import type { SkillFinding } from '../skills/skill-finding.ts';
import { validateSkillFiles } from '../skills/validate.ts';
import { type Target, targetsOf } from '../targets/target.ts';
import { type RunChoice, treeAt } from './run-at.ts';

export interface Validation {
  /** What was looked at, from the top of the repository, with `/`, sorted. */
  files: string[];
  findings: SkillFinding[];
  /** What could not be looked at. */
  problems: string[];
}

/**
 * Looks at the skills of these targets (`claude`, `codex` or `all`), at what lies beside them, and at the instruction
 * files of the whole repository. Skills that git ignores count: the agent products read them.
 */
export async function validateSkills({
  cd,
  env,
  target,
}: Pick<RunChoice, 'cd' | 'env'> & { target: string }): Promise<Validation> {
  const targets = targetsOf(target);
  const { treeTop } = await treeAt({ cd, env });
  const problems: string[] = [];
  const skills = targets.flatMap((one) => skillFilesOf(one, treeTop, problems));
  const { paths } = await listRepository(treeTop, env);
  const others = paths.filter((path) => targets.some((one) => belongsTo(one, path)));
  const files = [...new Set([...skills, ...others])].sort().flatMap((path) => {
    try {
      return [{ path, content: readSkillText(join(treeTop, path)) }];
    } catch (error) {
      problems.push(messageOf(error));
      return [];
    }
  });
  return { files: files.map(({ path }) => path), findings: validateSkillFiles(files, treeTop), problems };
}

function skillFilesOf({ skills }: Target, top: string, problems: string[]): string[] {
  const below = (path: string): string => relative(top, path).replaceAll('\\', '/');
  const found = findSkillFiles(join(top, skills));
  const misnamed = findSkillFiles(join(top, skills), { skillFilename: 'skill.md' });
  problems.push(...found.problems.map(({ path, reason }) => `${below(path)}: ${reason}`));
  return [...found.files, ...misnamed.files].map(({ path }) => below(path));
}

/** Instruction files anywhere, and Markdown that lies with a skill. */
function belongsTo({ instructions, skills }: Target, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === instructions || (path.startsWith(`${skills}/`) && /\.md$/i.test(name));
}
