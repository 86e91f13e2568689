import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { BatonError } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import { changeFiles, type FileChange } from './change-files.ts';
import { type Journal, type JournalFile, journalPath, readJournal } from './journal.ts';
import { look } from './look.ts';
import { readCopy, stateOf } from './placing.ts';
import { manifests, publicationFolder, removeCopies } from './publication-folder.ts';
import { withPublicationLock } from './publication-lock.ts';
import type { PublishRecovery, UndoneFile, UndoOutcome } from './publish-contract.ts';
import { recoverPublication } from './recover.ts';
import { RootFolder } from './root-folder.ts';
import type { OnStep, Site } from './site.ts';
import type { NewFile } from './staging.ts';

export interface UndoRequest {
  root: string;
  /** Also takes back files that were edited since: the edits are lost. */
  force: boolean;
  env: Env;
  onStep?: OnStep;
}

/**
 * Takes the last publication below a root back, as its manifest says: old bytes and modes again, and what was not
 * there before is removed, with the folders that are empty then. Rejects with a BatonError and nothing changed where
 * there is none (`nothing-to-undo`), or where files were edited since (`edited-since`), unless `force` is given.
 */
export async function undoPublication(request: UndoRequest): Promise<UndoOutcome> {
  const home = stateHome(request.env);
  const root = RootFolder.open(request.root);
  try {
    const site: Site = {
      root,
      folder: publicationFolder(home, root.path),
      onStep: request.onStep ?? (() => {}),
    };
    return await withPublicationLock({ stateHome: home, root: root.path }, () =>
      undoLast(site, request.force),
    );
  } finally {
    root.close();
  }
}

function undoLast(site: Site, force: boolean): UndoOutcome {
  const interrupted = readJournal(journalPath(site.folder));
  const recovered = recoverPublication(site);
  if (interrupted && recovered && isUndoneBy(recovered)) {
    return { publication: interrupted.undoes ?? interrupted.id, recovered, files: undoneBy(interrupted) };
  }
  const [last] = manifests(site.folder);
  if (!last) throw new BatonError('nothing-to-undo', `no publication is known of ${site.root.path}`);
  const changes = planUndo(site, last, force);
  const about = { kind: 'undo', undoes: last.id, emptied: last.folders } as const;
  if (changes.length > 0) changeFiles(site, about, changes);
  else removeCopies(site.folder, last.id);
  const changed = new Set(changes.map(({ path }) => path));
  return { publication: last.id, recovered, files: last.files.map(undone((path) => changed.has(path))) };
}

/** Who undoes again what a kill interrupted has it completed by that, and must not lose the publication before as well. */
function isUndoneBy({ kind, outcome }: PublishRecovery): boolean {
  return kind === 'undo' ? outcome === 'completed' : outcome === 'taken-back';
}

function undoneBy({ kind, files }: Journal): UndoneFile[] {
  return files.map(({ path, before, after }) => {
    const isThere = kind === 'undo' ? after !== null : before !== null;
    return { path, status: isThere ? 'restored' : 'removed' };
  });
}

function undone(isChanged: (path: string) => boolean): (file: JournalFile) => UndoneFile {
  return ({ path, before }) => ({
    path,
    status: !isChanged(path) ? 'unchanged' : before ? 'restored' : 'removed',
  });
}

/** Throws a BatonError for what is not, or is not surely, as it was published. */
function planUndo(site: Site, last: Journal, force: boolean): FileChange[] {
  const seen = last.files.map((file) => ({ file, now: look(site.root, file.path) }));
  const edited = seen.filter(({ file, now }) => stateOf(now, file) === 'neither');
  const refused = edited.filter(({ now }) => !force || now.kind === 'blocked');
  if (refused.length > 0) {
    const paths = refused.map(({ file }) => file.path).join(', ');
    throw new BatonError('edited-since', `nothing was undone: changed since it was published: ${paths}`, {
      hint: force
        ? 'move what has that name out of the way'
        : '--force takes it back all the same, and the edits are lost',
    });
  }
  return seen.flatMap(({ file, now }): FileChange[] => {
    if (stateOf(now, file) === 'before') return [];
    const before = now.kind === 'file' ? now : null;
    return [{ path: file.path, before, after: oldFile(site, last, file) }];
  });
}

function oldFile({ folder }: Site, { id }: Journal, { path, before }: JournalFile): NewFile | null {
  if (before === null) return null;
  const bytes = readCopy(join(folder, id, before.copy), before.hash);
  if (bytes) return { bytes, mode: before.mode, owner: before.owner };
  throw new BatonError(
    'not-undone',
    `nothing was undone: the old bytes of ${path} are gone from ${join(folder, id)}`,
    {
      hint: 'git may have them',
    },
  );
}
