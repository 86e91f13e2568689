import type { Heading, Paragraph, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A part of a text, by offsets: from the first sign of its first line to the first of what comes after it. */
export interface Part {
  start: number;
  end: number;
}

/** Which blocks count as generated. */
export interface GeneratedKinds {
  /** Lists of files that stand below a bold label, such as `**Hub files:**`. They are what a code map is made of. */
  labelled: boolean;
}

/** Finds the parts of a Markdown body that a tool made, and that are worth nothing to a reader. None overlap. */
export function generatedParts(body: string, { labelled }: GeneratedKinds): Part[] {
  // Parsing is slow, and most files have nothing of the kind.
  if (!NAMES.test(body)) return [];
  const nodes = fromMarkdown(body).children;
  const parts: Part[] = [];
  for (let at = 0; at < nodes.length; ) {
    const after = sectionEnd(body, nodes, at) ?? (labelled ? labelledEnd(body, nodes, at) : null);
    if (after !== null) parts.push({ start: startOf(body, nodes, at), end: startOf(body, nodes, after) });
    at = after ?? at + 1;
  }
  return parts;
}

/** What every part has somewhere. */
const NAMES = /activation|key files|hub files|domain clusters|high-churn hotspots|framework entry points/i;

const FILE = String.raw`\`(?:[^\`\s]*[/.*][^\`\s]*|[A-Z][a-z]+file)\``;
const FILE_BULLET = new RegExp(String.raw`^\s*(?:[-*+]|\d+[.)])\s+\**${FILE}`);
const KEYWORDS = /^\s*(?:[-*+]\s+)?\**keywords\**:/i;
const LEAD_IN =
  /^\s*(?:this skill (?:triggers|activates|applies|is (?:triggered|activated))\b.*|(?:files?|file patterns|patterns?|globs?|paths?):)$/i;

/** The index after a whole generated section, where one begins at this index. */
function sectionEnd(body: string, nodes: readonly RootContent[], at: number): number | null {
  const heading = nodes[at];
  if (heading?.type !== 'heading' || heading.depth !== 2) return null;
  const title = titleOf(body, heading);
  if (title !== 'activation' && title !== 'key files') return null;
  let after = at + 1;
  while (after < nodes.length && !endsSection(nodes[after])) {
    const { type } = nodes[after] ?? {};
    if (type !== 'list' && type !== 'paragraph') return null;
    after += 1;
  }
  const lines = linesOf(body, nodes, at + 1, after);
  const telling = lines.filter((line) => FILE_BULLET.test(line) || KEYWORDS.test(line));
  const rest = lines.filter(
    (line) => !telling.includes(line) && !(title === 'activation' && LEAD_IN.test(line)),
  );
  if (telling.length === 0 || rest.length > 0) return null;
  // The line that set the section apart from the text goes with it.
  return nodes[after]?.type === 'thematicBreak' ? after + 1 : after;
}

function endsSection(node: RootContent | undefined): boolean {
  return node?.type === 'heading' || node?.type === 'thematicBreak';
}

const LABEL = /^(?:hub files\b.*|domain clusters:?|high-churn hotspots:?|framework entry points\b.*)$/i;
const AFTER_LABEL = /^\s*(?:\([^)]*\))?\s*:?\s*$/;
const TABLE_ROW = /^\s*\|/;
const CODE_BULLET = /^\s*(?:[-*+]|\d+[.)])\s.*`[^`]+`/;

/** The index after a bold label and the list or table below it, where they begin at this index. */
function labelledEnd(body: string, nodes: readonly RootContent[], at: number): number | null {
  const label = nodes[at];
  const own = label?.type === 'paragraph' ? linesAfterLabel(body, label) : null;
  if (own === null || !own.every((line) => TABLE_ROW.test(line))) return null;
  const next = nodes[at + 1];
  const lines = next ? linesOf(body, nodes, at + 1, at + 2) : [];
  const isList = next?.type === 'list' && lines.every((line) => CODE_BULLET.test(line));
  const isTable = next?.type === 'paragraph' && lines.every((line) => TABLE_ROW.test(line));
  if (isList || isTable) return at + 2;
  return own.length > 0 ? at + 1 : null;
}

/** The lines of a paragraph below its label; null where it does not begin with one that stands alone. */
function linesAfterLabel(body: string, paragraph: Paragraph): string[] | null {
  const [first] = paragraph.children;
  if (first?.type !== 'strong' || !LABEL.test(rawText(body, first).slice(2, -2))) return null;
  const [same = '', ...below] = split(body.slice(first.position?.end.offset, paragraph.position?.end.offset));
  return AFTER_LABEL.test(same) ? below : null;
}

function titleOf(body: string, { children }: Heading): string {
  return children
    .map((child) => rawText(body, child))
    .join('')
    .toLowerCase();
}

function rawText(body: string, { position }: RootContent): string {
  return body.slice(position?.start.offset, position?.end.offset);
}

/** The lines of these nodes that are not blank. */
function linesOf(body: string, nodes: readonly RootContent[], from: number, to: number): string[] {
  return split(body.slice(startOf(body, nodes, from), startOf(body, nodes, to))).filter(
    (line) => line.trim() !== '',
  );
}

function split(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Where the line of a node begins; the end of the text for the index after the last. */
function startOf(body: string, nodes: readonly RootContent[], at: number): number {
  let start = nodes[at]?.position?.start.offset ?? body.length;
  while (start > 0 && /[ \t]/.test(body.charAt(start - 1))) start -= 1;
  return start;
}
