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
 * The parts of the implementer's report, read back from its final text: a Markdown heading, a line in bold, or a label in bold at
 * the beginning of a line, for each.
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
    files: itemsOf(parts.get('files'))?.flatMap(filesOf) ?? null,
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
    const spoken = fence === null && !sign;
    const heading = spoken ? headingOf(line) : null;
    const label = spoken && heading === null ? labelOf(line) : null;
    if (heading === null && label === null) {
      current?.push(line);
      continue;
    }
    const part = label?.part ?? partOf(heading ?? '');
    current = part === undefined ? null : label ? [label.rest] : [];
    if (part !== undefined && current) parts.set(part, current);
  }
  return parts;
}

function partOf(heading: string): Part | undefined {
  return PART_NAMES.find((name) => PARTS[name].test(heading));
}

/** `**Questions:** none`: a part in one line, or one that begins in it. Other words in bold are no label. */
function labelOf(line: string): { part: Part; rest: string } | null {
  const match = /^ {0,3}(\*\*|__)([^*_]{1,60})\1(:?)\s+(\S.*)$/.exec(line);
  const [, , name = '', colon = '', rest = ''] = match ?? [];
  const part =
    colon === ':' || name.endsWith(':') ? partOf(name.replace(/:$/, '').trim().toLowerCase()) : undefined;
  return part === undefined ? null : { part, rest };
}

/** A longer line is no heading: one of nothing but spaces would take a pattern minutes. */
const LONGEST_HEADING = 200;

function headingOf(line: string): string | null {
  const text = line.trimEnd();
  if (text.length > LONGEST_HEADING) return null;
  const match = /^ {0,3}#{1,6}\s+(.+)$/.exec(text) ?? /^ {0,3}(?:\*\*|__)([^*_]+)(?:\*\*|__):?$/.exec(text);
  return (
    match?.[1]?.replace(/\s#+$/, '').replace(/[*_`]/g, '').trim().replace(/:$/, '').trim().toLowerCase() ??
    null
  );
}

const BULLET = /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;

/** Bullets with their continuation lines, or else paragraphs; "none" is an empty list. */
function itemsOf(lines: readonly string[] | undefined): string[] | null {
  if (lines === undefined) return null;
  const rows = rowsOf(lines);
  if (rows.length > 0) return rows.filter((row) => !isNone(row));
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
  return items.map((item) => item.replace(/\s+/g, ' ').trim()).filter((item) => item !== '' && !isNone(item));
}

/** The rows of a table below its head, each as `first cell: the others`. */
function rowsOf(lines: readonly string[]): string[] {
  const rows = lines.map((line) => line.trim()).filter((line) => line.startsWith('|'));
  if (!/^\|[\s:|-]+$/.test(rows[1] ?? '')) return [];
  return rows.slice(2).map((row) => {
    const [first = '', ...rest] = row.split('|').flatMap((cell) => cell.trim() || []);
    return rest.length === 0 ? first : `${first}: ${rest.join(', ')}`;
  });
}

function isNone(item: string): boolean {
  const whole =
    /^[*_`(]*(?:none|nothing|no|n\/a|no (?:deviations?|(?:open )?questions?|files?|gates?))[*_`)]*(?:[.!]?$|[.!] (.*))/i.exec(
      item,
    );
  // "None. The brief was followed." is none; "None. But I left x out." is not.
  return (
    whole !== null &&
    !/\b(?:but|except|however|though|although|only|skipped|left|did not|didn't)\b|\?/i.test(whole[1] ?? '')
  );
}

function asks(item: string): boolean {
  return item.endsWith('?');
}

/** "`path`: note", "path - note", "path (note)", a path alone, several of them, or a sentence with one in backquotes. */
function filesOf(item: string): { path: string; note: string }[] {
  const several = nameAndRest(item, /^[^:(]+?(?=:\s|\s[-–—]+>?\s|\s\(|[:(]|$)/, false);
  const paths = several.name.split(/, (?:and )?| and /).map((path) => path.replace(/^`+|`+$/g, ''));
  if (paths.length > 1 && paths.every((path) => path !== '' && !path.includes(' ')))
    return paths.map((path) => ({ path, note: several.rest }));
  const { name, rest } = nameAndRest(item, /^[^\s:(]+/);
  const inside =
    /[./]/.test(name) || rest === '' || item.startsWith(`${name}:`) ? null : CODE_SPAN.exec(rest);
  return [inside?.[2] === undefined ? { path: name, note: rest } : { path: inside[2], note: item }];
}

function gateOf(item: string): ReportedGate {
  const { name, rest } = nameAndRest(item, /^.+?(?=:\s|\s(?:[-–—]+>?|→|=>)\s|\s\(|$)/);
  const command = CODE_SPAN.exec(name)?.[2] ?? name;
  return { command, outcome: outcomeOf(rest), note: rest };
}

/** What stands in backquotes. No run of them is long: of a thousand, each could be the beginning. */
const CODE_SPAN = /(?<!`)(`{1,5})(?!`)([^`]+)\1(?!`)/;
const LINK = /^\[([^\][]+)\]\([^()]*\)/;

function nameAndRest(item: string, plain: RegExp, unquote = true): { name: string; rest: string } {
  const bare = item.replace(/^\*\*(.+?)\*\*/, '$1').replace(LINK, '$1');
  const quoted = unquote ? CODE_SPAN.exec(bare) : null;
  const first = quoted?.index === 0 ? quoted : null;
  const whole = first?.[0] ?? plain.exec(bare)?.[0] ?? bare;
  const rest = bare.slice(whole.length).replace(/^\s*(?:[:–—-]+>?|→|=>)?\s*/, '');
  return { name: (first?.[2] ?? whole).trim(), rest: rest.trim() };
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
