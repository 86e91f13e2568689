import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';

/** A skill's file in a folder of skills. */
export interface SkillFile {
  /** The name of its folder. */
  name: string;
  /** Its path, as it was reached. */
  path: string;
  /** How many folders it lies below the folder of skills; an agent product may look at the first level only. */
  depth: number;
  /** The skill in whose folder it lies; null for none. */
  within: string | null;
}

export interface FoundSkills {
  /** By path; each real file once. */
  files: SkillFile[];
  /** Names that several folders have, and files that are reached in several ways. */
  duplicates: { name: string; paths: string[] }[];
  /** What could not be looked at: a link to nowhere, a folder that cannot be read. */
  problems: SkillProblem[];
}

export interface SkillProblem {
  path: string;
  reason: string;
}

interface Reached extends SkillFile {
  real: string;
}

interface Folder {
  path: string;
  depth: number;
  within: string | null;
}

/** Deeper than any product looks. */
const MAX_DEPTH = 8;

/**
 * Finds the files of exactly this name (default `SKILL.md`; `skill.md` is another one, also on a disk that does not tell
 * them apart) in the folders below `dir`, hidden ones only if asked for. Links are followed, and no folder is entered
 * twice.
 */
export function findSkillFiles(
  dir: string,
  { skillFilename = 'SKILL.md', hidden = false }: { skillFilename?: string; hidden?: boolean } = {},
): FoundSkills {
  const look = new Look(hidden);
  const reached: Reached[] = [];
  const entered = new Set<string>();
  // Level by level: what a link deeper down leads to is met at its own place first.
  for (let level: Folder[] = [{ path: dir, depth: 0, within: null }]; level.length > 0; ) {
    const next: Folder[] = [];
    for (const { path, depth, within } of level) {
      const real = look.realPath(path);
      if (real === null) continue;
      const entries = look.entries(path);
      const file = join(path, skillFilename);
      const realFile =
        depth > 0 && entries.some(({ name }) => name === skillFilename) ? look.realPath(file) : null;
      if (realFile !== null)
        reached.push({ name: basename(path), path: file, depth, within, real: realFile });
      if (entered.has(real) || depth === MAX_DEPTH) continue;
      entered.add(real);
      const owner = within ?? (realFile === null ? null : basename(path));
      const below = entries.map(({ name }) => join(path, name)).filter((one) => one !== file);
      next.push(...look.folders(below).map((one) => ({ path: one, depth: depth + 1, within: owner })));
    }
    level = next;
  }
  const files = firstOfEach(reached, ({ real }) => real);
  return {
    files: files
      .map(({ name, path, depth, within }) => ({ name, path, depth, within }))
      .sort((a, b) => (inOrder(a.path) < inOrder(b.path) ? -1 : 1)),
    duplicates: duplicatesIn(reached),
    // A folder of skills that is not there holds none.
    problems: look.problems
      .filter(({ path, missing }) => path !== dir || !missing)
      .map(({ path, reason }) => ({ path, reason })),
  };
}

/** So that a folder comes before another whose name begins with its own: `a`, `a-b`. */
function inOrder(path: string): string {
  return path.replaceAll(sep, '\0');
}

/** Looks at the disk, and keeps what could not be seen. */
class Look {
  readonly problems: { path: string; reason: string; missing: boolean }[] = [];
  private readonly hidden: boolean;

  constructor(hidden: boolean) {
    this.hidden = hidden;
  }

  realPath(path: string): string | null {
    return this.ask(path, () => realpathSync(path));
  }

  /** Folders before links, each sorted: of two ways to a skill its own is the first. */
  entries(path: string): Dirent[] {
    const entries = this.ask(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
    const order = (entry: Dirent): string => `${Number(entry.isSymbolicLink())}${entry.name}`;
    return entries
      .filter(({ name }) => this.hidden || !name.startsWith('.'))
      .sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  folders(paths: readonly string[]): string[] {
    return paths.filter((path) => this.ask(path, () => statSync(path).isDirectory()));
  }

  private ask<T>(path: string, question: () => T): T | null {
    try {
      return question();
    } catch (error) {
      const missing = systemCode(error) === 'ENOENT';
      this.problems.push({ path, reason: missing ? 'a link to nowhere' : messageOf(error), missing });
      return null;
    }
  }
}

function duplicatesIn(reached: readonly Reached[]): FoundSkills['duplicates'] {
  const groups = new Map<string, { name: string; paths: Set<string> }>();
  for (const key of ['name', 'real'] as const) {
    for (const file of reached) {
      const group = groups.get(`${key} ${file[key]}`) ?? { name: file.name, paths: new Set() };
      groups.set(`${key} ${file[key]}`, group);
      group.paths.add(file.path);
    }
  }
  const several = [...groups.values()].filter(({ paths }) => paths.size > 1);
  // A name and a file that are met in the same places are said once.
  return firstOfEach(
    several.map(({ name, paths }) => ({ name, paths: [...paths] })),
    ({ paths }) => paths.join('\0'),
  );
}

function firstOfEach<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(key(item)) && seen.add(key(item)));
}
