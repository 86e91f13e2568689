import { readlinkSync, type Stats } from 'node:fs';
import { pathIn, type RawPath } from '../git/raw-path.ts';
import { oneLine } from './trees.ts';
import type { Workshop } from './workshop.ts';

/** The object that git would make of what lies at a path now; null for what git does not hold, or cannot read. */
export async function plainOid(
  { git, repository }: Workshop,
  path: RawPath,
  stat: Stats,
): Promise<string | null> {
  if (stat.isSymbolicLink()) {
    const input = readlinkSync(pathIn(repository.top, path), 'buffer');
    return oneLine(await git(['hash-object', '--stdin'], { input }));
  }
  if (!stat.isFile()) return null;
  // Over stdin: an argument could not hold a name that is no UTF-8. Quoted, so that a newline ends no name.
  const input = Buffer.from(`"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"\n`, 'latin1');
  const answer = await git(['hash-object', '--stdin-paths'], { input });
  return answer.code === 0 ? oneLine(answer) : null;
}
