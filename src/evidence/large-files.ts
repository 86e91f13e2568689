import { type RawPath, showPath } from '../git/raw-path.ts';
import type { Change } from '../rundir/result.ts';
import { comparePrints, type Print } from './print.ts';

type Prints = ReadonlyMap<RawPath, Print | null>;

/** Changes of the untracked files that are too large to keep: named, though the patch does not have them. */
export function compareLarge(before: Prints, after: Prints): { changes: Change[]; gaps: string[] } {
  const changes: Change[] = [];
  const gaps: string[] = [];
  for (const [path, now] of after) {
    const old = before.get(path) ?? null;
    const difference = old && now ? comparePrints(old, now) : old ? 'deleted' : now ? 'added' : 'same';
    if (difference === 'same') continue;
    const shown = showPath(path);
    if (difference === 'unsure') {
      gaps.push(`${shown} was written to: whether it changed cannot be told`);
      continue;
    }
    changes.push({ path: shown, kind: difference, added: null, deleted: null, preexisting: old !== null });
    gaps.push(`${shown} is too large to keep: what changed in it is not in the patch`);
  }
  return { changes, gaps };
}
