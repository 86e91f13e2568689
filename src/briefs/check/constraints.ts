import type { NoteRule } from '../notes.ts';
import type { BriefFinding } from './finding.ts';
import type { BriefSubject } from './subject.ts';

/** Of a rule's own words, so many must be in the brief: it need not be repeated letter by letter. */
const ENOUGH = 0.6;

/** No brief repeats a whole book of rules. */
const MOST = 10;

/** Rules of the notes for agents that the brief does not repeat. */
export function leftOut({ text, rules, readOnly }: BriefSubject): BriefFinding[] {
  if (readOnly) return [];
  const said = new Set(wordsOf(text));
  return rules
    .filter((rule) => !isSaid(rule, said))
    .slice(0, MOST)
    .map(({ text: rule, file, line }) => ({
      rule: 'constraint-left-out',
      severity: 'warning',
      line: null,
      message: `${file}:${line} says "${rule}", and the brief does not`,
      remedy: 'repeat it under repo_constraints if it matters here: not every implementer reads that file',
    }));
}

function isSaid({ text }: NoteRule, said: ReadonlySet<string>): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return true;
  return words.filter((word) => said.has(word)).length / words.length >= ENOUGH;
}

/** Words that carry the meaning, without their usual endings. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? [];
  return [
    ...new Set(
      words.filter((word) => !LITTLE.has(word)).map((word) => word.replace(/(?:ing|ed|es|s|[./-]+)$/, '')),
    ),
  ];
}

const LITTLE: ReadonlySet<string> = new Set(
  'the and for with that this from into must never always not don only you your are any all use when before after without than then them they have has can may should will its out per'.split(
    ' ',
  ),
);
