import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that only the top of this package has. */
const MARK = join('bin', 'baton.js');

/**
 * The folder of the installed package, from wherever this file ended up: a source folder, or a bundle in `dist`. Null
 * for a bundle that was copied out of the package.
 */
export function packageRoot(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, MARK))) return folder;
    if (dirname(folder) === folder) return null;
  }
}
