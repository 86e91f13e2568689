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
  const text = Buffer.from(path, 'latin1').toString('utf8');
  const answer = await git(['hash-object', '--', text]);
  return answer.code === 0 ? oneLine(answer) : null;
}
