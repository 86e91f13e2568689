import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, systemCode } from '../core/errors.ts';
import { type GitPlace, type GitSettingsState, readGitSettings } from './git-settings.ts';
import type { IndexEntries } from './index-entries.ts';
import { readPlainFile, readRange, readSmallFile } from './plain-file.ts';
import type { History } from './ref-moves.ts';
import { type ReflogState, readReflog } from './reflogs.ts';
import { readHead, readRefs, usesReftable } from './refs.ts';

/** Everything inside a git directory that an implementer has no business to change, read as plain files. */
export interface GitDirState extends History {
  place: GitPlace;
  objectFormat: 'sha1' | 'sha256';
  /** Device, inode and birth of the two directories: another directory in its place is no edit. Empty where one is gone, null where unknown. */
  identity: string | null;
  /** Name to a digest of the content, or the kind where it is no file. */
  unfinished: ReadonlyMap<string, string>;
  /** Written by reset, merge and rebase. Empty where there is none, null where it cannot be read. */
  origHead: string | null;
  reflogs: { head: ReflogState | null; stash: ReflogState | null };
  /** HEAD of the other working trees of the repository, by name. */
  otherHeads: ReadonlyMap<string, string>;
  index: IndexState | null;
  settings: GitSettingsState;
  gaps: string[];
}

/** The bytes of the index; its entries too where only git can read them. */
export interface IndexState {
  bytes: Buffer;
  entries: IndexEntries | null;
}

const MAX_INDEX_BYTES = 1024 ** 3;
/** What a stopped merge, rebase, cherry-pick, revert or bisect leaves. */
export const UNFINISHED = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];

/** Reads a git directory without running git. Never throws: what cannot be read is a gap. */
export function readGitDir(place: GitPlace, objectFormat: 'sha1' | 'sha256'): GitDirState {
  const { gitDir, commonDir } = place;
  const gaps: string[] = [];
  const gap = (sentence: string): void => void gaps.push(sentence);
  const reftable = usesReftable(commonDir);
  const refs = reftable
    ? { loose: new Map<string, string>(), packed: Buffer.alloc(0), complete: false }
    : readRefs(gitDir, commonDir, gap);
  return {
    place,
    objectFormat,
    readAt: Math.floor(Date.now() / 1000),
    objectsDir: join(commonDir, 'objects'),
    identity: identityOf([gitDir, commonDir], gap),
    refs,
    head: reftable ? null : readHead(gitDir, refs, gap),
    unfinished: readUnfinished(gitDir, gap),
    origHead: textOf(join(gitDir, 'ORIG_HEAD')),
    reflogs: reftable
      ? { head: null, stash: null }
      : {
          head: readReflog(join(gitDir, 'logs', 'HEAD'), 'HEAD', gap),
          stash: readReflog(join(commonDir, 'logs', 'refs', 'stash'), 'refs/stash', gap),
        },
    otherHeads: readOtherHeads(place),
    index: readIndex(gitDir, gap),
    settings: readGitSettings(place, gap),
    gaps,
  };
}

function readIndex(gitDir: string, gap: (sentence: string) => void): IndexState | null {
  try {
    return { bytes: readRange(join(gitDir, 'index'), 0, MAX_INDEX_BYTES), entries: null };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { bytes: Buffer.alloc(0), entries: null };
    gap(`cannot read the index: ${systemCode(error) ?? messageOf(error)}`);
    return null;
  }
}

function readUnfinished(gitDir: string, gap: (sentence: string) => void): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of UNFINISHED) {
    const file = readPlainFile(join(gitDir, name), 1024 * 1024);
    if (file.kind === 'unreadable') gap(`cannot read ${name}: ${file.code}`);
    if (file.kind !== 'absent') found.set(name, file.kind === 'file' ? file.digest : file.kind);
  }
  return found;
}

function readOtherHeads({ gitDir, commonDir }: GitPlace): Map<string, string> {
  const heads = new Map<string, string>();
  const add = (name: string, folder: string): void => {
    const text = folder === gitDir ? null : textOf(join(folder, 'HEAD'));
    if (text) heads.set(name, text);
  };
  add('the main working tree', commonDir);
  const folder = join(commonDir, 'worktrees');
  if (existsSync(folder)) for (const name of namesIn(folder)) add(`the worktree ${name}`, join(folder, name));
  return heads;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The list of worktrees itself is read with the settings, and said to be a gap there.
    return [];
  }
}

/** Empty where there is no such file, null where it cannot be read. */
function textOf(path: string): string | null {
  try {
    return readSmallFile(path, 4096).toString('utf8').trim();
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? '' : null;
  }
}

function identityOf(folders: readonly string[], gap: (sentence: string) => void): string | null {
  try {
    const stats = folders.map((folder) => statSync(folder, { bigint: true }));
    // An inode is used again at once, so the birth counts too. Where a system has none, node gives the last change instead.
    return stats
      .map((stat) => `${stat.dev}:${stat.ino}:${stat.birthtimeNs < stat.ctimeNs ? stat.birthtimeNs : ''}`)
      .join(' ');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    gap(`cannot look at the git directory: ${systemCode(error) ?? 'unknown'}`);
    return null;
  }
}
