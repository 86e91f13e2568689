import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateGit } from '../git/private-git.ts';
import { pathList, rawPath, type RawPath, showPath } from '../git/raw-path.ts';
import { firstLine } from '../git/trusted.ts';
import { artifactPath } from '../rundir/layout.ts';

const MAX_NAMED = 5;

/** Tells whether a path is one of `names`, or below one of them that is a folder (`folder/`). */
export function coveredBy(listed: readonly RawPath[]): (path: RawPath) => boolean {
  const names = new Set(listed);
  return (path) => {
    if (names.has(path)) return true;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (names.has(path.slice(0, slash + 1))) return true;
    }
    return false;
  };
}

/** Sentences about files that were read as they lie on disk because their filter could not, or must not, run. */
export async function unfilteredGaps(
  { git, withoutFilters }: PrivateGit,
  paths: readonly RawPath[],
): Promise<string[]> {
  if (withoutFilters.size === 0 || paths.length === 0) return [];
  const { code, stdout, stderr } = await git(['check-attr', '-z', '--stdin', 'filter'], {
    input: pathList(paths),
  });
  if (code !== 0) return [`git check-attr failed: ${firstLine(stderr)}`];
  // Path, attribute and value, each ended by NUL.
  const fields = rawPath(stdout).split('\0');
  const affected = new Map<string, RawPath[]>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path, filter] = [fields[at], fields[at + 2]];
    if (path === undefined || filter === undefined || !withoutFilters.has(filter)) continue;
    affected.set(filter, [...(affected.get(filter) ?? []), path]);
  }
  return [...affected].map(
    ([filter, found]) =>
      `the filter ${showPath(filter)} was not run (${withoutFilters.get(filter)}): ${namesOf(found)} compared as on disk`,
  );
}

/** A few of the names, and how many more there are. */
export function namesOf(paths: readonly RawPath[]): string {
  const named = paths.slice(0, MAX_NAMED).map(showPath).join(', ');
  return paths.length > MAX_NAMED ? `${named} and ${paths.length - MAX_NAMED} more` : named;
}

/** Keeps the untracked paths that the second snapshot left out, so that a later look can leave out the same ones. */
export function keepLeftOut(runDir: string, paths: readonly RawPath[]): void {
  const file = leftOutFile(runDir);
  rmSync(file, { force: true });
  if (paths.length > 0) writeFileSync(file, pathList(paths), { flag: 'wx', mode: 0o600 });
}

export function readLeftOut(runDir: string): Set<RawPath> {
  const file = leftOutFile(runDir);
  return new Set(existsSync(file) ? rawPath(readFileSync(file)).split('\0').filter(Boolean) : []);
}

function leftOutFile(runDir: string): string {
  return join(artifactPath(runDir, 'snapshot'), 'left-out');
}
