import type { Env } from '../core/environment.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { type Journal, journalPath, readJournal } from '../publishing/journal.ts';
import { publicationFolders } from '../publishing/publication-folder.ts';
import { withPublicationLock } from '../publishing/publication-lock.ts';
import type { PublishRecovery } from '../publishing/publish-contract.ts';
import { recoverPublication } from '../publishing/recover.ts';
import { RootFolder } from '../publishing/root-folder.ts';
import { treeAt } from './run-at.ts';

/**
 * Completes or takes back publications that were interrupted in the working tree at `cd`, or in a folder of it. Where
 * somebody is at work there just now, nothing was interrupted.
 */
export async function recoverPublications(choice: { cd: string; env: Env }): Promise<PublishRecovery[]> {
  const { treeTop } = await treeAt(choice);
  const home = stateHome(choice.env);
  const mended: PublishRecovery[] = [];
  for (const folder of publicationFolders(home)) {
    const journal = readJournal(journalPath(folder));
    if (!journal || !`${journal.root}/`.startsWith(`${treeTop}/`)) continue;
    const recovery = await mend(journal, folder, home);
    if (recovery) mended.push(recovery);
  }
  return mended;
}

async function mend({ root: path }: Journal, folder: string, home: string): Promise<PublishRecovery | null> {
  try {
    const root = RootFolder.open(path);
    try {
      return await withPublicationLock({ stateHome: home, root: root.path }, () =>
        recoverPublication({ root, folder, onStep: () => {} }),
      );
    } finally {
      root.close();
    }
  } catch (error) {
    if (error instanceof BatonError && ['publication-under-way', 'usage'].includes(error.code)) return null;
    throw new BatonError(
      'not-recovered',
      `the interrupted publication in ${path} can be neither completed nor taken back: ${messageOf(error)}`,
      {
        hint: `mend that and try again; to give it up as it is, remove ${journalPath(folder)}`,
        cause: error,
      },
    );
  }
}
