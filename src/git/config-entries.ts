/** One setting as `git config --list -z` prints it, bytes as latin1. A null value stands for a bare name, which means true. */
export interface ConfigEntry {
  /** Lower case, without dots. */
  section: string;
  /** Case and dots matter; null where there is none. */
  subsection: string | null;
  /** Lower case. */
  name: string;
  value: string | null;
}

/** Parses `git config --list -z`. */
export function parseConfigList(output: Buffer): ConfigEntry[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const lineEnd = record.indexOf('\n');
      const key = lineEnd < 0 ? record : record.slice(0, lineEnd);
      const first = key.indexOf('.');
      const last = key.lastIndexOf('.');
      return {
        section: key.slice(0, first),
        subsection: last > first ? key.slice(first + 1, last) : null,
        name: key.slice(last + 1),
        value: lineEnd < 0 ? null : record.slice(lineEnd + 1),
      };
    });
}

/** The last value of a setting without subsection; undefined where it is not set. */
export function settingOf(
  entries: readonly ConfigEntry[],
  section: string,
  name: string,
): string | null | undefined {
  return entries.findLast(
    (entry) => entry.section === section && entry.subsection === null && entry.name === name,
  )?.value;
}

/** The entries as a configuration file, in their order. */
export function formatConfig(entries: readonly ConfigEntry[]): Buffer {
  const text = entries.map(({ section, subsection, name, value }) => {
    const header =
      subsection === null ? `[${section}]` : `[${section} "${subsection.replace(/["\\]/g, '\\$&')}"]`;
    return `${header}\n\t${name}${value === null ? '' : ` = ${quote(value)}`}\n`;
  });
  return Buffer.from(text.join(''), 'latin1');
}

function quote(value: string): string {
  const escaped = value
    .replace(/["\\]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t')
    .replace(/[\b]/g, '\\b');
  return `"${escaped}"`;
}
