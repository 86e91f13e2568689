import { extname } from 'node:path/posix';

/** By the ending of the name: enough to say what a repository is written in, without reading it. */
const LANGUAGES: { readonly [ending: string]: string } = {
  '.ts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.mts': 'TypeScript',
  '.cts': 'TypeScript',
  '.js': 'JavaScript',
  '.jsx': 'JavaScript',
  '.mjs': 'JavaScript',
  '.cjs': 'JavaScript',
  '.vue': 'Vue',
  '.svelte': 'Svelte',
  '.astro': 'Astro',
  '.py': 'Python',
  '.rs': 'Rust',
  '.go': 'Go',
  '.rb': 'Ruby',
  '.php': 'PHP',
  '.java': 'Java',
  '.kt': 'Kotlin',
  '.kts': 'Kotlin',
  '.scala': 'Scala',
  '.clj': 'Clojure',
  '.cs': 'C#',
  '.fs': 'F#',
  '.c': 'C',
  '.h': 'C',
  '.cc': 'C++',
  '.cpp': 'C++',
  '.cxx': 'C++',
  '.hpp': 'C++',
  '.swift': 'Swift',
  '.m': 'Objective-C',
  '.dart': 'Dart',
  '.ex': 'Elixir',
  '.exs': 'Elixir',
  '.erl': 'Erlang',
  '.hs': 'Haskell',
  '.ml': 'OCaml',
  '.lua': 'Lua',
  '.r': 'R',
  '.jl': 'Julia',
  '.zig': 'Zig',
  '.sh': 'Shell',
  '.bash': 'Shell',
  '.sql': 'SQL',
  '.tf': 'Terraform',
};

/** Code that somebody else wrote, or a program: it says nothing of how this repository is worked on. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third[_-]party|dist|build|\.yarn)\/|\.min\.js$|\.d\.ts$/;

/** The language of a source file; null for what is none, or not this repository's own. */
export function languageOf(path: string): string | null {
  if (FOREIGN.test(path)) return null;
  const ending = extname(path).toLowerCase();
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? null) : null;
}

/** What lists are sorted by: most first, then by name, so that the same repository always gives the same text. */
export function mostFirst(counts: ReadonlyMap<string, number>): [name: string, count: number][] {
  return [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
}

/** How often each name occurs. */
export function countOf(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
