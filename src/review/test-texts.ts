import { delimiter, join } from 'node:path';
import type { Env } from '../core/environment.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import { trustedGit } from '../git/trusted.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { Result } from '../rundir/result.ts';
import { parseBatch } from './contents.ts';
import { isTest, languageOf } from './paths.ts';

/** More test files than this are not read: what is looked for in them is worth seconds, not minutes. */
const MAX_FILES = 3000;
const MAX_BYTES = 40 * 1024 * 1024;

/**
 * The test files of the tree before the run, by path: what the implementer could see and write answers for. Empty
 * where they cannot be read, or are too many.
 */
export async function readTestTexts(
  { runDir, repository, env }: { runDir: string; repository: Repository | NoRepository; env: Env },
  { evidence }: Result,
): Promise<ReadonlyMap<string, string>> {
  const tree = evidence.beforeTree;
  if ('problem' in repository || tree === null || evidence.changes.length === 0) return new Map();
  // What the run did not change may lie in the user's store alone.
  const store = join(repository.commonDir, 'objects');
  if (store.includes(delimiter) || /["\n]/.test(store)) return new Map();
  const git = (args: readonly string[], input?: Buffer) =>
    trustedGit(repository, args, {
      env,
      timeoutMs: 30_000,
      ...(input && { input }),
      extraEnv: {
        GIT_OBJECT_DIRECTORY: artifactPath(runDir, 'objects'),
        GIT_ALTERNATE_OBJECT_DIRECTORIES: store,
      },
    });
  const list = await git(['ls-tree', '-r', '-z', '-l', tree]);
  if (list.code !== 0) return new Map();
  const tests = list.stdout
    .toString('utf8')
    .split('\0')
    .flatMap((entry) => {
      const [, oid, size, path] = /^\d+ blob ([0-9a-f]+) +(\d+)\t([^]*)$/.exec(entry) ?? [];
      const wanted = path !== undefined && isTest(path) && languageOf(path) !== 'other';
      return wanted && oid !== undefined ? [{ path, oid, size: Number(size) }] : [];
    });
  const bytes = tests.reduce((sum, { size }) => sum + size, 0);
  if (tests.length === 0 || tests.length > MAX_FILES || bytes > MAX_BYTES) return new Map();
  const answer = await git(['cat-file', '--batch'], Buffer.from(tests.map(({ oid }) => `${oid}\n`).join('')));
  if (answer.code !== 0) return new Map();
  const contents = parseBatch(answer.stdout);
  return new Map(
    tests.flatMap(({ path, oid }) => {
      const content = contents.get(oid);
      return content ? [[path, content.toString('utf8')] as const] : [];
    }),
  );
}
