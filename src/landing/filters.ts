import type { GitCall } from '../git/private-git.ts';
import { pathList, rawPath, type RawPath } from '../git/raw-path.ts';
import { succeed } from './trees.ts';

const NONE: ReadonlySet<string> = new Set(['unspecified', 'unset', 'set', '']);

/** The content filter of each path that has one, as the attributes in the working tree say. */
export async function filtersOf(git: GitCall, paths: Iterable<RawPath>): Promise<Map<RawPath, string>> {
  const input = pathList(paths);
  const filters = new Map<RawPath, string>();
  if (input.length === 0) return filters;
  const { stdout } = await succeed(git(['check-attr', '-z', '--stdin', 'filter'], { input }), 'check-attr');
  // Path, attribute and value, each ended by NUL.
  const fields = rawPath(stdout).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , filter = ''] = fields.slice(at, at + 3);
    if (!NONE.has(filter)) filters.set(path, filter);
  }
  return filters;
}
