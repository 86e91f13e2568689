import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { FileBlock } from '../answers/file-block.ts';

/**
 * Where a path of a repository leads when links are followed, relative to its top with `/`; the path itself where there
 * is no link. Null for a place outside. Of what is not there yet, the folders that are count.
 */
export function realPlace(top: string, path: string): string | null {
  const place = relative(realpathSync(top), follow(join(top, path)));
  return place === '..' || place.startsWith(`..${sep}`) ? null : place.split(sep).join('/');
}

function follow(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(follow(above), basename(path));
  }
}

/**
 * Leaves out files that another one stands for already: `.agents/skills` is often a link to `.claude/skills`, and then
 * writing one of them is writing both.
 */
export function withoutAliases(top: string, files: readonly FileBlock[]): FileBlock[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.filter(({ path }) => {
    const place = realPlace(top, path);
    return place === null || place === path || !paths.has(place);
  });
}
