import { rawPath, type RawPath } from './raw-path.ts';

/** One difference between two trees, as `git diff-tree --raw` names it. */
export interface RawDifference {
  /** `A`, `D`, `M`, `R`, `T` ... */
  status: string;
  oldMode: string;
  newMode: string;
  oldOid: string;
  newOid: string;
  path: RawPath;
  /** Only of a rename. */
  from?: RawPath;
}

/** Lines added and deleted; null where the content is binary. */
export interface LineCount {
  added: number | null;
  deleted: number | null;
}

export interface RawDiff {
  differences: RawDifference[];
  /** By the new path. */
  lines: Map<RawPath, LineCount>;
}

/** Parses the output of `git diff-tree -r -z --raw --numstat`. Throws an Error where it has another form. */
export function parseRawDiff(output: Buffer): RawDiff {
  const fields = rawPath(output).split('\0');
  const diff: RawDiff = { differences: [], lines: new Map() };
  let at = 0;
  const next = (): string => {
    const field = fields[at++];
    if (!field) throw new Error('the output of git diff-tree is cut off');
    return field;
  };
  while (at < fields.length - 1) {
    const head = next();
    if (head.startsWith(':')) diff.differences.push(readDifference(head, next));
    else readLines(head, next, diff.lines);
  }
  return diff;
}

function readDifference(head: string, next: () => string): RawDifference {
  const [oldMode = '', newMode = '', oldOid = '', newOid = '', letter = ''] = head.slice(1).split(' ');
  const status = letter[0];
  if (status === undefined) throw new Error(`git diff-tree printed a record of an unknown form: ${head}`);
  const first = next();
  const both = { status, oldMode, newMode, oldOid, newOid };
  return status === 'R' || status === 'C' ? { ...both, from: first, path: next() } : { ...both, path: first };
}

function readLines(head: string, next: () => string, lines: Map<RawPath, LineCount>): void {
  const match = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(head);
  if (!match) throw new Error(`git diff-tree printed a record of an unknown form: ${head.slice(0, 80)}`);
  const [, added = '-', deleted = '-', name = ''] = match;
  let path = name;
  if (path === '') {
    // A rename: the old path, then the new one.
    next();
    path = next();
  }
  lines.set(path, {
    added: added === '-' ? null : Number(added),
    deleted: deleted === '-' ? null : Number(deleted),
  });
}
