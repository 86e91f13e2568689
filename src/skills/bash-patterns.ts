import { UsageError } from '../core/errors.ts';
import { globRegex } from './glob-regex.ts';
import type { SkillRules } from './skill-rules.ts';

export const BEGIN_MARKER = '# BEGIN detect_skill_domain';
export const END_MARKER = '# END detect_skill_domain';

/**
 * A bash function (3.2 and up) between two marker lines: `detect_skill_domain FILE` prints the name of each skill one of
 * whose globs matches the path FILE, relative to the top of the repository, one a line.
 *
 * Names and globs are data: they stand in single quotes only, and nothing in them is ever executed. Throws a UsageError
 * for one with a NUL, which no bash string can hold.
 */
export function generateDomainPatterns(rules: SkillRules): string {
  const tests = Object.entries(rules.skills)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, { filePatterns }]) => {
      const globs = filePatterns.filter((glob) => glob !== '');
      return globs.length > 0 ? [testFor(name, globs)] : [];
    });
  return [BEGIN_MARKER, HEAD, ...tests, TAIL, END_MARKER, ''].join('\n');
}

// `case` and `==` let `*` cross a slash, so it is `=~`; that one heeds nocasematch, which a caller may have set.
const HEAD = `# Made by \`baton skills rules --bash\`. Do not edit: it is replaced as a whole.
detect_skill_domain() {
  local file="$1"
  local LC_ALL=C
  local re nocase=''
  if shopt -q nocasematch; then
    nocase=1
    shopt -u nocasematch
  fi`;

const TAIL = `  if [[ -n $nocase ]]; then shopt -s nocasematch; fi
  return 0
}`;

function testFor(name: string, globs: readonly string[]): string {
  const regex = `^(${globs.map(globRegex).join('|')})$`;
  return `  re=${quoted(regex)}\n  if [[ $file =~ $re ]]; then printf '%s\\n' ${quoted(name)}; fi`;
}

function quoted(text: string): string {
  if (text.includes('\0'))
    throw new UsageError(
      `${JSON.stringify(text)} holds a NUL, which bash cannot hold: take it out of the rules`,
    );
  return `'${text.replaceAll(`'`, `'\\''`)}'`;
}
