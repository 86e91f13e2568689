import { type BriefLine, codeSpans } from '../blocks.ts';
import { isCommand } from './commands.ts';
import type { BriefFinding } from './finding.ts';
import type { BriefSubject, Place } from './subject.ts';

const CODE_ENDING =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|rb|php|java|kt|cs|c|h|cc|cpp|hpp|swift|ex|exs|scala|lua|sh|bash|sql|html|css|scss|vue|svelte|md|mdx|rst|json|jsonc|ya?ml|toml|ini|cfg|xml|proto|graphql|tf|lock|snap)$/;

/** Words that speak of a file that is to be made. */
const TO_BE_MADE =
  /\b(?:new|creates?|add(?:s|ed|ing)?|makes?|writ(?:e|es|ten|ing)|generat\w+|introduc\w+|produc\w+|save|output|into|rename\w*|move\w*|called|named)\b/i;

/** Paths that the brief speaks of as if they were there. */
export function missingPaths({ lines, place }: BriefSubject): BriefFinding[] {
  const told = new Set<string>();
  return lines
    .filter(({ fenced }) => !fenced)
    .flatMap((line) =>
      pathsIn(line, place).flatMap((path) => {
        if (told.has(path) || isThere(path, place)) return [];
        told.add(path);
        return [
          {
            rule: 'missing-path',
            severity: 'error',
            line: line.number,
            message: `there is no ${path}`,
            remedy: 'correct the path; if it is to be made, say so: "the new file …"',
          } satisfies BriefFinding,
        ];
      }),
    );
}

function pathsIn({ text, block }: BriefLine, place: Place): string[] {
  // The report asks for paths in words of its own.
  if (block === 'structured_output_contract') return [];
  const quoted = codeSpans(text).filter((span) => !/\s/.test(span) && !isCommand(span));
  const bare = text
    .replace(/(`+).+?\1/g, ' ')
    .split(/[\s,;()"'<>|]+/)
    .map(withoutPosition)
    .filter((word) => word.includes('/') && CODE_ENDING.test(word));
  return [...quoted.map(withoutPosition), ...bare].filter(
    (word) => isPath(word, place) && !isToBeMade(text, word),
  );
}

/** Without the end of a sentence, and without the line and column that tools print behind a path. */
function withoutPosition(word: string): string {
  return word.replace(/[.:!?]+$/, '').replace(/:\d+(?::\d+)?$/, '');
}

function isPath(word: string, place: Place): boolean {
  if (!/^[\w@.~*?{}[\]+-][\w@.~*?{}[\]/+,-]*$/.test(word) || word.includes('://') || word.startsWith('@'))
    return false;
  if (!word.includes('/')) return CODE_ENDING.test(word) && !/[*?{[]/.test(word);
  // `and/or`, `origin/main`, `text/plain`: a path begins with a folder that is there, or ends as files end.
  return CODE_ENDING.test(word) || place.hasTopLevel(word.replace(/^\.\//, '').split('/', 1)[0] ?? '');
}

/** The words before it in its clause say so. */
function isToBeMade(text: string, word: string): boolean {
  const before = text.slice(0, Math.max(0, text.indexOf(word)));
  return TO_BE_MADE.test(before.split(/[.;:]\s/).at(-1) ?? '');
}

function isThere(path: string, place: Place): boolean {
  return place.hasPath(path) || (!path.includes('/') && place.hasFileNamed(path));
}
