import { pathIn, rawFrom, type RawPath, showPath } from '../git/raw-path.ts';
import type { Repository } from '../git/repository.ts';
import type { Change } from '../rundir/result.ts';
import type { BoundaryDifference } from './boundary.ts';
import { type Budget, findRepositories, printFolder } from './folder-prints.ts';
import {
  compareNestedBoundary,
  type NestedBoundaryState,
  type NestedRepository,
  readNestedBoundary,
} from './nested-boundary.ts';
import { hasGit, openNested, sharesOurs } from './nested-place.ts';
import { comparePrints, type Print, statOf, statPrint } from './print.ts';
import type { Snapshot } from './snapshot.ts';
import { dirtySubmodule } from './submodule-state.ts';

/**
 * Submodules and other repositories inside the tree. Git is never run in them: their configuration may have been
 * written by the implementer, and would start programs of its own. Their files are compared by plain reads.
 */
export interface NestedState {
  /** Folders whose files git leaves to another repository, by path relative to the top. */
  roots: ReadonlyMap<RawPath, ReadonlyMap<RawPath, Print>>;
  repositories: NestedRepository[];
  boundary: NestedBoundaryState;
  gaps: string[];
  /** Submodules that were dirty before. */
  doubts: string[];
}

export interface NestedDifference {
  changes: Change[];
  boundary: BoundaryDifference;
  /** What could not be compared. */
  gaps: string[];
  doubts: string[];
}

type IsOwn = (path: RawPath) => boolean;

const CONTENT_BUDGET: Budget = { entries: 50_000, bytes: 64 * 1024 * 1024 };
/** For the search in ignored folders, which only lists. A large `node_modules` has about 50,000 entries. */
const IGNORED_ENTRIES = 200_000;

/** Finds and reads them, before the run. */
export async function readNested(
  repository: Repository,
  { scan, status }: Snapshot,
  isOwn: IsOwn,
  signal: AbortSignal | undefined,
): Promise<NestedState> {
  const { roots, inside, gaps } = await readRoots(
    repository,
    [...scan.gitlinks, ...status.nested],
    isOwn,
    undefined,
    signal,
  );
  const paths = new Set([
    ...inside,
    ...[...scan.folders].filter((folder) => folder !== '' && hasGit(repository.top, folder)),
  ]);
  const budget: Budget = { entries: IGNORED_ENTRIES, bytes: 0 };
  for (const folder of status.ignored.filter((path) => path.endsWith('/'))) {
    const found = await findRepositories(repository.top, folder.slice(0, -1), budget, signal);
    for (const path of found.repositories) paths.add(path);
    gaps.push(...found.gaps.map((gap) => `ignored: ${gap}, so repositories in there may have been missed`));
    if (budget.entries < 0) break;
  }
  const repositories = [...paths].flatMap((path) => openNested(repository.top, path) ?? []);
  const watched = repositories.filter((nested) => !sharesOurs(nested, repository));
  const doubts = scan.gitlinks.flatMap((path) => dirtySubmodule(repository, path, roots.get(path)) ?? []);
  return { roots, repositories, boundary: readNestedBoundary(watched), gaps, doubts };
}

/** Reads them again after the run: those of before, and the ones that are new. */
export async function readNestedAgain(
  repository: Repository,
  { status }: Snapshot,
  before: NestedState,
  isOwn: IsOwn,
  signal: AbortSignal | undefined,
): Promise<NestedState> {
  const folders = [...new Set([...before.roots.keys(), ...status.nested])];
  const { roots, inside, gaps } = await readRoots(repository, folders, isOwn, before.roots, signal);
  const known = new Set(before.repositories.map(({ path }) => path));
  const fresh = inside
    .filter((path) => !known.has(showPath(path)))
    .flatMap((path) => openNested(repository.top, path) ?? []);
  // Opened again: a `.git` that now leads to another directory is what this is about.
  const watched = [...before.boundary.keys()].flatMap(
    (path) => openNested(repository.top, rawFrom(path)) ?? [],
  );
  const repositories = [...before.repositories, ...fresh];
  return { roots, repositories, boundary: readNestedBoundary(watched), gaps, doubts: before.doubts };
}

/** What differs. Files of nested repositories have no place in the tree, so they are named but have no lines. */
export function compareNested(before: NestedState, after: NestedState): NestedDifference {
  const changes: Change[] = [];
  const gaps = [...new Set([...before.gaps, ...after.gaps])];
  for (const [root, files] of after.roots) {
    const old = before.roots.get(root) ?? new Map<RawPath, Print>();
    const found = compareFiles(old, files, gaps);
    changes.push(...found);
    if (found.length > 0)
      gaps.push(`${showPath(root)} is a repository of its own: what changed in it is not in the patch`);
  }
  const known = new Set(before.repositories.map(({ path }) => path));
  const notices = after.repositories
    .filter(({ path }) => !known.has(path))
    .map(({ path }) => `a repository was made in ${path}`);
  const boundary = compareNestedBoundary(before.boundary, after.boundary);
  return {
    changes,
    boundary: { ...boundary, notices: [...boundary.notices, ...notices] },
    gaps,
    doubts: after.doubts,
  };
}

async function readRoots(
  { top }: Repository,
  folders: readonly RawPath[],
  isOwn: IsOwn,
  earlier: ReadonlyMap<RawPath, ReadonlyMap<RawPath, Print>> | undefined,
  signal: AbortSignal | undefined,
): Promise<{ roots: Map<RawPath, ReadonlyMap<RawPath, Print>>; inside: RawPath[]; gaps: string[] }> {
  const roots = new Map<RawPath, ReadonlyMap<RawPath, Print>>();
  const inside: RawPath[] = [];
  const gaps: string[] = [];
  const budget = { ...CONTENT_BUDGET };
  for (const folder of folders) {
    const file = pathIn(top, folder);
    if (!statOf(file)?.isDirectory()) {
      const itself = statPrint(file);
      // The folder of a submodule may have been replaced by a file, or be gone.
      roots.set(folder, new Map(itself ? [[folder, itself]] : []));
      continue;
    }
    const known = earlier?.get(folder);
    const found = await printFolder(top, folder, { budget, signal, ...(known && { earlier: known }) });
    for (const path of found.files.keys()) if (isOwn(path)) found.files.delete(path);
    roots.set(folder, found.files);
    inside.push(...found.repositories);
    gaps.push(...found.gaps);
  }
  return { roots, inside, gaps };
}

function compareFiles(
  before: ReadonlyMap<RawPath, Print>,
  after: ReadonlyMap<RawPath, Print>,
  gaps: string[],
): Change[] {
  const changes: Change[] = [];
  const add = (path: RawPath, kind: Change['kind'], preexisting: boolean): void =>
    void changes.push({ path: showPath(path), kind, added: null, deleted: null, preexisting });
  for (const [path, old] of before) {
    const now = after.get(path);
    const difference = now ? comparePrints(old, now) : 'deleted';
    if (difference === 'unsure')
      gaps.push(`${showPath(path)} was written to: whether it changed cannot be told`);
    else if (difference !== 'same') add(path, difference, true);
  }
  for (const path of after.keys()) if (!before.has(path)) add(path, 'added', false);
  return changes;
}
