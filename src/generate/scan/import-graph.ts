import { systemClock } from '../../core/clock.ts';
import { importSpecifiers } from './import-specifiers.ts';
import { countOf, mostFirst } from './languages.ts';
import type { Listing } from './listing.ts';
import { pathAliases, type PathAlias, resolveImport } from './resolve-import.ts';

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const MAX_SHOWN = 20;

/** How much is read at most. A scan is to take seconds, whatever the repository holds. */
export interface ReadLimits {
  files: number;
  bytes: number;
  ms: number;
}

export const READ_LIMITS: ReadLimits = { files: 5_000, bytes: 64 * 1024 ** 2, ms: 5_000 };

/** A file, and how many others import it. */
export interface ImportedFile {
  path: string;
  importedBy: number;
}

/** The most imported files among the script sources, and how many of those could not be looked at within the limits. */
export async function importGraph(
  listing: Pick<Listing, 'paths' | 'read'>,
  sources: readonly string[],
  limits: ReadLimits,
): Promise<{ mostImported: ImportedFile[]; unread: number }> {
  const scripts = sources.filter((path) => SCRIPT.test(path));
  if (scripts.length === 0) return { mostImported: [], unread: 0 };
  const files = new Set(listing.paths);
  const aliases = await aliasesOf(listing);
  const deadline = systemClock.monotonic() + limits.ms;
  const targets: string[] = [];
  let bytes = 0;
  let read = 0;
  for (const path of scripts.slice(0, limits.files)) {
    if (bytes > limits.bytes || systemClock.monotonic() > deadline) break;
    read += 1;
    const content = listing.read(path);
    if (content === null) continue;
    bytes += content.length;
    targets.push(...importedBy(path, content.toString('utf8'), files, aliases));
  }
  const mostImported = mostFirst(countOf(targets))
    .filter(([, count]) => count > 1)
    .slice(0, MAX_SHOWN)
    .map(([path, count]) => ({ path, importedBy: count }));
  return { mostImported, unread: scripts.length - read };
}

/** Each file once, however often it is named. */
function importedBy(
  path: string,
  text: string,
  files: ReadonlySet<string>,
  aliases: readonly PathAlias[],
): Set<string> {
  const found = importSpecifiers(text).flatMap(
    (specifier) => resolveImport(specifier, path, files, aliases) ?? [],
  );
  return new Set(found.filter((file) => file !== path));
}

/** These files may hold comments and trailing commas. */
async function aliasesOf({ read }: Pick<Listing, 'read'>): Promise<PathAlias[]> {
  const bytes = read('tsconfig.json') ?? read('jsconfig.json');
  if (bytes === null) return [];
  const { parse } = await import('jsonc-parser');
  const config: unknown = parse(bytes.toString('utf8'), [], { allowTrailingComma: true });
  return pathAliases(config);
}
