import type { SeenFile, Seen } from './look.ts';
import { ownerOf } from './ownership.ts';
import type { PublishStatus } from './publish-contract.ts';
import { foldersAbove } from './staging.ts';

/** A file that may be written where its path leads, and what lies there. */
export interface Candidate {
  /** As it is spelled on disk. */
  path: string;
  /** All that would be published. */
  content: string;
  seen: Seen;
  /** Of all that baton is known to have published there. */
  prints: readonly string[];
}

/** What is to be done about a file that was given. */
export type Decision =
  | { act: 'create' | 'update' | 'unchanged'; path: string; content: string; seen: SeenFile | null }
  | { act: 'remove'; path: string; seen: SeenFile }
  | { act: 'skip'; path: string; reason: string; forcible: boolean };

/** Decides about all files together, in their order: of several for one place none is written. */
export function planPublication(
  candidates: readonly (Candidate | Decision)[],
  { force }: { force: boolean },
): Decision[] {
  const times = new Map<string, number>();
  for (const { path } of candidates.filter(isCandidate)) times.set(path, (times.get(path) ?? 0) + 1);
  return candidates.map((one) => {
    if (!isCandidate(one)) return one;
    if ((times.get(one.path) ?? 0) > 1)
      return skip(one.path, 'several of the files that were given are for this place');
    const above = foldersAbove(one.path).find((path) => times.has(path));
    return above === undefined ? decide(one, force) : skip(one.path, `${above} is to be a file`);
  });
}

function decide({ path, content, seen, prints }: Candidate, force: boolean): Decision {
  if (seen.kind === 'blocked') return skip(path, seen.reason);
  if (content.trim() === '') return skip(path, 'it is blank: a blank file is never published');
  if (seen.kind === 'absent') return { act: 'create', path, content, seen: null };
  if (seen.bytes.equals(Buffer.from(content, 'utf8'))) return { act: 'unchanged', path, content, seen };
  const owner = ownerOf(seen.bytes, prints);
  if (owner === 'baton' || force) return { act: 'update', path, content, seen };
  const reason =
    owner === 'edited'
      ? 'it was edited since baton generated it'
      : 'it is there already, and nothing says that baton generated it';
  return { act: 'skip', path, reason, forcible: true };
}

/** Decides about a file that is to go; null where none is there. What a person wrote or edited stays, whatever is forced. */
export function decideRemoval({ path, seen, prints }: Omit<Candidate, 'content'>): Decision | null {
  if (seen.kind === 'blocked') return skip(path, seen.reason);
  if (seen.kind === 'absent') return null;
  const owner = ownerOf(seen.bytes, prints);
  if (owner === 'baton') return { act: 'remove', path, seen };
  return skip(
    path,
    owner === 'edited' ? 'it was edited since baton wrote it: it stays' : 'baton did not write it: it stays',
  );
}

export function skip(path: string, reason: string): Decision {
  return { act: 'skip', path, reason, forcible: false };
}

const STATUS = {
  create: ['created', 'would-create'],
  update: ['updated', 'would-update'],
  remove: ['removed', 'would-remove'],
  unchanged: ['unchanged', 'unchanged'],
  skip: ['skipped', 'skipped'],
} as const satisfies { [act in Decision['act']]: readonly [PublishStatus, PublishStatus] };

export function statusOf({ act }: Decision, dryRun: boolean): PublishStatus {
  return STATUS[act][dryRun ? 1 : 0];
}

function isCandidate(one: Candidate | Decision): one is Candidate {
  return 'prints' in one;
}
