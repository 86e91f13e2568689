import { posix } from 'node:path';

/** More than a person types; a pasted log has thousands. */
const MAX_PATHS = 300;
const MAX_LENGTH = 300;

/**
 * What looks like a path in a prompt: a word with a slash or a dot in it, and what stands in back-ticks or double
 * quotes. Relative to where the words were said, without `./`; one that leads upwards or is a URL is none.
 */
export function pathsIn(prompt: string): string[] {
  const found = new Set<string>();
  for (const text of candidates(prompt)) {
    const path = asPath(text);
    if (path !== null) found.add(path);
    if (found.size >= MAX_PATHS) break;
  }
  return [...found];
}

function* candidates(prompt: string): Generator<string> {
  for (const [, quoted] of prompt.matchAll(/[`"]([^`"\n]{1,300})[`"]/g)) yield quoted ?? '';
  for (const [word] of prompt.matchAll(/[^\s`"]+/g)) {
    yield word;
    // `(see src/a.ts)` and `[a](src/a.ts)` have it inside; `app/(group)/[id].tsx` is one as a whole.
    if (/[()[\]{}<>,;'=|]/.test(word)) yield* word.split(/[()[\]{}<>,;'=|]+/);
  }
}

function asPath(text: string): string | null {
  // An agent's own way to name a file is `@src/a.ts`; compilers say `src/a.ts:12:3`.
  const bare = text
    .trim()
    .replace(/^@/, '')
    .replace(/[.,:;!?'*]+$/, '')
    .replace(/(?::\d+){1,2}$/, '');
  if (bare.length > MAX_LENGTH || !/[/.]/.test(bare) || bare.includes('://')) return null;
  if (/[\u0000-\u001f\u007f]/.test(bare)) return null;
  const path = posix.normalize(bare).replace(/\/$/, '');
  return path === '' || path === '.' || /^\.\.(?:\/|$)/.test(path) ? null : path;
}
