import { oneLine, truncate } from '../core/text.ts';
import type { ViolationKind } from '../rundir/result.ts';
import { listed } from './git-settings.ts';
import { commitsBetween, describeCommits, readLooseCommit } from './loose-commit.ts';
import type { ReflogEntry } from './reflogs.ts';
import { allRefs, type Head, type RefChange, refChanges, type RefsState } from './refs.ts';

/** What of a repository's state tells where its refs are, and since when. */
export interface History {
  /** When it was read, in seconds since the epoch. */
  readAt: number;
  objectsDir: string;
  refs: RefsState;
  head: Head | null;
}

export interface Move {
  kind: ViolationKind;
  detail: string;
}

const MAX_SENTENCES = 20;
/** Background fetches and `git maintenance` move these. */
const REMOTE = /^refs\/(remotes|prefetch)\//;
/** What the commands that make commits write into a reflog. */
export const COMMITTING = /^(commit|merge|rebase|cherry-pick|revert|am|pull)\b/;

/** HEAD and every ref that differs but the stash, each with what it was and is. */
export function describeMoves(
  before: History,
  after: History,
  entries: readonly ReflogEntry[],
): { violations: Move[]; notices: string[] } {
  const headMove = describeHead(before.head, after.head);
  const changes = refChanges(before.refs, after.refs).filter(({ name }) => name !== 'refs/stash');
  if (!headMove && changes.length === 0) return { violations: [], notices: [] };

  const known = knownTips(before);
  const judge = (sentence: string, change: RefChange): Move => {
    const { kind, suffix } = describeTip(before, entries, known, change);
    return { kind, detail: sentence + suffix };
  };
  const remote = changes.filter(({ name }) => REMOTE.test(name));
  const own = changes.filter(({ name }) => !REMOTE.test(name));
  // The branch that is checked out comes first: it must not drown among very many.
  const branch = own.findIndex(({ name }) => name === after.head?.symbolic);
  if (branch > 0) own.unshift(...own.splice(branch, 1));

  const violations = headMove ? [judge(headMove.sentence, headMove.change)] : [];
  violations.push(...own.slice(0, MAX_SENTENCES).map((change) => judge(describeRef(change), change)));
  const untold = own.length - MAX_SENTENCES;
  if (untold > 0) violations.push({ kind: 'ref', detail: `${untold} more refs differ` });
  const notices = remote.length > 0 ? [`remote-tracking refs moved: ${listed(remote.map(describeRef))}`] : [];
  return { violations, notices };
}

/** A HEAD that moved by itself: to another branch, or detached. Where its branch moved, that ref says so. */
function describeHead(old: Head | null, now: Head | null): { sentence: string; change: RefChange } | null {
  if (!old || !now) return null;
  if (old.symbolic === now.symbolic && (old.symbolic !== null || old.commit === now.commit)) return null;
  const [from, to] = [old.symbolic ?? short(old.commit), now.symbolic ?? short(now.commit)];
  return {
    sentence: `HEAD moved from ${from} to ${to}`,
    change: { name: 'HEAD', before: old.commit, after: now.symbolic === null ? now.commit : null },
  };
}

/** A sentence such as `refs/heads/main moved from 1a2b3c4 to 5d6e7f8`. */
export function describeRef({ name, before, after }: RefChange): string {
  if (before === null) return `${name} is new, at ${short(after)}`;
  if (after === null) return `${name} was deleted (it was at ${short(before)})`;
  return `${name} moved from ${short(before)} to ${short(after)}`;
}

/**
 * Whether a ref came where it is by a commit of this run. Three things can tell, and each can be missing: the way back
 * to its old place over commits that are not packed yet, the reflog of HEAD, and the date of the commit itself.
 */
function describeTip(
  before: History,
  entries: readonly ReflogEntry[],
  known: ReadonlySet<string>,
  change: RefChange,
): { kind: ViolationKind; suffix: string } {
  const { after: tip } = change;
  if (tip === null || known.has(tip)) return { kind: 'ref', suffix: '' };
  const objects = before.objectsDir;
  const from = change.before ?? before.head?.commit ?? null;
  const commits = from === null ? null : commitsBetween(objects, from, tip);
  const commit = readLooseCommit(objects, tip);
  // An annotated tag on a commit that was there before: nobody committed, however young that commit is.
  if (commit !== null && known.has(commit.id)) return { kind: 'ref', suffix: '' };
  const logged = entries.find(({ to, message }) => to === tip && COMMITTING.test(message));
  const made =
    (change.before !== null && commits !== null) ||
    logged !== undefined ||
    (commit !== null && commit.committedAt >= before.readAt);
  if (commits) return { kind: made ? 'commit' : 'ref', suffix: `: ${describeCommits(commits)}` };
  if (logged)
    return { kind: 'commit', suffix: `: ${JSON.stringify(truncate(oneLine(logged.message), 120))}` };
  return { kind: made ? 'commit' : 'ref', suffix: commit ? `: ${JSON.stringify(commit.subject)}` : '' };
}

function knownTips(state: History): Set<string> {
  const tips = new Set(allRefs(state.refs).values());
  if (state.head?.commit) tips.add(state.head.commit);
  return tips;
}

/** An object id as people write it; other values as they are. */
export function short(id: string | null): string {
  if (id === null) return 'no commit';
  return /^[0-9a-f]{40,64}$/.test(id) ? id.slice(0, 7) : id;
}
