import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RawPath } from '../git/raw-path.ts';
import type { MoveJournal } from './journal.ts';
import type { Listing } from './plan.ts';
import { ownIndexLock, removeUnlocked } from './real-index.ts';
import { type Restored, restoreFiles } from './saved-files.ts';
import { treeOf } from './target.ts';
import { listIndex, listTree } from './trees.ts';
import type { Workshop } from './workshop.ts';

/** How the names of folders begin that hold a user's bytes from before. */
export const KEPT = 'kept-';

/** With the folder in which the bytes from before are kept, where some could not be put back. */
export interface TakenBack extends Restored {
  copies: string | null;
}

/** Takes back what a landing did before it moved HEAD: its lock of the index, and what hooks did to the files. */
export async function takeBack(workshop: Workshop, journal: MoveJournal): Promise<TakenBack> {
  const { folder, repository } = workshop;
  if (journal.indexHash !== null) {
    const lock = ownIndexLock(repository.gitDir, journal.indexHash);
    if (lock) rmSync(lock, { force: true });
    removeUnlocked(repository.gitDir, journal.indexHash);
  }
  const files = join(folder, 'files');
  const listings = journal.files.length > 0 ? await knownListings(workshop, journal) : [];
  const known = (path: RawPath): ReadonlySet<string> =>
    new Set(listings.flatMap((listing) => listing.get(path)?.oid ?? []));
  const restored = await restoreFiles(workshop, journal.files, files, known);
  if (restored.left.length === 0) return { ...restored, copies: null };
  const copies = join(folder, `${KEPT}${journal.runIds.at(-1)}-${Date.now()}`);
  renameSync(files, copies);
  return { ...restored, copies };
}

/** All that hooks can have put on disk and that git has as well: both trees, and the two indexes. */
async function knownListings(workshop: Workshop, { tree, head }: MoveJournal): Promise<Listing[]> {
  const { git, folder, repository } = workshop;
  const indexes = [join(folder, 'commit.index'), join(repository.gitDir, 'index')].filter((file) =>
    existsSync(file),
  );
  return Promise.all([
    treeOf(workshop, head.commit).then((headTree) => listTree(git, headTree)),
    listTree(git, tree),
    // An index that cannot be read, or has conflicts by now, vouches for nothing.
    ...indexes.map((index) => listIndex(git, index).catch((): Listing => new Map())),
  ]);
}
