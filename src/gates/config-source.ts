import { BatonError } from '../core/errors.ts';
import type { LaterLook } from '../evidence/later.ts';
import type { Repository } from '../git/repository.ts';
import { contentHash, isApproved } from '../trust/approval.ts';
import { readProjectFile } from '../trust/project-file.ts';
import { CONFIG_FILE, PACKAGE_FILE, parseConfig } from './config.ts';
import type { Gate } from './gate.ts';

/** The configuration of a project at one moment. */
export interface GateConfig {
  path: string;
  bytes: Buffer;
  /** Of the bytes; an approval is bound to it. */
  hash: string;
  approved: boolean;
  gates: Gate[];
}

/** The configuration as it lies in the working tree; null where there is none. Throws a BatonError for a broken one. */
export async function configInTree(repository: Repository): Promise<GateConfig | null> {
  return configFrom(repository, async (path) => readProjectFile(repository.top, path));
}

/** The configuration as it was in a tree, whatever became of it since. Rejects with a BatonError for a broken one. */
export async function configOf(
  repository: Repository,
  later: LaterLook,
  tree: string,
): Promise<GateConfig | null> {
  return configFrom(repository, async (path) => {
    const file = await later.fileIn(tree, path);
    if (file?.mode === '120000')
      throw new BatonError('project-file', `${path} is a symbolic link: it is not used`);
    return file?.bytes ?? null;
  });
}

async function configFrom(
  repository: Repository,
  read: (path: string) => Promise<Buffer | null>,
): Promise<GateConfig | null> {
  for (const path of [CONFIG_FILE, PACKAGE_FILE]) {
    const bytes = await (path === PACKAGE_FILE ? plainOrNothing(read(path)) : read(path));
    const gates = bytes && parseConfig(path, bytes);
    if (!bytes || !gates) continue;
    return { path, bytes, hash: contentHash(bytes), approved: isApprovedAsStored(repository, bytes), gates };
  }
  return null;
}

/** Every project may have a `package.json` of some kind: one that cannot be read holds no configuration of ours. */
async function plainOrNothing(reading: Promise<Buffer | null>): Promise<Buffer | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BatonError && ['project-file', 'tree-file'].includes(error.code)) return null;
    throw error;
  }
}

/**
 * Git may keep other line ends than the file has that a person approved (`core.autocrlf`). In JSON, they mean nothing.
 */
function isApprovedAsStored(repository: Repository, bytes: Buffer): boolean {
  if (isApproved(repository, 'gates', bytes)) return true;
  const text = bytes.toString('latin1');
  return (
    !text.includes('\r') &&
    isApproved(repository, 'gates', Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'))
  );
}
