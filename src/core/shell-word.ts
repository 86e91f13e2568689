/** A path or a word as a POSIX shell takes it, for commands that a person copies: quoted only where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./~@+:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
