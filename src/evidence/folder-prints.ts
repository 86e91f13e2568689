import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import { pathIn, type RawPath, showPath } from '../git/raw-path.ts';
import { type Print, printOf, sameStamp, statPrint } from './print.ts';

/** How much is looked at, shared by all folders of one look. */
export interface Budget {
  entries: number;
  bytes: number;
}

/** Everything below some folders, by path relative to the top. */
export interface FolderPrints {
  files: Map<RawPath, Print>;
  /** Folders that have a `.git`; what is in that is not listed. */
  repositories: RawPath[];
  gaps: string[];
}

/** After this many entries the event loop gets a turn: signals and other work must not wait for a huge folder. */
const ENTRIES_A_TURN = 1000;

/**
 * Walks `folder` (relative to `top`) with plain reads, links not followed. Contents are read while the budget lasts,
 * and only where the stamp differs from the one in `earlier`; beyond it a print has no digest.
 */
export async function printFolder(
  top: string,
  folder: RawPath,
  {
    budget,
    earlier,
    signal,
  }: { budget: Budget; earlier?: ReadonlyMap<RawPath, Print>; signal?: AbortSignal | undefined },
): Promise<FolderPrints> {
  const found: FolderPrints = { files: new Map(), repositories: [], gaps: [] };
  for await (const { path, entry } of walk(top, folder, budget, found.gaps, signal)) {
    if (entry.name === '.git') {
      found.repositories.push(path.slice(0, Math.max(0, path.length - 5)));
      continue;
    }
    if (entry.isDirectory()) continue;
    try {
      const print = await printWithin(pathIn(top, path), earlier?.get(path), budget, signal);
      if (print) found.files.set(path, print);
    } catch (error) {
      if (signal?.aborted) throw error;
      found.gaps.push(`${showPath(path)} cannot be read: ${systemCode(error) ?? messageOf(error)}`);
    }
  }
  return found;
}

/** The folders below `folder` that have a `.git`, with plain reads of folders alone. */
export async function findRepositories(
  top: string,
  folder: RawPath,
  budget: Budget,
  signal?: AbortSignal,
): Promise<Omit<FolderPrints, 'files'>> {
  const found: Omit<FolderPrints, 'files'> = { repositories: [], gaps: [] };
  for await (const { path, entry } of walk(top, folder, budget, found.gaps, signal)) {
    if (entry.name === '.git') found.repositories.push(path.slice(0, Math.max(0, path.length - 5)));
  }
  return found;
}

async function* walk(
  top: string,
  folder: RawPath,
  budget: Budget,
  gaps: string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<{ path: RawPath; entry: Dirent }> {
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(pathIn(top, current), { withFileTypes: true, encoding: 'latin1' });
    } catch (error) {
      if (systemCode(error) !== 'ENOENT')
        gaps.push(`${showPath(current)} cannot be listed: ${systemCode(error)}`);
      continue;
    }
    for (const entry of entries) {
      budget.entries -= 1;
      if (budget.entries < 0) {
        gaps.push(`${showPath(folder)} holds too many files to look at all of them`);
        return;
      }
      if (budget.entries % ENTRIES_A_TURN === 0) {
        await setImmediate();
        if (signal?.aborted) throw new BatonError('aborted', 'looking at nested repositories was stopped');
      }
      const path = current === '' ? entry.name : `${current}/${entry.name}`;
      yield { path, entry };
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
    }
  }
}

async function printWithin(
  file: string | Buffer,
  earlier: Print | undefined,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<Print | null> {
  const print = statPrint(file);
  if (!print) return null;
  if (earlier && sameStamp(earlier, print)) return earlier;
  budget.bytes -= Number(print.size);
  return budget.bytes < 0 ? print : printOf(file, undefined, signal);
}
