import type { ChangedFile } from '../changed-file.ts';
import { FINDING_KINDS, type Finding } from '../finding.ts';
import type { Hunk, PatchLine } from '../patch.ts';
import { html, type Markup } from './markup.ts';

/** Lines of files that are shown open at first; the others unfold by a click or a key. */
const OPEN_LINES_OF_FILE = 400;
const OPEN_LINES = 4000;
/** A longer line is cut: nobody reads on, and a browser would lay it out. */
const MAX_LINE = 2000;

/** Every changed file with its hunks, and the findings where they belong. */
export function diffSection(files: readonly ChangedFile[], findings: readonly Finding[]): Markup {
  let open = 0;
  const parts = files.map((file, at) => {
    const lines = file.patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    const isOpen = lines <= OPEN_LINES_OF_FILE && open + lines <= OPEN_LINES;
    if (isOpen) open += lines;
    return fileDiff(file, at, isOpen, findings);
  });
  return html`${parts}`;
}

/** The fragment of a finding's line in the diff, or of its file; null where the diff has neither. */
export function anchorOf(finding: Finding, files: readonly ChangedFile[]): string | null {
  const at = files.findIndex((file) => isAbout(finding, file));
  const file = files[at];
  if (!file) return null;
  const { line, side } = finding;
  const inHunk =
    line !== null &&
    file.patch.hunks.some(({ lines, oldStart, newStart }) => {
      const start = side === 'before' ? oldStart : newStart;
      const length = lines.filter(({ mark }) => mark !== (side === 'before' ? '+' : '-')).length;
      return start <= line && line < start + length;
    });
  return inHunk ? `f${at}${side === 'before' ? 'o' : 'n'}${line}` : `f${at}`;
}

function isAbout({ file, side }: Finding, changed: ChangedFile): boolean {
  return file !== null && file === (side === 'before' ? changed.oldPath : changed.path);
}

function fileDiff(file: ChangedFile, at: number, isOpen: boolean, findings: readonly Finding[]): Markup {
  const own = findings.filter((finding) => isAbout(finding, file));
  const [added, deleted] = [countOf(file, '+'), countOf(file, '-')];
  const name = file.oldPath === file.path ? file.path : `${file.oldPath} → ${file.path}`;
  const { binary, hunks, status } = file.patch;
  const body =
    hunks.length > 0
      ? hunks.map((hunk) => hunkDiff(hunk, at, own))
      : [
          html`<p class="quiet">${binary ? 'Binary: its bytes are in changes.patch.' : 'No line changed.'}</p>`,
        ];
  return html`<details class="file" id="f${at}"${isOpen ? html` open` : null}>
<summary><span class="path">${name}</span><span class="tag ${status}">${status}</span>${own.length > 0 ? html`<span class="tag look">${own.length} to look at</span>` : null}<span class="size"><ins>+${added}</ins> <del>−${deleted}</del></span></summary>
<div class="lines">${body}</div></details>
`;
}

function countOf({ patch }: ChangedFile, mark: '+' | '-'): number {
  return patch.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.mark === mark).length, 0);
}

function hunkDiff(hunk: Hunk, file: number, findings: readonly Finding[]): Markup {
  let [old, fresh] = [hunk.oldStart, hunk.newStart];
  const width = Math.max(4, String(Math.max(old, fresh) + hunk.lines.length).length);
  const changed = changedParts(hunk.lines);
  const lines = hunk.lines.map((line, at) => {
    const { mark } = line;
    const [o, n] = [mark === '+' ? '' : String(old), mark === '-' ? '' : String(fresh)];
    const notes = findings.filter(
      (finding) =>
        finding.line !== null &&
        (finding.side === 'before'
          ? mark === '-' && finding.line === old
          : mark !== '-' && finding.line === fresh),
    );
    const id = notes.length > 0 ? html` id="f${file}${mark === '-' ? `o${old}` : `n${fresh}`}"` : null;
    if (mark !== '+') old += 1;
    if (mark !== '-') fresh += 1;
    const look = mark === '+' ? 'l a' : mark === '-' ? 'l d' : 'l';
    return html`<span class="${look}"${id} data-k="${o.padStart(width)} ${n.padStart(width)} ${mark}">${lineText(line, changed.get(at))}
</span>${notes.map(
      ({ kind, detail }) => html`<span class="note">${FINDING_KINDS[kind]}: ${detail}
</span>`,
    )}`;
  });
  return html`<div class="at">${hunk.heading === '' ? `line ${hunk.newStart}` : `line ${hunk.newStart}, ${hunk.heading}`}</div><pre class="hunk">${lines}</pre>`;
}

/** From where up to where a line differs from the one in whose place it stands. */
type Part = readonly [start: number, end: number];

function lineText({ text, unended }: PatchLine, part: Part | undefined): Markup {
  const shown = text.length > MAX_LINE ? text.slice(0, MAX_LINE) : text;
  const more =
    text.length > shown.length ? html`<em>… ${text.length - shown.length} more characters</em>` : null;
  const end = unended ? html`<em> (no newline at the end)</em>` : null;
  if (!part || part[1] > shown.length) return html`${shown}${more}${end}`;
  const [from, to] = part;
  return html`${shown.slice(0, from)}<b>${shown.slice(from, to)}</b>${shown.slice(to)}${more}${end}`;
}

/** Where as many lines went as came, each is compared with its counterpart. */
function changedParts(lines: readonly PatchLine[]): Map<number, Part> {
  const parts = new Map<number, Part>();
  for (let at = 0; at < lines.length; ) {
    const gone = runOf(lines, at, '-');
    const fresh = runOf(lines, at + gone, '+');
    const pairs = gone === fresh ? gone : 0;
    for (let i = 0; i < pairs; i += 1) {
      const [a, b] = [lines[at + i]?.text ?? '', lines[at + gone + i]?.text ?? ''];
      const same = commonEnds(a, b);
      if (same === null) continue;
      parts.set(at + i, [same[0], a.length - same[1]]);
      parts.set(at + gone + i, [same[0], b.length - same[1]]);
    }
    at += Math.max(1, gone + fresh);
  }
  return parts;
}

function runOf(lines: readonly PatchLine[], from: number, mark: '+' | '-'): number {
  let at = from;
  while (lines[at]?.mark === mark) at += 1;
  return at - from;
}

/** How much is the same in front and at the end; null where that is too little to be worth showing. */
function commonEnds(a: string, b: string): Part | null {
  const most = Math.min(a.length, b.length);
  let front = 0;
  while (front < most && a[front] === b[front]) front += 1;
  let back = 0;
  while (back < most - front && a[a.length - 1 - back] === b[b.length - 1 - back]) back += 1;
  return (front + back) * 3 < Math.max(a.length, b.length) ? null : [front, back];
}
