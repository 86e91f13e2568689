import { finish, takeBack } from './endings.ts';
import { type Journal, journalPath, readJournal, writeJournal } from './journal.ts';
import { look } from './look.ts';
import { isStaged, place, stateOf } from './placing.ts';
import type { PublishRecovery } from './publish-contract.ts';
import type { Site } from './site.ts';
import { unstage } from './staging.ts';

/**
 * Mends a publication, or an undo, that was interrupted below this root; null where none was. To be called with the
 * lock. Once files were being placed it is completed, as long as all that it takes is there; else it is taken back.
 * A file that was changed otherwise meanwhile is left as it is.
 */
export function recoverPublication(site: Site): PublishRecovery | null {
  const journal = readJournal(journalPath(site.folder));
  if (!journal) return null;
  const about = { kind: journal.kind, root: journal.root };
  const completed = journal.state === 'placing' ? complete(site, journal) : null;
  if (completed) return { ...about, outcome: 'completed', ...completed };
  const { restored, left } = takeBack(site, journal);
  return { ...about, outcome: 'taken-back', mended: restored, left };
}

/** Null, and nothing done, where a file that is still the old one cannot be given its new bytes. */
function complete(site: Site, journal: Journal): { mended: string[]; left: string[] } | null {
  const { root, folder, onStep } = site;
  const states = journal.files.map((file) => ({ file, state: stateOf(look(root, file.path), file) }));
  const missing = states.filter(({ state }) => state === 'before').map(({ file }) => file);
  if (!missing.every((file) => isStaged(root, file))) return null;
  const mended = missing.filter((file) => place(root, file, onStep));
  const others = journal.files.filter((file) => stateOf(look(root, file.path), file) !== 'after');
  for (const file of others) unstage(root, file);
  journal.files = journal.files.filter((file) => !others.includes(file));
  if (others.length > 0 && journal.files.length > 0) writeJournal(folder, journal);
  finish(site, journal);
  return { mended: mended.map(({ path }) => path), left: others.map(({ path }) => path) };
}
