import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Env } from '../../core/environment.ts';
import { messageOf } from '../../core/errors.ts';
import { personalSkillFolders } from '../../targets/skill-folders.ts';
import type { TargetId } from '../../targets/target.ts';
import { findSkillFiles, type SkillFile } from '../find.ts';
import { readSkillText } from '../read-skill.ts';
import type { EffectiveSkill, SkillReason } from './contract.ts';

/** Where an agent CLI starts, and whose home it has. */
export interface Place {
  /** The working directory; a real path. */
  cwd: string;
  /** Top of the repository; a real path. */
  top: string;
  env: Env;
}

/** A file that is a skill, or was meant to be one. */
export interface Candidate extends SkillFile {
  source: 'project' | 'personal';
  /** Null where the file is not called `SKILL.md`, or cannot be read: `problem` says why. */
  content: string | null;
  problem: string | null;
  /** A folder on the way to it begins with a dot. */
  hidden: boolean;
  /** The file's real path. */
  real: string;
}

/** How a file is reported that its CLI does not send, once it is known why. */
export function missingFrom(
  target: TargetId,
  { name, path, source }: Candidate,
): (code: SkillReason['code'], detail: string) => EffectiveSkill {
  return (code, detail) => ({
    target,
    name,
    path,
    source,
    status: 'missing',
    description: null,
    reasons: [{ code, detail }],
  });
}

/** Names that people gave the file, and that no CLI looks for. */
const OTHER_NAMES = ['skill.md', 'Skill.md'];

/** All files in the folders where this CLI looks for skills, in the order in which it prefers them. */
export function candidatesFor(target: TargetId, place: Place): Candidate[] {
  const found = foldersOf(target, place).flatMap(({ folder, source }) =>
    ['SKILL.md', ...OTHER_NAMES].flatMap((name) =>
      findSkillFiles(folder, { skillFilename: name, hidden: true }).files.map((file) => ({
        ...file,
        source,
        hidden: relative(folder, file.path)
          .split(sep)
          .some((part) => part.startsWith('.')),
      })),
    ),
  );
  // Below its home, codex keeps skills of its own in a hidden folder.
  const meant = found.filter(({ hidden, source }) => target === 'claude' || !hidden || source === 'project');
  return meant.map((file) => ({ ...file, ...contentOf(file.path) }));
}

function contentOf(path: string): Pick<Candidate, 'content' | 'problem' | 'real'> {
  try {
    return { content: readSkillText(path), problem: null, real: realpathSync(path) };
  } catch (error) {
    return { content: null, problem: messageOf(error), real: path };
  }
}

function foldersOf(
  target: TargetId,
  { cwd, top, env }: Place,
): { folder: string; source: Candidate['source'] }[] {
  const personal = personalSkillFolders(target, env);
  const project = upwards(cwd, top).flatMap((dir) =>
    (target === 'claude' ? ['.claude'] : ['.agents', '.codex']).map((name) => join(dir, name, 'skills')),
  );
  const folders = [
    ...personal.map((folder) => ({ folder, source: 'personal' as const })),
    ...project.map((folder) => ({ folder, source: 'project' as const })),
  ];
  // A home may itself be the repository: its folders are looked at once.
  return folders.filter(({ folder }, index) => folders.findIndex((one) => one.folder === folder) === index);
}

/** A directory and those above it, up to the top of the repository. */
function upwards(cwd: string, top: string): string[] {
  const way = relative(top, cwd);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return [cwd];
  return [cwd, ...upwards(dirname(cwd), top)];
}
