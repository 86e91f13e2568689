/** A value of the frontmatter on one line, as the CLIs show it: empty for what is no text, number or yes and no. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).replace(/\s+/g, ' ').trim()
    : '';
}
