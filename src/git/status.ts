import { rawPath, type RawPath } from './raw-path.ts';

/** A tracked path whose file differs from the index, is unmerged, or is only intended to be added. */
export interface DirtyPath {
  path: RawPath;
  /** No file of that name is there (a folder may be). */
  gone: boolean;
}

/** What `git status --porcelain=v2 -z --no-renames --untracked-files=all --ignored=matching` saw in one walk. */
export interface Status {
  dirty: DirtyPath[];
  untracked: RawPath[];
  /** Folders that are, or could be, repositories of their own; git does not look into them. */
  nested: RawPath[];
  /** Files as `a/b`, whole folders as `a/`. */
  ignored: RawPath[];
}

/** Fields before the path, by the record's first letter. */
const FIELDS: { [letter: string]: number } = { '1': 8, u: 10 };

/** Throws an Error for a record of a form that is not known. */
export function parseStatus(output: Buffer): Status {
  const status: Status = { dirty: [], untracked: [], nested: [], ignored: [] };
  for (const record of rawPath(output).split('\0')) {
    const letter = record[0];
    if (letter === undefined || letter === '#') continue;
    if (letter === '!') {
      status.ignored.push(record.slice(2));
      continue;
    }
    if (letter === '?') addUntracked(record.slice(2), status);
    else addTracked(letter, record, status);
  }
  return status;
}

function addUntracked(path: RawPath, status: Status): void {
  if (path.endsWith('/')) status.nested.push(path.slice(0, -1));
  else status.untracked.push(path);
}

function addTracked(letter: string, record: string, status: Status): void {
  const count = FIELDS[letter];
  if (count === undefined)
    throw new Error(`git status printed a record of an unknown kind: ${record.slice(0, 40)}`);
  let at = 0;
  const fields: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    const space = record.indexOf(' ', at);
    if (space < 0) throw new Error(`git status printed a record that is cut off: ${record.slice(0, 40)}`);
    fields.push(record.slice(at, space));
    at = space + 1;
  }
  const inWorktree = (fields[1] ?? '..')[1];
  const modeThere = letter === '1' ? fields[5] : fields[6];
  if (inWorktree !== '.') status.dirty.push({ path: record.slice(at), gone: modeThere === '000000' });
}
