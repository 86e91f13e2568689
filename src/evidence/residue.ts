import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Fingerprint } from './plain-file.ts';

/**
 * Empty files that claude's sandbox puts into its working directory while a command runs, so that the command cannot
 * make these itself. Listed from outside with claude 2.1.332 on Linux, while a command slept: the same 23 at the top of
 * a repository, below it, in a linked worktree and outside git, each only where nothing of its name was before, all
 * regular, empty and 0444. They go when the command ends, and stay when claude is killed.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  '.bash_profile',
  '.bashrc',
  '.claude/agents',
  '.claude/commands',
  '.claude/hooks',
  '.claude/launch.json',
  '.claude/loop.md',
  '.claude/output-styles',
  '.claude/routines',
  '.claude/scheduled_tasks.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/skills',
  '.claude/workflows',
  '.gitconfig',
  '.gitmodules',
  '.idea',
  '.mcp.json',
  '.profile',
  '.ripgreprc',
  '.vscode',
  '.zprofile',
  '.zshrc',
]);

/**
 * Empty folders that it leaves also after a good end, deepest first: in the working directory, and at the top of the
 * repository (of the main working tree, for a linked one) where it worked below.
 */
const FOLDERS = ['.claude/.cc-writes', '.claude'];

/** Which of these names were free before the run; only those can be residue. Paths relative to `top`, `/` between segments. */
export interface ResidueState {
  top: string;
  absentFiles: ReadonlySet<string>;
  absentFolders: readonly string[];
}

/** Looks, before the run, which placeholder names are free in `cwd` and at the top of the tree. */
export function readResidue(top: string, cwd: string): ResidueState {
  const bases = [...new Set([cwd, top])];
  const free = (names: Iterable<string>): string[] =>
    bases
      .flatMap((base) => [...names].map((name) => join(base, name)).filter((path) => !exists(path)))
      .map((path) => slashed(relative(top, path)));
  return { top, absentFiles: new Set(free(PLACEHOLDERS)), absentFolders: free(FOLDERS) };
}

/** Whether what is at `path` now is a placeholder that the run's sandbox made: never a change, never a violation. */
export function isResidue(state: ResidueState, path: string): boolean {
  if (!state.absentFiles.has(path)) return false;
  try {
    const file = join(state.top, path);
    const stat = lstatSync(file);
    // Behind a parent that became a link lies somebody else's file.
    return (
      stat.isFile() &&
      stat.size === 0 &&
      (stat.mode & 0o7777) === 0o444 &&
      lstatSync(dirname(file)).isDirectory()
    );
  } catch {
    return false;
  }
}

/**
 * Deletes the placeholders and the empty folders made for them; returns what it deleted. For after a KILL, and only when
 * no other session works in the directory: its sandbox needs them.
 */
export function removeResidue(state: ResidueState): string[] {
  const files = [...state.absentFiles].filter(
    (path) => isResidue(state, path) && succeeds(() => unlinkSync(join(state.top, path))),
  );
  const folders = state.absentFolders.filter(
    (path) => isEmptyFolder(join(state.top, path)) && succeeds(() => rmdirSync(join(state.top, path))),
  );
  return [...files, ...folders];
}

/** The same for a file that was read already. `name` is relative to the folder where the agent works. */
export function isPlaceholder(name: string, file: Fingerprint): boolean {
  return (
    file.kind === 'file' &&
    file.size === 0 &&
    file.mode === 0o444 &&
    file.link === null &&
    PLACEHOLDERS.has(slashed(name))
  );
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** A real folder, not a link to one, behind a real parent: nothing outside the tree is deleted through a link. */
function isEmptyFolder(path: string): boolean {
  try {
    return (
      lstatSync(path).isDirectory() &&
      lstatSync(dirname(path)).isDirectory() &&
      readdirSync(path).length === 0
    );
  } catch {
    return false;
  }
}

function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    // Somebody else was faster, or the folder is read-only: it stays, harmlessly.
    return false;
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
