import type { AgentReport, ReportedGate } from '../rundir/result.ts';

type Part = 'changed' | 'files' | 'gates' | 'deviations' | 'questions' | 'deviationsAndQuestions';

/** The parts that a brief asks for, and the headings under which implementers were seen to put them. */
const PARTS: { readonly [name in Part]: RegExp } = {
  changed: /^(?:what (?:was )?changed(?: and why)?|changed|changes|summary)$/,
  files: /^(?:(?:changed |touched |modified )?files(?: (?:changed|touched|modified))?)$/,
  gates: /^(?:gates?|gate (?:outcomes|results)|verification)$/,
  deviations: /^deviations(?: from the brief)?$/,
  questions: /^(?:open )?questions$/,
  deviationsAndQuestions: /^deviations (?:and|&|or) (?:open )?questions$/,
};

const PART_NAMES: readonly Part[] = [
  'changed',
  'files',
  'gates',
  'deviations',
  'questions',
  'deviationsAndQuestions',
];

/** A final text may be megabytes; a report stands at its end, and is short. */
const MOST_CHARACTERS = 64 * 1024;

/**
 * The parts of the implementer's report, read back from its final text: a Markdown heading, or a line in bold, for each.
 * Of a heading that stands there twice the last counts. Null where fewer than two parts can be told: one heading of
 * such a common name is no report. All of it is claim.
 */
export function readReport(finalText: string): AgentReport | null {
  const parts = partsOf(finalText.slice(-MOST_CHARACTERS));
  if (parts.size < 2) return null;
  const deviations = itemsOf(parts.get('deviations'));
  const questions = itemsOf(parts.get('questions'));
  const both = itemsOf(parts.get('deviationsAndQuestions'));
  return {
    changed: parts.has('changed') ? (parts.get('changed') ?? []).join('\n').trim() : null,
    files: itemsOf(parts.get('files'))?.map(fileOf) ?? null,
    gates: itemsOf(parts.get('gates'))?.map(gateOf) ?? null,
    deviations: both ? [...(deviations ?? []), ...both.filter((one) => !asks(one))] : deviations,
    questions: both ? [...(questions ?? []), ...both.filter(asks)] : questions,
  };
}

/** The lines below each heading. What stands in a fence is quoted, and no heading. */
function partsOf(text: string): Map<Part, string[]> {
  const parts = new Map<Part, string[]>();
  let current: string[] | null = null;
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const sign = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
    if (sign?.[1] !== undefined) {
      if (fence === null) fence = sign[1];
      else if (sign[1].startsWith(fence) && sign[2]?.trim() === '') fence = null;
    }
    const heading = fence === null && !sign ? headingOf(line) : null;
    if (heading === null) {
      current?.push(line);
      continue;
    }
    const part = PART_NAMES.find((name) => PARTS[name].test(heading));
    current = part === undefined ? null : [];
    if (part !== undefined && current) parts.set(part, current);
  }
  return parts;
}

function headingOf(line: string): string | null {
  const match =
    /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line) ?? /^ {0,3}(?:\*\*|__)([^*_]+?)(?:\*\*|__):?\s*$/.exec(line);
  return (
    match?.[1]
      ?.replace(/[*_`]|:\s*$/g, '')
      .trim()
      .toLowerCase() ?? null
  );
}

const BULLET = /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;

/** Bullets with their continuation lines, or else paragraphs; "none" is an empty list. */
function itemsOf(lines: readonly string[] | undefined): string[] | null {
  if (lines === undefined) return null;
  const bulleted = lines.some((line) => BULLET.test(line));
  const items: string[] = [];
  let open = false;
  for (const line of lines) {
    const bullet = BULLET.exec(line)?.[1];
    if (bullet !== undefined) items.push(bullet);
    else if (open && line.trim() !== '') items.push(`${items.pop() ?? ''} ${line.trim()}`);
    // Beside a list, other text is about the list, and no item of it.
    else if (!bulleted) items.push(line.trim());
    open = line.trim() !== '' && (bullet !== undefined || open || !bulleted);
  }
  return items.map((item) => item.trim()).filter((item) => item !== '' && !isNone(item));
}

function isNone(item: string): boolean {
  return /^[*_`(]*(?:none|nothing|no|n\/a|no (?:deviations?|(?:open )?questions?|files?|gates?))[*_`)]*[.!]?$/i.test(
    item,
  );
}

function asks(item: string): boolean {
  return item.endsWith('?');
}

/** "`path`: note", "path - note", "path (note)", or a path alone. */
function fileOf(item: string): { path: string; note: string } {
  const { name, rest } = nameAndRest(item, /^[^\s:(]+/);
  return { path: name, note: rest };
}

function gateOf(item: string): ReportedGate {
  const { name, rest } = nameAndRest(item, /^.+?(?=:\s|\s[-–—]+\s|\s+\(|$)/);
  return { command: name, outcome: outcomeOf(rest), note: rest };
}

function nameAndRest(item: string, plain: RegExp): { name: string; rest: string } {
  const bare = item.replace(/^\*\*(.+?)\*\*/, '$1');
  const quoted = /^(`+)(.+?)\1/.exec(bare);
  const whole = quoted?.[0] ?? plain.exec(bare)?.[0] ?? bare;
  const rest = bare.slice(whole.length).replace(/^\s*(?:[:–—-]+|→|=>)?\s*/, '');
  return { name: (quoted?.[2] ?? whole).trim(), rest: rest.trim() };
}

/** The first word that says how it went; "not" before it turns a pass into a failure. */
function outcomeOf(text: string): ReportedGate['outcome'] {
  const words = text.toLowerCase();
  if (/^\W*(?:not[ -](?:run|executed)|skipped|could not (?:be )?run|did not run|n\/a)\b/.test(words))
    return 'not-run';
  const match =
    /\b(?<failed>not pass\w*|(?:did|does|do)(?: not|n't) pass|fail\w*|red|errors?|exit(?:ed)?(?: with)?(?: code)? [1-9]\d*)\b|\b(?<passed>pass(?:ed|es|ing)?|green|ok|succeed(?:ed|s)?|success\w*|clean|exit(?:ed)?(?: with)?(?: code)? 0)\b|(?<tick>[✓✔✅])|(?<cross>[✗✘❌])|\b(?<not>not[ -]run|skipped|not executed)\b/u.exec(
      words.replace(/\b(?:no|0|without) (?:errors?|failures?|failed|failing)\b/g, ''),
    )?.groups;
  if (!match) return 'unclear';
  if (match['failed'] ?? match['cross']) return 'failed';
  if (match['not']) return 'not-run';
  return 'passed';
}
