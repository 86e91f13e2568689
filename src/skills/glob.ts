/** A part of a glob between two slashes: `**` (any number of folders), or text with `*` and `?` in it. */
type Segment = string;

/** Any number of folders, none included. */
export const GLOBSTAR = '**';

/**
 * The segments of a glob, brought to one form: no leading `./`, no two `**` side by side, no two `*` side by side.
 *
 * A `**` at the end also matches the folder itself (`src/**` has `src`), except after a segment that ends in `*`: there
 * it asks for one more segment. That is how picomatch, and so most tools that people know, read it.
 */
export function segmentsOf(glob: string): Segment[] {
  const segments = glob
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .map((segment) => (segment === GLOBSTAR ? segment : segment.replace(/\*+/g, '*')))
    .filter((segment, index, all) => segment !== GLOBSTAR || all[index - 1] !== GLOBSTAR);
  const before = segments.at(-2);
  const needsMore = segments.at(-1) === GLOBSTAR && before !== undefined && before.endsWith('*');
  return needsMore ? [...segments, '*'] : segments;
}

/**
 * A test for paths relative to the top of a repository, with `/` and without `.` and `..` segments. The dialect: `*` and
 * `?` never cross a slash, `**` as a whole segment does, dotfiles match, case counts, all else is literal.
 *
 * No regular expression: the globs of a repository are anybody's text, and `*a*a*a*a*b` made one backtrack for seconds.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const segments = segmentsOf(glob);
  const whole = segments.join('/');
  // Nearly every path fails one of these, which costs nothing: a hook tests thousands of pairs.
  const prefix = whole.replace(/\/?[*?].*$/s, '');
  const suffix = whole.replace(/^.*[*?]\/?/s, '');
  return (path) =>
    path.startsWith(prefix) && path.endsWith(suffix) && matchSegments(segments, path.split('/'));
}

/** Walks both lists once; at a mismatch the last `**` takes one more folder. Earlier ones never need to. */
function matchSegments(segments: readonly Segment[], folders: readonly string[]): boolean {
  let [at, here] = [0, 0];
  let [star, taken] = [-1, 0];
  while (here < folders.length) {
    const segment = segments[at];
    if (segment === GLOBSTAR) [star, taken, at] = [at, here, at + 1];
    else if (segment !== undefined && matchSegment(segment, folders[here] ?? ''))
      [at, here] = [at + 1, here + 1];
    else if (star >= 0) [at, taken, here] = [star + 1, taken + 1, taken + 1];
    else return false;
  }
  return segments.slice(at).every((segment) => segment === GLOBSTAR);
}

/** The same within one segment, where `*` is what takes more. */
function matchSegment(segment: Segment, name: string): boolean {
  let [at, here] = [0, 0];
  let [star, taken] = [-1, 0];
  while (here < name.length) {
    const sign = segment[at];
    if (sign === '*') [star, taken, at] = [at, here, at + 1];
    else if (sign === '?') [at, here] = [at + 1, here + signLength(name, here)];
    else if (sign !== undefined && sign === name[here]) [at, here] = [at + 1, here + 1];
    else if (star >= 0) [at, taken, here] = [star + 1, taken + 1, taken + 1];
    else return false;
  }
  return segment.slice(at) === '' || segment.slice(at) === '*';
}

/** A `?` is one character, also one of two UTF-16 units. */
function signLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
