import { lstatSync, readFileSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { BatonError, messageOf, systemCode } from '../../core/errors.ts';
import { lookIn, type Seen } from '../look.ts';
import type { RootFolder } from '../root-folder.ts';
import { replaceFile } from './replace-file.ts';

/** A settings file of a project as it was read: what is written later goes where it was found, or nowhere. */
export interface SettingsFile {
  /** As the target names it, relative to the top. */
  name: string;
  /** Where it lies, relative to the top and without links. */
  place: string;
  /** Null where there is no file. */
  bytes: Buffer | null;
  /** Its text; null where there is no file. */
  text: string | null;
}

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a settings file. A link that stays in the project is followed, since people share settings that way; one that
 * leads out, or nowhere, is refused. Throws a BatonError `settings`. `root` is a real path.
 */
export function readSettings(root: string, name: string): SettingsFile {
  const place = placeOf(root, name);
  const path = join(root, place);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return { name, place, bytes: null, text: null };
  if (!stat.isFile()) throw unusable(name, 'is no regular file');
  if (stat.size > MAX_BYTES) throw unusable(name, `has ${stat.size} bytes, the limit is ${MAX_BYTES}`);
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw unusable(name, 'is not UTF-8');
  return { name, place, bytes, text };
}

/** Replaces the file whole, or (null) removes it; its mode and owner stay. Throws a BatonError where it is not as it was read. */
export function writeSettings(root: RootFolder, file: SettingsFile, bytes: Buffer | null): void {
  const done = root.within(folderOf(file.place), (folder) => {
    const name = basename(file.place);
    refuseChanged(file, lookIn(folder, name));
    if (bytes === null) unlinkSync(folder.at(name));
    else replaceFile(folder, name, bytes);
  });
  if ('done' in done) return;
  throw unusable(
    file.name,
    'reason' in done ? `is not written: ${done.reason}` : 'lost its folder meanwhile',
  );
}

/** The folder part of a path below the top; empty for the top itself. */
export function folderOf(place: string): string {
  const folder = dirname(place);
  return folder === '.' ? '' : folder;
}

function refuseChanged({ name, bytes }: SettingsFile, now: Seen): void {
  const same = bytes === null ? now.kind === 'absent' : now.kind === 'file' && now.bytes.equals(bytes);
  if (!same) throw unusable(name, 'was changed by somebody else meanwhile: it is left as it is', 'try again');
}

function placeOf(root: string, name: string): string {
  const real = realOrNull(root, name) ?? join(realFolder(root, name), basename(name));
  if (real.startsWith(root + sep)) return relative(root, real).split(sep).join('/');
  throw unusable(
    name,
    `leads outside of the project, to ${real}`,
    'make it a file of the project, or edit that one by hand',
  );
}

/** Null where nothing lies there. */
function realOrNull(root: string, name: string): string | null {
  const path = join(root, name);
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unusable(name, `cannot be read: ${messageOf(error)}`);
  }
  for (let part = name; part !== '.'; part = dirname(part)) {
    if (lstatSync(join(root, part), { throwIfNoEntry: false })?.isSymbolicLink())
      throw unusable(name, `is reached through ${part}, a link to nowhere`, 'remove the link');
  }
  return null;
}

/** Where the folder of a file that is not there lies, or will lie. */
function realFolder(root: string, name: string): string {
  const folder = folderOf(name);
  if (folder === '') return root;
  return realOrNull(root, folder) ?? join(realFolder(root, folder), basename(folder));
}

function unusable(name: string, why: string, hint?: string): BatonError {
  return new BatonError('settings', `${name} ${why}; nothing was written to it`, { hint });
}
