import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../core/environment.ts';
import type { Repository } from './repository.ts';

/**
 * The working tree that `cwd` lies in, where it is of the one kind that most are and plain files leave no doubt about
 * what git would answer: a `.git` folder as `git init` makes it, owned by this user. Null for everything else (linked
 * worktrees, submodules, other owners, extensions, no repository at all): git itself has to say. Never throws.
 *
 * Starting a process costs milliseconds, and every dispatch waits for this one.
 */
export function ordinaryRepository(cwd: string, env: Env): Repository | null {
  // Elsewhere git may spell a path in another way than the system does (case, composed letters).
  if (process.platform !== 'linux') return null;
  // Ceilings, file systems to cross, owners to assume: git has many variables, and few people set any.
  if (Object.keys(env).some((name) => name.startsWith('GIT_'))) return null;
  try {
    const top = topAbove(realpathSync(cwd));
    return top !== null && isOrdinary(top) ? repositoryAt(top) : null;
  } catch {
    // What cannot be looked at is no ordinary case.
    return null;
  }
}

function repositoryAt(top: string): Repository {
  const gitDir = join(top, '.git');
  return { top, gitDir, commonDir: gitDir, objectFormat: 'sha1' };
}

/** The first folder from here upwards that has a `.git`; null where git's search could end for another reason. */
function topAbove(folder: string): string | null {
  const { dev } = lstatSync(folder);
  for (let at = folder; ; at = dirname(at)) {
    // Git does not cross to another file system.
    if (!/^[ -~]+$/.test(at) || lstatSync(at).dev !== dev) return null;
    if (entry(at, '.git')) return at;
    // It could be a git directory itself.
    if (entry(at, 'HEAD') || dirname(at) === at) return null;
  }
}

function isOrdinary(top: string): boolean {
  const gitDir = join(top, '.git');
  const mine = (folder: string): boolean => lstatSync(folder).uid === process.geteuid?.();
  if (!entry(top, '.git')?.isDirectory() || !mine(top) || !mine(gitDir)) return false;
  // The main working tree of its own directory: a linked one has a `commondir`.
  if (entry(gitDir, 'commondir')) return false;
  for (const name of ['objects', 'refs']) {
    if (!entry(gitDir, name)?.isDirectory()) return false;
    accessSync(join(gitDir, name), constants.X_OK);
  }
  if (!entry(gitDir, 'HEAD')?.isFile() || !entry(gitDir, 'config')?.isFile()) return false;
  return (
    /^(?:ref: refs\/\S+|[0-9a-f]{40})\n$/.test(readFileSync(join(gitDir, 'HEAD'), 'latin1')) &&
    isPlain(readFileSync(join(gitDir, 'config'), 'latin1'))
  );
}

/** A line that git reads as it stands: a header, or a setting without quotes, escapes or a comment. */
const LINE = /^(?:\[[\w.-]+(?: "[^"\\]*")?\]|\t[A-Za-z][A-Za-z0-9-]* = [^"\\#;\r]*)?$/;

/**
 * Nothing in this configuration moves the working tree, asks for another format or stops git. The words are looked for
 * anywhere: one that stands in a name costs no more than a call of git.
 */
function isPlain(config: string): boolean {
  const lines = config.split('\n');
  const only = (word: string, line: string): boolean =>
    lines.includes(line) && lines.filter((other) => other.toLowerCase().includes(word)).length === 1;
  return (
    lines.every((line) => LINE.test(line)) &&
    !/extensions|include|worktree/i.test(config) &&
    only('repositoryformatversion', '\trepositoryformatversion = 0') &&
    only('bare', '\tbare = false')
  );
}

function entry(folder: string, name: string): Stats | undefined {
  return lstatSync(join(folder, name), { throwIfNoEntry: false });
}
