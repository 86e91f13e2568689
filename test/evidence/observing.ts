import { chmodSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Env } from '../../src/core/environment.ts';
import { type BoundaryDifference, compareBoundary, readBoundary } from '../../src/evidence/boundary.ts';
import type { TestRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary.ts';

export const CLEAN: BoundaryDifference = { violations: [], notices: [], gaps: [], configChanged: false };

/** What baton sees of what `act` does. */
export async function observe(
  repository: TestRepository,
  act: () => unknown,
  options: { cwd?: string; home?: string; runDir?: string } = {},
): Promise<BoundaryDifference> {
  const look = lookAt(repository, options);
  const before = await look();
  await act();
  return compareBoundary(before, await look());
}

export function lookAt(
  repository: TestRepository,
  options: { cwd?: string; home?: string; runDir?: string } = {},
) {
  const { dir } = repository;
  const [gitDir = '', commonDir = ''] = repository
    .git('rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir')
    .split('\n');
  const objectFormat = repository.git('rev-parse', '--show-object-format') === 'sha256' ? 'sha256' : 'sha1';
  const env: Env = {
    PATH: process.env['PATH'] ?? '',
    HOME: options.home ?? temporaryFolder(),
    LANG: 'C.UTF-8',
  };
  return () =>
    readBoundary(
      { top: dir, gitDir, commonDir, objectFormat },
      {
        env,
        cwd: options.cwd ?? dir,
        gitTimeoutMs: 30_000,
        ...(options.runDir && { runDir: options.runDir }),
      },
    );
}

/** Kinds and details, one line each. */
export function lines({ violations }: BoundaryDifference): string[] {
  return violations.map(({ kind, detail }) => `${kind}: ${detail}`);
}

/** Runs as a user whom file modes bind: nobody, where the tests run as root. */
export async function asOrdinaryUser<T>(repository: TestRepository, action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  // The folders of a test are private to its user.
  for (let folder = repository.dir; folder.startsWith(realpathSync(tmpdir())); folder = dirname(folder))
    chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}
