import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { renameOver } from '../../core/atomic-write.ts';
import { lookIn } from '../look.ts';
import type { OpenFolder } from '../root-folder.ts';
import { writeNew } from '../staging.ts';

const LEFTOVER_MS = 60_000;

/** Writes a whole file or nothing. One that is there already keeps its mode and its owner. */
export function replaceFile(folder: OpenFolder, name: string, bytes: Uint8Array): void {
  const there = lookIn(folder, name);
  const kept = there.kind === 'file' ? there : { mode: null, owner: null };
  const staged = folder.at(`.${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeNew(staged, { bytes, mode: kept.mode, owner: kept.owner });
    renameOver(staged, folder.at(name));
  } catch (error) {
    removeQuietly(staged);
    throw error;
  }
  removeLeftovers(folder, name);
  folder.sync();
}

/** What a kill left beside the file. A young one may be another writer's, who is about to rename it. */
function removeLeftovers(folder: OpenFolder, name: string): void {
  const others = readdirSync(folder.at('.')).filter(
    (one) => one.startsWith(`.${name}.`) && /\.[0-9a-f]{12}\.tmp$/.test(one),
  );
  for (const one of others) {
    const stat = lstatSync(folder.at(one), { throwIfNoEntry: false });
    if (stat?.isFile() && Date.now() - stat.mtimeMs > LEFTOVER_MS) removeQuietly(folder.at(one));
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The first error says what happened.
  }
}
