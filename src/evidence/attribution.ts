import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import type { GitCall } from '../git/private-git.ts';
import { parseRawDiff, type RawDiff, type RawDifference } from '../git/raw-diff.ts';
import { type RawPath, rawPath, showPath } from '../git/raw-path.ts';
import { firstLine, type GitOutput } from '../git/trusted.ts';
import type { Change, ChangeKind } from '../rundir/result.ts';
import { coveredBy } from './left-out.ts';

export interface AttributionRequest {
  git: GitCall;
  /** Trees before and after the run. */
  before: string;
  after: string;
  /** The commit or tree that HEAD was before; null where every path that existed then differed from it. */
  base: string | null;
  /** The run's object store. */
  objects: string;
  /** Where the patch goes, replaced as a whole. */
  patch: string;
  /** A folder of the run for what is not finished. */
  scratch: string;
}

/** What the run changed, path by path, and what could not be kept of it. */
export interface Attribution {
  changes: Change[];
  gaps: string[];
}

const TREE = '040000';
const COMMIT = '160000';
const NO_OID = /^0+$/;
const PATCH = [
  '-p',
  '--binary',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Compares the two trees, writes the patch, and keeps both sides of every change in the run's store. */
export async function attribute(request: AttributionRequest): Promise<Attribution> {
  const { before, after } = request;
  const written = writePatch(request);
  if (before === after) return { changes: [], gaps: [await written].filter((gap) => gap !== null) };
  const [{ diff, gap: linesGap }, dirty, patchGap] = await Promise.all([
    readDiff(request),
    pathsUnlike(request),
    written,
  ]);
  // Git itself cannot apply the patch of a link that was renamed, where a folder took its place: with the link, or
  // something else, in it.
  const belowRenamed = coveredBy(
    diff.differences.flatMap(({ from }) => (from === undefined ? [] : [`${from}/`])),
  );
  const again = diff.differences.some(({ path }) => belowRenamed(path));
  if (again) await writePatch(request, '--no-renames');
  const keepGap = await keepBothSides(request, diff.differences);
  return {
    changes: changesOf(diff, dirty),
    gaps: [linesGap, patchGap, keepGap].filter((gap) => gap !== null),
  };
}

/** With renames and lines; without them where a content is missing (a partial clone), as nothing is fetched. */
async function readDiff({
  git,
  before,
  after,
}: AttributionRequest): Promise<{ diff: RawDiff; gap: string | null }> {
  const run = (...flags: string[]): Promise<GitOutput> =>
    git([
      'diff-tree',
      '-r',
      '-t',
      '-z',
      '--raw',
      '--no-abbrev',
      '--no-ext-diff',
      '--no-textconv',
      ...flags,
      before,
      after,
    ]);
  const full = await run('-M', '--numstat');
  if (full.code === 0) return { diff: parseRawDiff(full.stdout), gap: null };
  const bare = await run('--no-renames');
  if (bare.code !== 0) throw new BatonError('git-diff', `git diff-tree failed: ${firstLine(bare.stderr)}`);
  return { diff: parseRawDiff(bare.stdout), gap: `lines could not be counted: ${firstLine(full.stderr)}` };
}

/** The paths that differed from HEAD before the run; null stands for all of them. */
async function pathsUnlike({ git, base, before }: AttributionRequest): Promise<Set<RawPath> | null> {
  if (base === null) return null;
  const { code, stdout, stderr } = await git([
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--name-only',
    base,
    before,
  ]);
  if (code !== 0) throw new BatonError('git-diff', `git diff-tree failed: ${firstLine(stderr)}`);
  return new Set(rawPath(stdout).split('\0'));
}

/** Git writes the patch itself: it may be larger than memory. Then it takes its place, also where that is a link by now. */
async function writePatch(
  { git, before, after, patch, scratch }: AttributionRequest,
  renames = '-M',
): Promise<string | null> {
  const file = join(scratch, 'changes.patch');
  rmSync(file, { force: true });
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  const answer =
    before === after
      ? null
      : await git(['diff-tree', '-r', renames, ...PATCH, `--output=${file}`, before, after]);
  renameSync(file, patch);
  return answer === null || answer.code === 0
    ? null
    : `the patch is not complete: ${firstLine(answer.stderr)}`;
}

/** Copies what only the user's own store has: a `gc` there may drop it, and then nobody could show or land this run. */
async function keepBothSides(
  { git, objects, before, after }: AttributionRequest,
  differences: readonly RawDifference[],
): Promise<string | null> {
  const wanted = new Set([before, after]);
  for (const { oldMode, newMode, oldOid, newOid } of differences) {
    if (oldMode !== COMMIT && !NO_OID.test(oldOid)) wanted.add(oldOid);
    if (newMode !== COMMIT && !NO_OID.test(newOid)) wanted.add(newOid);
  }
  const borrowed = [...wanted].filter((oid) => !existsSync(join(objects, oid.slice(0, 2), oid.slice(2))));
  if (borrowed.length === 0) return null;
  const pack = join(objects, 'pack', 'pack');
  mkdirSync(dirname(pack), { recursive: true, mode: 0o700 });
  const { code, stderr } = await git(['pack-objects', '-q', pack], {
    input: Buffer.from(`${borrowed.join('\n')}\n`),
  });
  return code === 0 ? null : `the contents before the run could not be copied: ${firstLine(stderr)}`;
}

function changesOf({ differences, lines }: RawDiff, dirty: Set<RawPath> | null): Change[] {
  return differences
    .filter(({ oldMode, newMode }) => oldMode !== TREE && newMode !== TREE)
    .map((difference) => {
      const { path, from, status } = difference;
      const count = lines.get(path);
      return {
        path: showPath(path),
        ...(from !== undefined && { from: showPath(from) }),
        kind: kindOf(difference),
        added: count?.added ?? null,
        deleted: count?.deleted ?? null,
        preexisting:
          dirty === null ? status !== 'A' : dirty.has(path) || (from !== undefined && dirty.has(from)),
      };
    });
}

function kindOf({ status, oldMode, newMode, oldOid, newOid }: RawDifference): ChangeKind {
  if (status === 'A') return 'added';
  if (status === 'D') return 'deleted';
  if (status === 'R') return 'renamed';
  if (status === 'T') return 'type';
  return oldOid === newOid && oldMode !== newMode ? 'mode' : 'modified';
}
