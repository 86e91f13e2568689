import { basename, dirname, join } from 'node:path/posix';
import { isObject, type JsonObject, objectOf, stringOf } from '../../core/json.ts';
import { oneLine, truncate } from '../../core/text.ts';
import type { Listing } from './listing.ts';
import { jsonOf, textOf } from './manifest.ts';

const MAX_MANIFESTS = 20;
const MAX_ENTRIES = 40;
const MAX_COMMANDS = 40;
const MAX_TEXT = 160;

/** Where the execution begins, or what others import. */
export interface EntryPoint {
  /** A file of the repository, or what the manifest names: a built file need not be there. */
  path: string;
  /** `command baton`, `library`, `program` … */
  what: string;
  /** The file that says so; the file itself where its name does. */
  from: string;
}

/** A command that the project has for itself. */
export interface ProjectCommand {
  /** As it is typed: `npm run build`, `make test`. */
  command: string;
  /** What it runs, where that is known in a line. */
  runs: string | null;
  from: string;
}

export function findEntryPoints({ paths, read }: Pick<Listing, 'paths' | 'read'>): EntryPoint[] {
  const manifests = named(paths, 'package.json').flatMap((path) => fromPackage(path, jsonOf(read(path))));
  const found = [
    ...manifests,
    ...named(paths, 'pyproject.toml').flatMap((path) => fromPyproject(path, textOf(read(path)))),
    ...named(paths, 'Cargo.toml').flatMap((path) => fromCargo(path, textOf(read(path)), new Set(paths))),
    ...paths.flatMap(byName),
  ];
  const unique = new Map(found.map((entry) => [`${entry.path}\0${entry.what}`, entry]));
  return [...unique.values()].slice(0, MAX_ENTRIES);
}

/** Scripts of the package at the top, and targets of its Makefile. */
export function findCommands({ paths, read }: Pick<Listing, 'paths' | 'read'>): ProjectCommand[] {
  const scripts = objectOf(jsonOf(read('package.json'))?.['scripts']);
  const runner = runnerOf(paths);
  const fromScripts = Object.entries(scripts).flatMap(([name, text]) =>
    typeof text === 'string' && isPlain(name)
      ? [{ command: `${runner} run ${name}`, runs: short(text), from: 'package.json' }]
      : [],
  );
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => paths.includes(name));
  const text = makefile === undefined ? '' : textOf(read(makefile));
  const targets = [...text.matchAll(/^([A-Za-z0-9][A-Za-z0-9_-]{0,60}) {0,20}::?(?![=:])/gm)];
  const fromMake = [...new Set(targets.map(([, target = '']) => target))].map((target) => ({
    command: `make ${target}`,
    runs: null,
    from: makefile ?? 'Makefile',
  }));
  return [...fromScripts, ...fromMake].slice(0, MAX_COMMANDS);
}

function fromPackage(manifest: string, json: JsonObject | null): EntryPoint[] {
  if (json === null) return [];
  const entry = (path: unknown, what: string): EntryPoint[] =>
    typeof path === 'string' && isPlainPath(path)
      ? [{ path: join(dirname(manifest), path), what, from: manifest }]
      : [];
  const { bin, exports, main } = json;
  const name = short((stringOf(json['name']) ?? '').replace(/^@[^/]*\//, ''));
  const bins: [string, unknown][] = typeof bin === 'string' ? [[name, bin]] : Object.entries(objectOf(bin));
  return [
    ...bins.flatMap(([command, path]) => entry(path, `command ${short(command)}`)),
    ...exportPaths(exports).flatMap((path) => entry(path, 'library')),
    ...entry(main, 'library'),
  ];
}

/** Every file that an `exports` field names, whatever the conditions; a pattern stays a pattern. */
function exportPaths(exports: unknown, depth = 0): string[] {
  if (typeof exports === 'string') return /\.json$|\.d\.[cm]?ts$/.test(exports) ? [] : [exports];
  if (!isObject(exports) || depth > 5) return [];
  return [...new Set(Object.values(exports).flatMap((value) => exportPaths(value, depth + 1)))];
}

function fromPyproject(manifest: string, text: string): EntryPoint[] {
  const scripts = sectionsOf(text, /^\[(?:project|tool\.poetry)\.scripts\]/);
  return [...scripts.matchAll(/^\s{0,20}["']?([\w.-]{1,80})["']?\s{0,20}=\s{0,20}["']([\w.]{1,200})/gm)].map(
    ([, name = '', module = '']) => ({
      path: join(dirname(manifest), `${module.replaceAll('.', '/')}.py`),
      what: `command ${name}`,
      from: manifest,
    }),
  );
}

function fromCargo(manifest: string, text: string, files: ReadonlySet<string>): EntryPoint[] {
  const at = (path: string): string => join(dirname(manifest), path);
  const named = [
    ...sectionsOf(text, /^\[\[bin\]\]/).matchAll(/^\s{0,20}path\s{0,20}=\s{0,20}"([^"\n]{1,200})"/gm),
  ];
  const usual = [
    { path: 'src/main.rs', what: 'program' },
    { path: 'src/lib.rs', what: 'library' },
  ].filter(({ path }) => files.has(at(path)));
  return [...usual, ...named.map(([, path = '']) => ({ path, what: 'program' }))]
    .filter(({ path }) => isPlainPath(path))
    .map(({ path, what }) => ({ path: at(path), what, from: manifest }));
}

/** The lines of the tables of a TOML file whose heading matches. */
function sectionsOf(text: string, heading: RegExp): string {
  let inside = false;
  return text
    .split('\n')
    .filter((line) => {
      if (line.startsWith('[')) inside = heading.test(line);
      return inside;
    })
    .join('\n');
}

/** Names that say by themselves that a program begins there. */
const PROGRAMS =
  /(?:^|\/)(?:main\.go|__main__\.py|manage\.py|config\.ru|Program\.cs|src\/bin\/[^/]+\.rs)$|^(?:main|app)\.py$/;

function byName(path: string): EntryPoint[] {
  return PROGRAMS.test(path) && !/(?:^|\/)(?:vendor|node_modules|testdata)\//.test(path)
    ? [{ path, what: 'program', from: path }]
    : [];
}

/** The files of that name that lie nearest to the top. */
function named(paths: readonly string[], name: string): string[] {
  const depth = (path: string): number => path.split('/').length;
  return paths
    .filter((path) => basename(path) === name && depth(path) <= 4 && !path.includes('node_modules/'))
    .sort((one, other) => depth(one) - depth(other))
    .slice(0, MAX_MANIFESTS);
}

function runnerOf(paths: readonly string[]): string {
  const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' };
  return Object.entries(locks).find(([file]) => paths.includes(file))?.[1] ?? 'npm';
}

function short(text: string): string {
  return truncate(oneLine(text), MAX_TEXT);
}

function isPlain(name: string): boolean {
  return /^[\w.:@/-]{1,80}$/.test(name);
}

/** A path that stays inside, and that can be shown as it is. */
function isPlainPath(path: string): boolean {
  return (
    /^[^\u0000-\u001f\u007f`\\]{1,300}$/.test(path) &&
    !path.startsWith('/') &&
    !path.split('/').includes('..')
  );
}
