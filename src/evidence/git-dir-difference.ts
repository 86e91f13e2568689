import { relative } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { oneLine, truncate } from '../core/text.ts';
import type { ViolationKind } from '../rundir/result.ts';
import { type GitDirState, type IndexState, UNFINISHED } from './git-dir.ts';
import { compareGitSettings, listed } from './git-settings.ts';
import { describeIndexChanges, differOnlyInStats, type IndexEntries, parseIndex } from './index-entries.ts';
import { COMMITTING, describeMoves, describeRef, type Move, short } from './ref-moves.ts';
import { compareReflogs, type ReflogEntry } from './reflogs.ts';
import { refChanges } from './refs.ts';

/** What two looks at a boundary have not in common. */
export interface BoundaryDifference {
  violations: Move[];
  /** Worth knowing, and no violation: somebody fetched. */
  notices: string[];
  gaps: string[];
  /** A setting that changes how git reads this tree differs (configuration, ignore and attribute rules). */
  configChanged: boolean;
}

/** Pure but for a few loose commits, read to name their subjects. */
export function compareGitDirs(before: GitDirState, after: GitDirState): BoundaryDifference {
  const difference: BoundaryDifference = {
    violations: [],
    notices: [],
    gaps: [...new Set([...before.gaps, ...after.gaps])],
    configChanged: false,
  };
  const violation = (kind: ViolationKind, detail: string): void =>
    void difference.violations.push({ kind, detail });
  const name = (path: string): string => shortPath(before.place.top, path);

  if (before.identity !== after.identity && before.identity !== null && after.identity !== null) {
    const gone = after.identity === '';
    violation(
      'git-config',
      `${name(before.place.gitDir)} ${gone ? 'is gone' : 'was replaced by another directory'}`,
    );
    difference.configChanged = true;
    // All that was in it is gone with it: one sentence says so.
    if (gone) return difference;
  }
  compareHistory(before, after, difference);
  compareUnfinished(before, after, violation);
  compareIndexes(before, after, difference);
  const settings = compareGitSettings(before.settings, after.settings, name);
  difference.violations.push(...settings);
  difference.configChanged = difference.violations.some(({ kind }) => kind === 'git-config');
  for (const [worktree, head] of before.otherHeads) {
    const now = after.otherHeads.get(worktree);
    if (now !== undefined && now !== head)
      difference.notices.push(`HEAD of ${worktree} moved from ${showHead(head)} to ${showHead(now)}`);
  }
  return difference;
}

/** `path` relative to the top of the tree where it lies in it. */
export function shortPath(top: string, path: string): string {
  const way = relative(top, path).replaceAll('\\', '/');
  return way === '' || way.startsWith('..') ? path : way;
}

function compareHistory(before: GitDirState, after: GitDirState, difference: BoundaryDifference): void {
  const newEntries = compareHeadReflogs(before, after, difference.gaps);
  const moves = describeMoves(before, after, newEntries.added);
  difference.violations.push(...moves.violations);
  difference.notices.push(...moves.notices);

  const headMoved =
    before.head?.commit !== after.head?.commit || before.head?.symbolic !== after.head?.symbolic;
  const committed = newEntries.added.some(({ message }) => COMMITTING.test(message));
  const told = difference.violations.some(({ kind }) => kind === 'commit');
  // A commit and a soft reset leave nothing else; where HEAD moved, its reflog had to grow.
  if (newEntries.added.length > 0 && (committed ? !told : !headMoved)) {
    difference.violations.push({
      kind: committed ? 'commit' : 'ref',
      detail: `the reflog of HEAD grew: ${showEntries(newEntries.added)}`,
    });
  }
  if (newEntries.lost.length > 0) {
    difference.violations.push({
      kind: 'ref',
      detail: `the reflog of HEAD lost ${showEntries(newEntries.lost)}`,
    });
  }
  compareStashes(before, after, difference);
  // Where reflogs are off, it may be all that a reset leaves.
  const [old, now] = [before.origHead, after.origHead];
  if (old !== now && old !== null && now !== null && difference.violations.length === 0) {
    difference.violations.push({
      kind: 'ref',
      detail: `ORIG_HEAD moved from ${short(old || null)} to ${short(now || null)}: HEAD was moved and moved back`,
    });
  }
}

/** The entries that came and went; a log that was written to no effect is a gap: entries may have come and gone. */
function compareHeadReflogs(
  before: GitDirState,
  after: GitDirState,
  gaps: string[],
): { added: ReflogEntry[]; lost: ReflogEntry[] } {
  if (!before.reflogs.head || !after.reflogs.head) return { added: [], lost: [] };
  const { added, lost, rewritten } = compareReflogs(before.reflogs.head, after.reflogs.head, true);
  if (rewritten) gaps.push('the reflog of HEAD was rewritten: entries may have come and gone');
  return { added, lost };
}

function compareStashes(before: GitDirState, after: GitDirState, difference: BoundaryDifference): void {
  const change = refChanges(before.refs, after.refs).find(({ name }) => name === 'refs/stash');
  const [old, now] = [before.reflogs.stash, after.reflogs.stash];
  const log = old && now ? compareReflogs(old, now, false) : { added: [], lost: [], rewritten: false };
  const parts = [
    ...(change ? [describeRef(change)] : []),
    ...(log.added.length > 0 ? [`stashed ${showEntries(log.added)}`] : []),
    ...(log.lost.length > 0 ? [`dropped ${showEntries(log.lost)}`] : []),
  ];
  if (parts.length > 0)
    difference.violations.push({ kind: 'stash', detail: `the stash changed: ${parts.join('; ')}` });
  else if (log.rewritten)
    difference.gaps.push('the reflog of the stash was rewritten: entries may have come and gone');
}

function compareUnfinished(
  before: GitDirState,
  after: GitDirState,
  violation: (kind: ViolationKind, detail: string) => void,
): void {
  for (const name of UNFINISHED) {
    const [old, now] = [before.unfinished.get(name), after.unfinished.get(name)];
    if (old === now || old === 'unreadable' || now === 'unreadable') continue;
    const what = old === undefined ? 'appeared' : now === undefined ? 'is gone' : 'changed';
    violation(
      'ref',
      `${name} of the git directory ${what}: a merge, rebase, cherry-pick, revert or bisect was started or ended`,
    );
  }
}

function compareIndexes(before: GitDirState, after: GitDirState, difference: BoundaryDifference): void {
  const [old, now] = [before.index, after.index];
  if (!old || !now || old.bytes.equals(now.bytes)) return;
  const plain = !old.entries && !now.entries;
  if (plain && differOnlyInStats(old.bytes, now.bytes, before.objectFormat)) return;
  try {
    const entriesOf = (state: IndexState): IndexEntries =>
      state.entries ?? parseIndex(state.bytes, before.objectFormat);
    const changes = describeIndexChanges(entriesOf(old), entriesOf(now));
    if (changes.length > 0)
      difference.violations.push({ kind: 'index', detail: `the index changed: ${listed(changes)}` });
  } catch (error) {
    difference.gaps.push(`the index was written and could not be compared: ${messageOf(error)}`);
  }
}

/** Names come from the repository: nothing in a sentence may steer a terminal or break its line. */
export function plainSentences(difference: BoundaryDifference): BoundaryDifference {
  const { violations, notices, gaps, configChanged } = difference;
  return {
    violations: violations.map(({ kind, detail }) => ({ kind, detail: oneLine(detail) })),
    notices: notices.map(oneLine),
    gaps: [...new Set(gaps.map(oneLine))],
    configChanged,
  };
}

function showEntries(entries: readonly ReflogEntry[]): string {
  return listed(entries.map(({ message }) => JSON.stringify(truncate(oneLine(message), 120))));
}

function showHead(text: string): string {
  return text.startsWith('ref:') ? text.slice(4).trim() : short(text);
}
