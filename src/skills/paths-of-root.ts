import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Whether a piece of code in a file of `folder` (relative to the root, with `/`) is a path, and one that nothing lies at. */
export type IsMissing = (code: string, folder: string) => boolean;

/** Made when the project is built or its packages are installed: absent in many clones. */
const MADE = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'target', 'vendor', '.git']);
const EXTENSION = /\.[a-z][a-z0-9]{0,7}$/i;
const HOST = /^[\w-]+(?:\.[\w-]+)+$/;

/**
 * Paths count from the root, or from the folder of the file that they stand in. `coming` are files that are about to be
 * written.
 */
export function missingIn(root: string, coming: readonly string[]): IsMissing {
  // Once for all files: there may be thousands of both.
  const known = new Set(coming.flatMap((path) => [path, ...foldersOf(path)]));
  const exists = (path: string): boolean => known.has(path) || existsSync(join(root, path));
  return (code, folder) => {
    const path = pathIn(code);
    if (path === null) return false;
    const [first = ''] = path.split('/');
    if (MADE.has(first)) return false;
    const places = [path, `${folder}/${path}`].map((one) => posix.normalize(one));
    const inside = places.filter((place) => !place.startsWith('../') && place !== '..');
    // Of what lies outside the root nobody can say.
    if (inside.length === 0 || inside.some(exists)) return false;
    // `origin/main` and `text/html` are no paths, `src/gone` is one.
    if (first.startsWith('.') || exists(first)) return true;
    return EXTENSION.test(path) && !HOST.test(first);
  };
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, count) => parts.slice(0, count).join('/'));
}

/** A path with a folder in it, and with no sign that a glob, a placeholder, an option, an address or code would have. */
function pathIn(code: string): string | null {
  const path = code.replace(/(?::\d+(?:-\d+)?)?$/, '').replace(/\/$/, '');
  if (!path.includes('/') || /[^\w./@+-]|\.{3}|\/\//u.test(path.replace(/\p{L}/gu, 'a'))) return null;
  return /^[/@+-]/.test(path) ? null : path;
}
