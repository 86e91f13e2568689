import type { Env } from '../../core/environment.ts';
import { type EntryPoint, findCommands, findEntryPoints, type ProjectCommand } from './entry-points.ts';
import { type ImportedFile, importGraph, READ_LIMITS, type ReadLimits } from './import-graph.ts';
import { countOf, languageOf, mostFirst } from './languages.ts';
import { listRepository } from './listing.ts';
import { type SizeClass, sizeClassOf } from './size-class.ts';
import { findTests, isTestFile, type TestFacts } from './tests.ts';

const MAX_FOLDERS = 20;
const MAX_DOCUMENTS = 30;

export interface ScanOptions {
  /** The environment that git runs in. */
  env: Env;
  /** How much source text is read at most. Default: 5,000 files, 64 MiB, 5 seconds. */
  limits?: ReadLimits;
}

/** What a repository looks like from outside, found without a model and without running any of its code. Paths are relative to `top`. */
export interface RepositoryScan {
  /** Top of the working tree, a real path. */
  top: string;
  /** Files that are tracked, or untracked and not ignored. */
  files: number;
  /** Source files by language, most first. */
  languages: { language: string; files: number }[];
  size: { sourceFiles: number; class: SizeClass };
  entryPoints: EntryPoint[];
  commands: ProjectCommand[];
  tests: TestFacts;
  /** Where the source files lie, tests left out, two folders deep, most files first. */
  folders: { path: string; sourceFiles: number }[];
  /** Texts for people: the readme, rules for contributors, `docs/`. */
  documents: string[];
  /** TypeScript and JavaScript files by how many others import them, most first. */
  mostImported: ImportedFile[];
  /** What this scan left out, in sentences. */
  gaps: string[];
}

/**
 * Looks at the working tree that `root` lies in: names from git, then a bounded look into manifests and scripts. Links
 * are not followed. Throws a UsageError outside a repository, and a BatonError where git does not answer.
 */
export async function scanRepository(
  root: string,
  { env, limits = READ_LIMITS }: ScanOptions,
): Promise<RepositoryScan> {
  const listing = await listRepository(root, env);
  const { paths } = listing;
  const sources = paths.filter((path) => languageOf(path) !== null);
  const own = sources.filter((path) => !isTestFile(path));
  const { mostImported, unread } = await importGraph(listing, sources, limits);
  return {
    top: listing.repository.top,
    files: paths.length,
    languages: mostFirst(countOf(sources.flatMap((path) => languageOf(path) ?? []))).map(
      ([language, files]) => ({
        language,
        files,
      }),
    ),
    size: { sourceFiles: sources.length, class: sizeClassOf(sources.length) },
    entryPoints: findEntryPoints(listing),
    commands: findCommands(listing),
    tests: findTests(listing, sources),
    folders: mostFirst(countOf(own.flatMap((path) => folderOf(path) ?? [])))
      .slice(0, MAX_FOLDERS)
      .map(([path, sourceFiles]) => ({ path, sourceFiles })),
    documents: paths.filter(isDocument).slice(0, MAX_DOCUMENTS),
    mostImported,
    gaps:
      unread === 0
        ? []
        : [`the imports of ${unread} files were not read: there are too many, or they are too large`],
  };
}

/** The folder of a file, two deep; null for a file at the top. */
function folderOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1).slice(0, 2);
  return folders.length === 0 ? null : folders.join('/');
}

function isDocument(path: string): boolean {
  return /^[^/]+\.(?:md|rst|adoc)$|^(?:docs?|\.github)\/[^/]+\.(?:md|rst|adoc)$/i.test(path);
}
