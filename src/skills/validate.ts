import { posix } from 'node:path';
import { targetsOf } from '../targets/target.ts';
import { isOwnSkill } from './own-skill.ts';
import { missingIn } from './paths-of-root.ts';
import type { FindingInFile, SkillFinding } from './skill-finding.ts';
import { type BodyKind, validateBody } from './validate-body.ts';
import { validateFrontmatter } from './validate-frontmatter.ts';

/** Of the instruction files from the root to where it works, codex reads so many bytes and no more. */
const MAX_INSTRUCTIONS = 32 * 1024;

/**
 * Looks at the files of skills and instructions, on disk or about to be written (paths relative to `root`, with `/`): by
 * the Agent Skills format, by what the agent products read, and by what an agent's answer gets wrong. Other files are
 * passed over. In the order of the files, then of the lines. Reads nothing, but whether the paths that they name exist.
 */
export function validateSkillFiles(
  files: readonly { path: string; content: string }[],
  root: string,
): SkillFinding[] {
  const isMissing = missingIn(
    root,
    files.map(({ path }) => path),
  );
  return files
    .filter(({ path }) => /\.md$/i.test(path))
    .flatMap(({ path, content }) => {
      const folder = posix.dirname(path);
      const skill = skillOf(path);
      const findings = [
        ...(skill === null ? instructionFindings(path, content) : skillFindings(path, content, skill)),
        ...validateBody(content, kindOf(skill, content), (code) => isMissing(code, folder)),
      ];
      return findings
        .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
        .map((finding): SkillFinding => ({ path, ...finding }));
    });
}

/** The name of the folder whose skill this file is; null for any other file. */
function skillOf(path: string): string | null {
  return /^skill\.md$/i.test(posix.basename(path)) ? posix.basename(posix.dirname(path)) : null;
}

function kindOf(skill: string | null, content: string): BodyKind {
  if (skill === null) return 'none';
  // Baton's own is about no part of the repository.
  return skill === 'base' || isOwnSkill(skill, content) ? 'base' : 'domain';
}

function skillFindings(path: string, content: string, skill: string): FindingInFile[] {
  const findings = validateFrontmatter(content, skill);
  if (posix.basename(path) !== 'SKILL.md')
    findings.push({
      severity: 'error',
      rule: 'not-discovered',
      message: 'no agent product finds a skill of this name: `baton skills migrate` makes it SKILL.md',
    });
  const owner = ownerOf(path);
  if (owner !== null)
    findings.push({
      severity: 'error',
      rule: 'phantom',
      message: `it lies in the folder of the skill ${JSON.stringify(owner)}: codex takes it for another skill, claude does not see it`,
    });
  return findings;
}

/** The skill in whose folder a file lies that is deeper than a skill may be; null where it is not. */
function ownerOf(path: string): string | null {
  for (const { skills } of targetsOf('all')) {
    const [owner, ...below] = path.startsWith(`${skills}/`) ? path.slice(skills.length + 1).split('/') : [];
    if (owner !== undefined && below.length > 1) return owner;
  }
  return null;
}

function instructionFindings(path: string, content: string): FindingInFile[] {
  const bytes = Buffer.byteLength(content);
  if (posix.basename(path) !== 'AGENTS.md' || bytes <= MAX_INSTRUCTIONS) return [];
  const message = `the file has ${bytes} bytes: codex reads ${MAX_INSTRUCTIONS}, together with those of the folders above`;
  return [{ severity: 'warning', rule: 'too-long', message }];
}
