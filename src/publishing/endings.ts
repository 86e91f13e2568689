import { join } from 'node:path';
import { keepAsManifest, type Journal, removeJournal } from './journal.ts';
import { look } from './look.ts';
import { putBack, stateOf } from './placing.ts';
import { removeCopies, tidyPublications } from './publication-folder.ts';
import type { Site } from './site.ts';
import { removeEmptyFolders, syncFoldersOf, unstage } from './staging.ts';

/** All files are in place: a publication becomes one that can be undone, and an undone one is forgotten. Can be done again. */
export function finish(site: Site, journal: Journal): void {
  const { root, folder, onStep } = site;
  for (const file of journal.files) unstage(root, file);
  syncFoldersOf(root, journal.files);
  onStep('synced');
  removeEmptyFolders(root, [...journal.folders, ...journal.emptied].sort());
  onStep('emptied');
  if (journal.kind === 'publish' && journal.files.length > 0) keepAsManifest(folder, journal.id);
  else {
    if (journal.undoes !== null && journal.files.length > 0) removeCopies(folder, journal.undoes);
    onStep('forgotten');
    removeJournal(folder);
    removeCopies(folder, journal.id);
  }
  onStep('finished');
  tidyPublications(folder);
}

/** What became of the files of something that was taken back. */
export interface TakenBack {
  /** Have their old bytes again. */
  restored: string[];
  /** Hold something else by now, or their old bytes are gone: left as they are. */
  left: string[];
}

/** Takes back what was written so far. Can be done again, after a kill in its middle. */
export function takeBack(site: Site, journal: Journal): TakenBack {
  const { root, folder, onStep } = site;
  const outcome: TakenBack = { restored: [], left: [] };
  for (const file of journal.state === 'placing' ? journal.files.toReversed() : []) {
    const state = stateOf(look(root, file.path), file);
    if (state === 'before') continue;
    const done = state === 'after' && putBack(root, file, join(folder, journal.id), onStep);
    (done ? outcome.restored : outcome.left).push(file.path);
  }
  for (const file of journal.files) unstage(root, file);
  onStep('unstaged');
  removeEmptyFolders(root, journal.folders);
  onStep('emptied');
  removeJournal(folder);
  onStep('taken back');
  removeCopies(folder, journal.id);
  return outcome;
}
