import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-write.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import type { Repository } from '../git/repository.ts';
import { readProjectFile } from './project-file.ts';

/** Of a git directory: for the working tree that it belongs to, or for all. */
const FOLDER = 'delegate-skills';

/** What can be approved, each with the file in that folder that holds the hash. */
const APPROVALS = {
  lanes: 'project-config.sha256',
  gates: 'gates-config.sha256',
  prompts: 'prompts.sha256',
} as const;

export type Approvable = keyof typeof APPROVALS;

/** Lower-case hex SHA-256 of a file's bytes: what an approval is bound to. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Whether a person approved exactly these bytes, here or for all worktrees of the repository. A clone has no approval,
 * and an edit loses it: the file may come from anybody.
 */
export function isApproved(repository: Repository, what: Approvable, bytes: Uint8Array): boolean {
  const hash = contentHash(bytes);
  return [repository.gitDir, repository.commonDir].some((dir) => approvedHash(dir, what) === hash);
}

/**
 * Writes down that these bytes are approved: for this working tree, and for all of the repository's where it is the main
 * one or none was approved for them yet. Returns the files that were written. Throws a BatonError `approval`.
 */
export function approve(repository: Repository, what: Approvable, bytes: Uint8Array): string[] {
  const own = approvalFile(repository.gitDir, what);
  const common = approvalFile(repository.commonDir, what);
  const files = own === common || existsSync(common) ? [own] : [own, common];
  for (const file of files) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileAtomic(file, `${contentHash(bytes)}\n`);
    } catch (error) {
      throw new BatonError('approval', `the approval ${file} cannot be written: ${messageOf(error)}`, {
        hint: 'approve it where the git directory can be written: inside an agent sandbox it is read-only',
        cause: error,
      });
    }
  }
  return files;
}

/** Every file of a git directory that may hold an approval: who writes there decides what baton runs. */
export function approvalFiles(gitDir: string): string[] {
  return Object.values(APPROVALS).map((name) => join(gitDir, FOLDER, name));
}

function approvalFile(gitDir: string, what: Approvable): string {
  return join(gitDir, FOLDER, APPROVALS[what]);
}

/** What cannot be read approves nothing. */
function approvedHash(gitDir: string, what: Approvable): string | null {
  try {
    const text = readProjectFile(gitDir, `${FOLDER}/${APPROVALS[what]}`)?.toString('latin1');
    return text?.trim().toLowerCase() ?? null;
  } catch {
    return null;
  }
}
