import { dirname, join, relative, isAbsolute, basename } from 'node:path';
import type { ProfileName, SandboxMode } from '../../rundir/result.ts';
import type { LaunchRequest } from '../implementer.ts';

/** A profile in codex's own word. */
export const SANDBOX_MODE = {
  write: 'workspace-write',
  'read-only': 'read-only',
  bypass: 'danger-full-access',
} as const satisfies { [profile in ProfileName]: SandboxMode };

export interface Roots {
  /** What commands may write beside the working directory. */
  writable: string[];
  /** What should be read-only and cannot be: a sentence each. */
  gaps: string[];
}

/**
 * In `workspace-write` codex keeps `.git`, `.codex` and `.agents` at the top of each writable root read-only, and nothing
 * below: the `.git` of a nested repository was written through. So each nested repository becomes a root of its own.
 * There is no rule for anything else, such as a run directory within the working directory.
 */
export function writableRoots({ cwd, realWorkdir = cwd, tempDir, allowWrite, protect }: RootsRequest): Roots {
  const ownGit = join(realWorkdir, '.git');
  const open = protect.filter((path) => isBelow(realWorkdir, path) && !isBelow(ownGit, path));
  const nested = open.filter((path) => basename(path) === '.git').map((path) => dirname(path));
  const left = open.filter((path) => basename(path) !== '.git');
  return {
    writable: [...(tempDir ? [tempDir] : []), ...allowWrite, ...nested],
    gaps: left.map(
      (path) => `${path} lies in the working directory, where the sandbox of codex cannot keep it read-only`,
    ),
  };
}

type RootsRequest = Pick<LaunchRequest, 'cwd' | 'realWorkdir' | 'tempDir' | 'allowWrite' | 'protect'>;

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith('../') && !way.startsWith('..\\');
}

/** A TOML string is a JSON string, but for one control character. */
export function toml(value: string | readonly string[]): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
