import { truncate } from '../../core/text.ts';
import { type BriefLine, CODE_SPAN } from '../blocks.ts';
import { isCommand } from './commands.ts';
import type { BriefFinding } from './finding.ts';
import type { BriefSubject, Place } from './subject.ts';

const CODE_ENDING =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|rb|php|java|kt|cs|c|h|cc|cpp|hpp|swift|ex|exs|scala|lua|sh|bash|sql|html|css|scss|vue|svelte|md|mdx|rst|json|jsonc|ya?ml|toml|ini|cfg|xml|proto|graphql|tf|lock|snap)$/;

/** Frameworks that are called like files. */
const PRODUCT =
  /^(?:Node|Next|Nuxt|Nest|Vue|React|Express|Three|Chart|Ember|Alpine|Backbone|Day|Moment|D3|Discord)\.js$/i;

/** Words before a path that speak of a file that is to be made, that is off limits, or that may be gone. */
const NEED_NOT_BE_THERE =
  /\b(?:new|creates?|add(?:s|ed|ing)?|makes?|writ(?:e|es|ten|ing)|generat\w+|introduc\w+|produc\w+|implement\w*|replac\w+ (?:\w+ ){0,3}(?:by|with)|becom\w+|puts?|places?|go(?:es)? (?:to|in)|save|output|into|rename\w*|move\w*|called|named|do not|don['’]t|never|must not|outside|without|except|example|e\.g|deleted|removed|former(?:ly)?)\b/i;

/** The same, behind the path. */
const OR_SO_IT_SAYS =
  /^[`'")\s]*(?:-style|-like|\(?(?:new|(?:to be|is|are|gets?) (?:made|created|added|written|new|missing|gone)|does not exist|if (?:present|any|there|it exists)|optional)\b)/i;

/** So far are the words that belong to a path. */
const NEAR = 200;

/** Paths that the brief speaks of as if they were there. */
export function missingPaths({ lines, place }: BriefSubject): BriefFinding[] {
  const told = new Set<string>();
  let above = '';
  return lines.flatMap((line) => {
    above = lastAbove(line.text, above);
    if (line.fenced) return [];
    return pathsIn(line, place, above).flatMap(({ path, severity }) => {
      if (told.has(path) || isThere(path, place)) return [];
      told.add(path);
      return [
        {
          rule: 'missing-path',
          severity,
          line: line.number,
          message: `there is no ${truncate(path, 200)}`,
          remedy: 'correct the path; if it is to be made, say so: "the new file …"',
        } satisfies BriefFinding,
      ];
    });
  });
}

/** The heading, or the sentence with a colon at its end, of which these bullets are the list. */
function lastAbove(text: string, above: string): string {
  if (/^\s*#{1,6}\s/.test(text) || text.endsWith(':')) return text.slice(-NEAR);
  return /^\s*(?:[-*+]|\d{1,3}[.)])\s/.test(text) || text.trim() === '' ? above : '';
}

interface NamedPath {
  path: string;
  /** A name alone is often but an example. */
  severity: BriefFinding['severity'];
}

function pathsIn({ text, block }: BriefLine, place: Place, above: string): NamedPath[] {
  // The report asks for paths in words of its own.
  if (block === 'structured_output_contract') return [];
  const words: { word: string; from: number; to: number }[] = [];
  for (const { 0: span, 2: code = '', index } of text.matchAll(CODE_SPAN))
    if (!/\s/.test(code.trim()) && !isCommand(code.trim()))
      words.push({ word: code.trim(), from: index, to: index + span.length });
  for (const { 0: word, index } of text
    .replace(CODE_SPAN, (span) => ' '.repeat(span.length))
    .matchAll(WORD)) {
    const path = withoutPosition(word);
    if (path.includes('/') && CODE_ENDING.test(path))
      words.push({ word, from: index, to: index + word.length });
  }
  return words.flatMap(({ word, from, to }) => {
    const path = withoutPosition(word);
    if (!isPath(path, place)) return [];
    const clause =
      text
        .slice(Math.max(0, from - NEAR), from)
        .split(/[.;]\s/)
        .at(-1) ?? '';
    if (NEED_NOT_BE_THERE.test(clause) || OR_SO_IT_SAYS.test(text.slice(to, to + NEAR))) return [];
    if (NEED_NOT_BE_THERE.test(above)) return [];
    return [{ path, severity: path.includes('/') || /:\d/.test(word) ? 'error' : 'warning' } as const];
  });
}

const WORD = /[^\s,;()"'<>|]+/g;

/** Without the end of a sentence, and without the line and column that tools print behind a path. */
function withoutPosition(word: string): string {
  let end = word.length;
  while (/[.:!?]/.test(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end).replace(/:\d{1,9}(?::\d{1,9})?$/, '');
}

function isPath(word: string, place: Place): boolean {
  if (!/^[\w@.~*?{}[\]+-][\w@.~*?{}[\]/+,-]*$/.test(word) || word.includes('://') || word.startsWith('@'))
    return false;
  if (PRODUCT.test(word)) return false;
  if (!word.includes('/')) return CODE_ENDING.test(word) && !/[*?{[]/.test(word);
  // `and/or`, `origin/main`, `text/plain`: a path begins with a folder that is there, or ends as files end.
  return CODE_ENDING.test(word) || place.hasTopLevel(word.replace(/^\.\//, '').split('/', 1)[0] ?? '');
}

function isThere(path: string, place: Place): boolean {
  return place.hasPath(path) || (!path.includes('/') && place.hasFileNamed(path));
}
