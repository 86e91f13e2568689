import { join } from 'node:path';
import { changedFiles, type ChangedFile } from '../../src/review/changed-file.ts';
import { readContents } from '../../src/review/contents.ts';
import { findingsOf } from '../../src/review/detect/all.ts';
import type { Reviewed } from '../../src/review/detect/detector.ts';
import type { Finding } from '../../src/review/finding.ts';
import { parsePatch } from '../../src/review/patch.ts';
import type { Change, Result } from '../../src/rundir/result.ts';
import { exampleResult } from '../rundir/example.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const PATCH = ['-p', '--binary', '--full-index', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

export interface Texts {
  [path: string]: string | null;
}

/** What the review sees of a step from some files to others, through real git. */
export async function changed(before: Texts, after: Texts): Promise<ChangedFile[]> {
  const repository = makeRepository({ files: null });
  const [from, to] = [treeOf(repository, before), treeOf(repository, { ...before, ...after })];
  const patch = repository.git('diff-tree', '-r', '-M', ...PATCH, from, to);
  const patches = parsePatch(Buffer.from(patch === '' ? '' : `${patch}\n`));
  const contents = await readContents(
    patches.flatMap(({ oldOid, newOid }) => [oldOid, newOid]).filter((oid) => oid !== null),
    {
      repository: {
        top: repository.dir,
        gitDir: join(repository.dir, '.git'),
        commonDir: join(repository.dir, '.git'),
        objectFormat: 'sha1',
      },
      objects: join(repository.dir, '.git', 'objects'),
      env: { PATH: process.env['PATH'] ?? '', HOME: repository.dir },
      maxBytes: 2 ** 21,
    },
  );
  return changedFiles(patches, contents);
}

function treeOf(repository: TestRepository, files: Texts): string {
  repository.write(files);
  repository.git('add', '-A', '-f');
  return repository.git('write-tree');
}

/** A result of a run that changed these files. */
export function resultFor(files: readonly ChangedFile[], more: Partial<Result> = {}): Result {
  const example = exampleResult();
  const changes = files.map(
    ({ path, oldPath, patch }): Change => ({
      path,
      ...(oldPath !== path && { from: oldPath }),
      kind: oldPath === path ? patch.status : 'renamed',
      added: 1,
      deleted: 1,
      preexisting: false,
    }),
  );
  const evidence = {
    ...example.evidence,
    tree: files.length > 0 ? ('changed' as const) : ('unchanged' as const),
    changes,
    violations: [],
    coverage: { complete: true, gaps: [], ignored: 'not-scanned' as const },
  };
  return {
    ...example,
    finalMessage: '',
    evidence,
    agent: { ...example.agent, denials: [] },
    readOnlyViolation: false,
    ...more,
  };
}

/** All findings of a step. */
export async function findingsIn(
  before: Texts,
  after: Texts,
  more: Partial<Reviewed> = {},
): Promise<Finding[]> {
  const files = await changed(before, after);
  return findingsOf({
    result: resultFor(files),
    files,
    gates: null,
    calls: [],
    testTexts: new Map(),
    ...more,
  });
}
