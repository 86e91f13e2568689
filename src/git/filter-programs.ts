import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ConfigEntry } from './config-entries.ts';

/** These run whatever the current folder (the top of the working tree) tells them to. */
const RUNS_THE_FOLDER =
  /^(npx|npm|pnpm|yarn|bunx|make|gmake|just|task|rake|bundle|poetry|pipenv|pdm|uvx?|cargo|go|gradle|mvn|composer|direnv)$/;
/** These take modules from the current folder, unless they are given a script of another one. */
const INTERPRETER = /^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|php|lua[\d.]*|Rscript)$/;

/**
 * Names of the filter drivers whose program the implementer could have written, though the setting itself is the
 * user's: `filter.x.clean = ./tools/clean.sh`, or `python -m nbstripout` beside a new `nbstripout.py`. Git would run
 * them outside every sandbox as soon as somebody looks at the tree.
 */
export function filtersInTree(entries: readonly ConfigEntry[], top: string): Set<string> {
  const found = new Set<string>();
  for (const { section, subsection, name, value } of entries) {
    if (section !== 'filter' || subsection === null || !value || (name !== 'clean' && name !== 'process'))
      continue;
    if (dependsOnTree(Buffer.from(value, 'latin1').toString('utf8'), top)) found.add(subsection);
  }
  return found;
}

function dependsOnTree(command: string, top: string): boolean {
  const words = command.split(/[\s'"`;|&()<>=$]+/).filter((word) => word !== '');
  return words.some((word, index) => {
    const base = word.slice(word.lastIndexOf('/') + 1);
    if (RUNS_THE_FOLDER.test(base)) return true;
    if (INTERPRETER.test(base)) {
      const script = words[index + 1];
      return script === undefined || !isAbsolute(script) || liesIn(top, script);
    }
    // A bare word such as `clean` in `git-lfs clean` is a name on PATH or an argument; a script has a dot or a slash.
    return /[./]/.test(word) && liesIn(top, word) && existsSync(resolve(top, word));
  });
}

function liesIn(top: string, word: string): boolean {
  const way = relative(top, resolve(top, word));
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
