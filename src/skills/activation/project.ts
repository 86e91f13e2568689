import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findTarget, type TargetId } from '../../targets/target.ts';

/** The project that a hook's script was installed in. */
export interface Project {
  root: string;
  target: TargetId;
}

const MAX_RULES_BYTES = 4 * 1024 ** 2;
const MAX_PATH = 1024;

/** The script lies in `<root>/.claude/hooks` or `<root>/.codex/hooks`: no environment variable is needed to find the rest. */
export function projectOf(script: string): Project {
  const settings = dirname(dirname(resolve(script)));
  return { root: dirname(settings), target: basename(settings) === '.codex' ? 'codex' : 'claude' };
}

/** The text of the rules; null where there are none, or what is there is no file or far too large. Codex has no place for rules of its own: it is served by the same ones. */
export function readRulesText({ root }: Project): string | null {
  const rules = findTarget('claude').rules;
  if (rules === null) return null;
  // A pipe in the place of the file must not hold up the prompt.
  const fd = openSync(join(root, rules), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= MAX_RULES_BYTES ? readFileSync(fd, 'utf8') : null;
  } finally {
    closeSync(fd);
  }
}

/** The file of a skill, relative to the project, where its model can read it; null where there is none. */
export function skillFile({ root, target }: Project, name: string): string | null {
  const folders = [findTarget(target).skills, findTarget('claude').skills];
  const paths = folders.flatMap((folder) => [`${folder}/${name}/SKILL.md`, `${folder}/${name}/skill.md`]);
  return paths.find((path) => existsSync(join(root, path))) ?? null;
}

/** A function from a path, as it was said in `cwd`, to the same relative to the project, with `/`; null for one outside. */
export function insideOf({ root }: Project, cwd: string | null): (path: string) => string | null {
  const tops = [...new Set([root, realpathSync(root)])];
  return (path) => {
    if (path.length > MAX_PATH || path.includes('\0')) return null;
    const full = resolve(cwd ?? root, path);
    for (const top of tops) {
      const inside = relative(top, full);
      if (inside !== '' && !isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${sep}`))
        return inside.split(sep).join('/');
    }
    return null;
  };
}
