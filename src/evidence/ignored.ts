import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../core/environment.ts';
import { messageOf } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { trustedGit } from '../git/trusted.ts';

/** Stat fingerprints of the ignored files, by path relative to the top; or why there are none. */
export type IgnoredState =
  | { scanned: true; files: ReadonlyMap<string, string> }
  | { scanned: false; reason: string };

export interface IgnoredOptions {
  env: Env;
  gitTimeoutMs: number;
  signal?: AbortSignal;
  /** Beyond any of these the scan gives up: half a list would look like files that went away. */
  limits: { files: number; pathBytes: number; ms: number };
}

export type IgnoredDifference =
  | { ignored: 'scanned'; changes: { path: string; kind: 'added' | 'modified' | 'deleted' }[] }
  | { ignored: 'not-scanned'; reason: string };

/** Lists the ignored files and takes size, mtime and inode of each; contents are not read. Never rejects. */
export async function scanIgnored(repository: Repository, options: IgnoredOptions): Promise<IgnoredState> {
  const { env, gitTimeoutMs, signal, limits } = options;
  const end = performance.now() + limits.ms;
  const timeoutMs = Math.min(gitTimeoutMs, limits.ms);
  try {
    const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z'];
    const listing = await trustedGit(repository, args, {
      env,
      timeoutMs,
      maxBytes: limits.pathBytes,
      ...(signal && { signal }),
    });
    if (listing.code !== 0) return { scanned: false, reason: listing.stderr.trim() };
    return fingerprints(repository.top, listing.stdout, limits, end);
  } catch (error) {
    return { scanned: false, reason: messageOf(error) };
  }
}

/** A file that is ignored only now was an ordinary one before: its change, if any, is told elsewhere. */
export function compareIgnored(before: IgnoredState, after: IgnoredState): IgnoredDifference {
  if (!before.scanned) return { ignored: 'not-scanned', reason: before.reason };
  if (!after.scanned) return { ignored: 'not-scanned', reason: after.reason };
  const changes: { path: string; kind: 'added' | 'modified' | 'deleted' }[] = [];
  for (const [path, stamp] of before.files) {
    const now = after.files.get(path);
    if (now === undefined) changes.push({ path, kind: 'deleted' });
    else if (now !== stamp) changes.push({ path, kind: 'modified' });
  }
  for (const path of after.files.keys()) if (!before.files.has(path)) changes.push({ path, kind: 'added' });
  return { ignored: 'scanned', changes };
}

function fingerprints(
  top: string,
  listing: Buffer,
  limits: IgnoredOptions['limits'],
  end: number,
): IgnoredState {
  const paths = listing.toString('latin1').split('\0').filter(Boolean);
  if (paths.length > limits.files)
    return { scanned: false, reason: `${paths.length} ignored files, more than ${limits.files}` };
  const files = new Map<string, string>();
  for (const path of paths) {
    if (performance.now() > end)
      return { scanned: false, reason: `the ignored files took more than ${limits.ms} ms` };
    const bytes = Buffer.from(path, 'latin1');
    files.set(bytes.toString('utf8'), stampOf(Buffer.concat([Buffer.from(join(top, '/')), bytes])));
  }
  return { scanned: true, files };
}

function stampOf(path: Buffer): string {
  try {
    const { size, mtimeNs, ino } = lstatSync(path, { bigint: true });
    return `${size} ${mtimeNs} ${ino}`;
  } catch (error) {
    return messageOf(error);
  }
}
