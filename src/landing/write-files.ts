import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import { filtersInTree } from '../git/filter-programs.ts';
import { pathIn, pathList, rawPath, type RawPath, showPath } from '../git/raw-path.ts';
import { ConflictError } from './conflict-error.ts';
import { filtersOf } from './filters.ts';
import type { Conflict, Entry, Listing } from './plan.ts';
import { folderInTheWay, statInTree } from './place.ts';
import { plainOid } from './plain-oid.ts';
import { editIndex, succeed } from './trees.ts';
import type { Workshop } from './workshop.ts';

type Edits = ReadonlyMap<RawPath, Entry | null>;

/**
 * Changes files of the working tree, each from its old content to its new one in one instant. `listing` is what was
 * seen there. Everything is looked at before anything is written: throws a ConflictError where something else is there
 * by now, or something that git does not list is in the way.
 */
export async function writeFiles(
  workshop: Workshop,
  listing: Listing,
  edits: Edits,
  onFile?: () => void,
): Promise<void> {
  await refuseFiltered(workshop, edits);
  const staged = await stageFiles(workshop, edits);
  const conflicts: Conflict[] = [];
  for (const [path, entry] of edits) {
    const kind = await whatIsInTheWay(workshop, path, entry, listing, edits);
    if (kind) conflicts.push({ path, kind });
  }
  if (conflicts.length > 0) throw new ConflictError(conflicts, 'the working tree');
  const { top } = workshop.repository;
  // Deletions first: a folder may take a file's place.
  const inOrder = [...edits].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null));
  for (const [path, entry] of inOrder) {
    if (entry === null) removeFile(top, path);
    else placeFile(top, path, pathIn(staged, path));
    onFile?.();
  }
  rmSync(staged, { recursive: true, force: true });
}

/** Lets git write the new files elsewhere first, with their filters, line ends and modes. */
async function stageFiles({ git, folder }: Workshop, edits: Edits): Promise<string> {
  const [staged, index] = [join(folder, 'staged'), join(folder, 'staged.index')];
  rmSync(staged, { recursive: true, force: true });
  rmSync(index, { force: true });
  const added = new Map([...edits].filter(([, entry]) => entry !== null));
  await succeed(git(['read-tree', '--empty'], { index }), 'read-tree');
  await editIndex(git, index, added);
  const write = git(['checkout-index', '-z', '--stdin', `--prefix=${staged}/`], {
    index,
    input: pathList(added.keys()),
  });
  await succeed(write, 'checkout-index');
  return staged;
}

/** A filter that takes its program from the tree would run, outside every sandbox, what the run may have written. */
async function refuseFiltered({ git, frozen, repository }: Workshop, edits: Edits): Promise<void> {
  const asCleaning = frozen.settings.map((entry) =>
    entry.name === 'smudge' ? { ...entry, name: 'clean' } : entry,
  );
  const unsafe = filtersInTree(asCleaning, repository.top);
  if (unsafe.size === 0) return;
  for (const [path, filter] of await filtersOf(git, edits.keys())) {
    if (!unsafe.has(filter)) continue;
    throw new BatonError(
      'filter',
      `${showPath(path)} cannot be written: its filter ${filter} takes its program from the working tree, where the run may have put it`,
      { hint: 'take the change back by hand: baton diff shows it' },
    );
  }
}

async function whatIsInTheWay(
  workshop: Workshop,
  path: RawPath,
  entry: Entry | null,
  listing: Listing,
  edits: Edits,
): Promise<Conflict['kind'] | null> {
  const { top } = workshop.repository;
  const seen = listing.get(path);
  const now = statInTree(top, path);
  const blocking = folderInTheWay(top, path);
  if (entry !== null && blocking !== null && edits.get(blocking) !== null) return 'folder';
  if (now?.isDirectory()) return entry === null || holdsOthers(top, path, edits) ? 'folder' : null;
  if (now === null) return seen && entry !== null ? 'content' : null;
  if (!seen) return 'both-added';
  return (await plainOid(workshop, path, now)) === seen.oid ? null : 'content';
}

/** Whether a folder, which is to give way, has anything in it that is not to be removed: ignored files, say. */
function holdsOthers(top: string, folder: RawPath, edits: Edits): boolean {
  return readdirSync(pathIn(top, folder), { encoding: 'buffer' }).some((name) => {
    const below = `${folder}/${rawPath(name)}`;
    return statInTree(top, below)?.isDirectory() ? holdsOthers(top, below, edits) : edits.get(below) !== null;
  });
}

function removeFile(top: string, path: RawPath): void {
  if (statInTree(top, path)) unlinkSync(pathIn(top, path));
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    try {
      rmdirSync(pathIn(top, path.slice(0, slash)));
    } catch {
      // It holds something else, and so do those above it.
      return;
    }
  }
}

function placeFile(top: string, path: RawPath, from: string | Buffer): void {
  const slash = path.lastIndexOf('/');
  const folder = slash > 0 ? path.slice(0, slash) : '';
  if (folder !== '') mkdirSync(pathIn(top, folder), { recursive: true });
  const name = `.baton-${randomBytes(6).toString('hex')}.tmp`;
  const beside = pathIn(top, folder === '' ? name : `${folder}/${name}`);
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from, 'buffer'), beside);
  else copyFileSync(from, beside);
  const target = pathIn(top, path);
  if (statInTree(top, path)?.isDirectory()) rmSync(target, { recursive: true });
  renameSync(beside, target);
}
