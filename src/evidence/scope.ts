/**
 * The paths that no glob of `touch` matches. Paths are relative to the top of the tree with `/` between segments. A
 * glob that names a folder means everything in it; dotfiles match like other files. Without globs nothing is out of
 * scope, and the matcher is not even loaded.
 */
export async function outOfScope(paths: readonly string[], touch: readonly string[]): Promise<string[]> {
  if (touch.length === 0 || paths.length === 0) return [];
  const { default: picomatch } = await import('picomatch');
  const globs = touch
    .map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''))
    .flatMap((glob) => (glob === '.' || glob === '' ? ['**'] : [glob, `${glob}/**`]));
  const matches = picomatch(globs, { dot: true, windows: false });
  return paths.filter((path) => !matches(path));
}
