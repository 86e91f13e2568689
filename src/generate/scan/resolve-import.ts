import { dirname, join, normalize } from 'node:path/posix';
import { arrayOf, isObject, objectOf, stringOf } from '../../core/json.ts';

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'] as const;
/** TypeScript names the file that will be there after the build. */
const SOURCES: readonly [built: RegExp, sources: readonly string[]][] = [
  [/\.js$/, ['.ts', '.tsx']],
  [/\.jsx$/, ['.tsx']],
  [/\.mjs$/, ['.mts']],
  [/\.cjs$/, ['.cts']],
];

/** `@/*` to the folders that it stands for, as `compilerOptions.paths` has it. */
export interface PathAlias {
  prefix: string;
  /** Null where the pattern has no star: then the name is exactly `prefix`. */
  suffix: string | null;
  targets: string[];
}

/**
 * The file of the repository that a module name stands for; null for a package, and for what is not there. Nothing is
 * looked up on disk: `files` is all there is.
 */
export function resolveImport(
  specifier: string,
  from: string,
  files: ReadonlySet<string>,
  aliases: readonly PathAlias[],
): string | null {
  const plain = specifier.replace(/[?#].*$/, '');
  if (plain.startsWith('./') || plain.startsWith('../') || plain === '.' || plain === '..')
    return fileAt(join(dirname(from), plain), files);
  for (const alias of aliases) {
    const rest = restAfter(plain, alias);
    if (rest === null) continue;
    for (const target of alias.targets) {
      const found = fileAt(normalize(target.replace('*', () => rest)), files);
      if (found !== null) return found;
    }
  }
  return null;
}

/** What the star of the pattern stands for; null where the name does not match. */
function restAfter(name: string, { prefix, suffix }: PathAlias): string | null {
  if (suffix === null) return name === prefix ? '' : null;
  const fits =
    name.startsWith(prefix) && name.endsWith(suffix) && name.length >= prefix.length + suffix.length;
  return fits ? name.slice(prefix.length, name.length - suffix.length) : null;
}

function fileAt(path: string, files: ReadonlySet<string>): string | null {
  const bare = path.replace(/\/+$/, '');
  if (bare.startsWith('..')) return null;
  const sources = SOURCES.flatMap(([built, endings]) =>
    built.test(bare) ? endings.map((ending) => bare.replace(built, ending)) : [],
  );
  const inFolder = bare === '.' ? 'index' : `${bare}/index`;
  const candidates = [
    bare,
    ...sources,
    ...ENDINGS.map((ending) => bare + ending),
    ...ENDINGS.map((ending) => inFolder + ending),
  ];
  return candidates.find((candidate) => files.has(candidate)) ?? null;
}

/** The aliases of a parsed tsconfig or jsconfig at the top. What another file adds with `extends` is not read. */
export function pathAliases(config: unknown): PathAlias[] {
  if (!isObject(config)) return [];
  const options = objectOf(config['compilerOptions']);
  const base = stringOf(options['baseUrl']) ?? '.';
  const aliases = Object.entries(objectOf(options['paths'])).map(([pattern, targets]): PathAlias => {
    const [prefix = '', suffix = null] = pattern.split('*');
    const places = arrayOf(targets).flatMap((target) => stringOf(target) ?? []);
    return { prefix, suffix, targets: places.map((target) => join(base, target)) };
  });
  // The more of the name a pattern fixes, the sooner it counts.
  return aliases.sort((one, other) => other.prefix.length - one.prefix.length);
}
