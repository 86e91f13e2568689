import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { oneLine, truncate } from '../core/text.ts';
import { readPlainFile } from './plain-file.ts';

/** A commit as its own file in the object store holds it. */
interface LooseCommit {
  id: string;
  parents: string[];
  subject: string;
  /** Seconds since the epoch, as the committer says. */
  committedAt: number;
}

const MAX_BYTES = 1024 * 1024;
const MAX_WALK = 50;

/** Reads a commit that is not packed yet, as one just made is not; an annotated tag leads to its commit. Null for all else. */
export function readLooseCommit(objectsDir: string, id: string, hops = 2): LooseCommit | null {
  if (!/^[0-9a-f]{40,64}$/.test(id)) return null;
  const file = readPlainFile(join(objectsDir, id.slice(0, 2), id.slice(2)), MAX_BYTES);
  if (file.kind !== 'file' || !file.bytes) return null;
  try {
    const text = inflateSync(file.bytes, { maxOutputLength: MAX_BYTES }).toString('utf8');
    const tagged = /^tag \d+\0object ([0-9a-f]+)\n/.exec(text);
    if (tagged?.[1] && hops > 0) return readLooseCommit(objectsDir, tagged[1], hops - 1);
    return text.startsWith('commit ') ? parseCommit(id, text) : null;
  } catch {
    // Not an object that git would read either.
    return null;
  }
}

/** The commits that lead from `from` to `to` by first parents, newest first; null where no such way is found among loose ones. */
export function commitsBetween(objectsDir: string, from: string, to: string): LooseCommit[] | null {
  const commits: LooseCommit[] = [];
  let id: string | undefined = to;
  while (id !== undefined && commits.length < MAX_WALK) {
    const commit = readLooseCommit(objectsDir, id);
    if (!commit) return null;
    commits.push(commit);
    if (commit.parents.includes(from)) return commits;
    id = commit.parents[0];
  }
  return null;
}

/** `2 commits, the last "subject"`. */
export function describeCommits(commits: readonly LooseCommit[]): string {
  const subject = JSON.stringify(commits[0]?.subject ?? '');
  return commits.length === 1 ? `1 commit ${subject}` : `${commits.length} commits, the last ${subject}`;
}

function parseCommit(id: string, text: string): LooseCommit {
  const end = text.indexOf('\n\n');
  const header = end < 0 ? text : text.slice(0, end);
  const body = end < 0 ? '' : text.slice(end + 2);
  return {
    id,
    parents: [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? ''),
    subject: truncate(oneLine(body.split('\n', 1)[0] ?? ''), 100),
    committedAt: Number(/^committer .* (\d+) [+-]\d+$/m.exec(header)?.[1] ?? Number.NaN),
  };
}
