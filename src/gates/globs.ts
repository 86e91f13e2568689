/** The paths that one of the globs matches: relative to the top of the tree, dotfiles like others. A folder means all in it. */
export async function matching(paths: readonly string[], globs: readonly string[]): Promise<string[]> {
  if (paths.length === 0 || globs.length === 0) return [];
  const { default: picomatch } = await import('picomatch');
  const whole = globs
    .map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''))
    .flatMap((glob) => [glob, `${glob}/**`]);
  const matches = picomatch(whole, { dot: true, windows: false });
  return paths.filter((path) => matches(path));
}
