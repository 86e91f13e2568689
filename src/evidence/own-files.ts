import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { rawFrom, type RawPath } from '../git/raw-path.ts';
import { ARTIFACTS, CLAIM, isOwnName } from '../rundir/layout.ts';

/** Baton's own files, where the run directory lies in the working tree: they are never a change of the implementer's. */
export interface OwnFiles {
  isOwn: (path: RawPath) => boolean;
  /** Pathspecs that leave them out of a git command; none where the run directory is elsewhere. */
  pathspecs: string[];
}

export function ownFiles(top: string, runDir: string, ignoreCase: boolean): OwnFiles {
  const way = relative(top, realpathSync(runDir));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    return { isOwn: () => false, pathspecs: [] };
  const folder = way === '' ? '' : `${way.split(sep).join('/')}/`;
  // Where names do not tell upper from lower case, `Result.json` is `result.json`.
  const fold = (path: string): string => (ignoreCase ? path.toLowerCase() : path);
  const prefix = fold(rawFrom(folder));
  return {
    isOwn: (path) => {
      const folded = fold(path);
      return folded.startsWith(prefix) && isOwnName(folded.slice(prefix.length).split('/', 1)[0] ?? '');
    },
    pathspecs: [
      '.',
      ...[...Object.values(ARTIFACTS), CLAIM].map((name) => `:(exclude,top,literal)${folder}${name}`),
      // Half-written artifacts; what is special in the name of the folder is taken literally.
      ...Object.values(ARTIFACTS).map(
        (name) => `:(exclude,top,glob)${folder.replace(/[*?[\\]/g, '\\$&')}.${name}.*.tmp`,
      ),
    ],
  };
}
