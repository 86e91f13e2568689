import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from './journal.ts';
import { KEPT } from './take-back.ts';

/**
 * Removes what a landing left in its folder, copies of the user's files among it; but nothing that is needed to
 * complete it or take it back, and nothing that was kept for the user. Never throws.
 */
export function tidyWorkshop(folder: string): void {
  try {
    if (readJournal(folder)) return;
    const names = readdirSync(folder).filter((name) => !name.startsWith(KEPT));
    for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
    rmdirSync(folder);
  } catch {
    // It was never made, or holds what was kept.
  }
}
