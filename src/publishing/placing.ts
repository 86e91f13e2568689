import { linkSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { renameOver } from '../core/atomic-write.ts';
import { systemCode } from '../core/errors.ts';
import { contentHash } from '../trust/approval.ts';
import type { JournalFile } from './journal.ts';
import { look, lookIn, type Seen, splitPath } from './look.ts';
import type { OpenFolder, RootFolder } from './root-folder.ts';
import type { OnStep } from './site.ts';
import { writeNew } from './staging.ts';

/** Which of the two states of a change lies there: `neither` where somebody else wrote there. */
export function stateOf(seen: Seen, { before, after }: JournalFile): 'before' | 'after' | 'neither' {
  if (isSame(seen, after)) return 'after';
  return isSame(seen, before) ? 'before' : 'neither';
}

/**
 * Puts the staged file into its place in one instant, or removes what is to be removed; where that was done already,
 * only tidies up. False, and nothing changed, where neither of the two states lies there, or the staged file is gone.
 */
export function place(root: RootFolder, file: JournalFile, onStep: OnStep): boolean {
  const [folder, name] = splitPath(file.path);
  const entered = root.within(folder, (open) => {
    const state = stateOf(lookIn(open, name), file);
    if (state === 'after') return true;
    if (state === 'neither') return false;
    if (file.after === null) unlinkSync(open.at(name));
    else if (!isSame(lookIn(open, file.staged), file.after)) return false;
    else if (file.before !== null) renameOver(open.at(file.staged), open.at(name));
    else if (!putNew(open, file.staged, name, onStep)) return false;
    onStep('placed');
    return true;
  });
  return 'done' in entered && entered.done;
}

/** Whether the staged file is there, whole. */
export function isStaged(root: RootFolder, { path, staged, after }: JournalFile): boolean {
  const [folder] = splitPath(path);
  return after === null || isSame(look(root, folder === '' ? staged : `${folder}/${staged}`), after);
}

/**
 * Gives a changed file its old bytes and mode back, or removes it where there was none. False where something else
 * lies there by now, or the copy of the old bytes is gone.
 */
export function putBack(root: RootFolder, file: JournalFile, copies: string, onStep: OnStep): boolean {
  const [folder, name] = splitPath(file.path);
  const { before, staged } = file;
  const bytes = before === null ? null : readCopy(join(copies, before.copy), before.hash);
  if (before !== null && bytes === null) return false;
  const entered = root.within(folder, (open) => {
    if (stateOf(lookIn(open, name), file) !== 'after') return false;
    if (before === null || bytes === null) unlinkSync(open.at(name));
    else {
      removeIfThere(open.at(staged));
      writeNew(open.at(staged), { bytes, mode: before.mode, owner: before.owner });
      renameOver(open.at(staged), open.at(name));
    }
    open.sync();
    onStep('put-back');
    return true;
  });
  return 'done' in entered && entered.done;
}

/** The bytes of a copy; null where it is gone, or is not what was copied. */
export function readCopy(path: string, hash: string): Buffer | null {
  try {
    const bytes = readFileSync(path);
    return contentHash(bytes) === hash ? bytes : null;
  } catch {
    return null;
  }
}

function isSame(seen: Seen, wanted: { hash: string } | null): boolean {
  if (wanted === null) return seen.kind === 'absent';
  return seen.kind === 'file' && seen.hash === wanted.hash;
}

/** A link fails where the name is taken, which a rename would not: a file that a person saved just now stays. */
function putNew(open: OpenFolder, staged: string, name: string, onStep: OnStep): boolean {
  try {
    linkSync(open.at(staged), open.at(name));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // Not every file system has hard links.
    renameOver(open.at(staged), open.at(name));
    return true;
  }
  onStep('linked');
  unlinkSync(open.at(staged));
  return true;
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
