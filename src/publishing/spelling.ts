import { readdirSync } from 'node:fs';
import type { RootFolder } from './root-folder.ts';

/**
 * Finds how a path is spelled on disk. Where `skill.md` lies there and `SKILL.md` is given, the file that is there is
 * meant: two names that differ in case alone are one file on the next Mac that checks the repository out. New names
 * count as well, so that one publication does not make two such.
 */
export class Spellings {
  readonly #root: RootFolder;
  /** The names in each folder that was looked at. */
  readonly #names = new Map<string, string[]>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** The path in the spelling that is to be used. */
  of(path: string): string {
    let folder = '';
    for (const name of path.split('/')) {
      const names = this.#namesIn(folder);
      const spelled = names.includes(name) ? name : names.find((one) => fold(one) === fold(name));
      if (spelled === undefined) names.push(name);
      folder = folder === '' ? (spelled ?? name) : `${folder}/${spelled ?? name}`;
    }
    return folder;
  }

  #namesIn(folder: string): string[] {
    let names = this.#names.get(folder);
    if (names === undefined) {
      const listed = this.#root.within(folder, (open) => {
        try {
          return readdirSync(open.at('.'));
        } catch {
          // It may be entered, but not listed.
          return [];
        }
      });
      names = 'done' in listed ? listed.done.sort() : [];
      this.#names.set(folder, names);
    }
    return names;
  }
}

/** Names with the same fold are one on a file system that ignores case, or how an accent is written. */
function fold(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
