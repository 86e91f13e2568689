import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Knows whether a piece of code is a path, and one that nothing lies at. */
export interface PathsOfRoot {
  isMissing(code: string): boolean;
}

/** Made when the project is built or its packages are installed: absent in many clones. */
const MADE = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'target', 'vendor', '.git']);
const EXTENSION = /\.[a-z][a-z0-9]{0,7}$/i;
const HOST = /^[\w-]+(?:\.[\w-]+)+$/;

/**
 * Paths as they stand in a file of `folder` (relative to `root`): from the root, from that folder, or from the one of its
 * skill. `coming` are files that are about to be written.
 */
export function pathsOfRoot(root: string, folder: string, coming: ReadonlySet<string>): PathsOfRoot {
  const folders = new Set([...coming].flatMap(foldersOf));
  const exists = (path: string): boolean =>
    coming.has(path) || folders.has(path) || existsSync(join(root, path));
  return {
    isMissing(code) {
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
    },
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
