import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { BatonError } from '../../core/errors.ts';
import type { Fields } from './fields.ts';

/** A path of a script: below the working directory, unless the script says `outside: true`. */
export interface Place {
  path: string;
  outside: boolean;
}

/** Reads `key` as a place, with `outside` beside it. A path that plainly leaves the working directory is refused here. */
export function placeOf(fields: Fields, key: string): Place {
  const path = fields.text(key);
  const outside = fields.flag('outside');
  if (path === '' || path.includes('\0')) fields.fail(key, 'must be a path');
  if (!outside && leaves(path)) {
    fields.fail(key, `${JSON.stringify(path)} leaves the working directory: add outside: true to mean it`);
  }
  return { path, outside };
}

/**
 * The absolute path of a place. The parent is looked at as it is on disk, so that a link inside the directory is no
 * way out of it; with `follow`, so is the file itself.
 */
export function locate(cwd: string, place: Place, follow: boolean): string {
  const absolute = resolve(cwd, place.path);
  if (place.outside) return absolute;
  const real = join(realOf(dirname(absolute)), relative(dirname(absolute), absolute));
  const target = follow ? realOf(absolute) : real;
  if (!leaves(relative(realpathSync(cwd), target) || '.')) return absolute;
  throw new BatonError('script', `${place.path} leads out of the working directory, to ${target}`, {
    hint: 'add outside: true to the step to mean it',
  });
}

function leaves(path: string): boolean {
  const plain = normalize(path);
  return isAbsolute(plain) || plain === '..' || plain.startsWith(`..${sep}`);
}

/** The real path, of which the last parts need not exist yet. */
function realOf(path: string): string {
  try {
    lstatSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), relative(dirname(path), path));
  }
  // A link to nowhere throws here: writing through it would land wherever it points.
  return realpathSync(path);
}
