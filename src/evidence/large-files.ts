import { type RawPath, showPath } from '../git/raw-path.ts';
import type { Change } from '../rundir/result.ts';
import { comparePrints, type Print } from './print.ts';

type Prints = ReadonlyMap<RawPath, Print | null>;

/**
 * Changes of the untracked files that are too large to keep: named, though the patch does not have them. `smallBefore`
 * tells those that were small enough before.
 */
export function compareLarge(
  before: Prints,
  after: Prints,
  smallBefore: ReadonlySet<RawPath>,
): { changes: Change[]; gaps: string[] } {
  const changes: Change[] = [];
  const gaps: string[] = [];
  for (const [path, now] of after) {
    const old = before.get(path) ?? null;
    const existed = old !== null || smallBefore.has(path);
    const difference = differenceOf(old, now, existed);
    if (difference === 'same') continue;
    const shown = showPath(path);
    if (difference === 'unsure') {
      gaps.push(`${shown} was written to: whether it changed cannot be told`);
      continue;
    }
    changes.push({ path: shown, kind: difference, added: null, deleted: null, preexisting: existed });
    gaps.push(`${shown} is too large to keep: what changed in it is not in the patch`);
  }
  return { changes, gaps };
}

function differenceOf(
  old: Print | null,
  now: Print | null,
  existed: boolean,
): 'added' | 'deleted' | ReturnType<typeof comparePrints> {
  if (old && now) return comparePrints(old, now);
  if (now) return existed ? 'modified' : 'added';
  return old ? 'deleted' : 'same';
}
