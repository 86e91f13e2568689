import { createHash } from 'node:crypto';
import { FINDING_KINDS, type Finding, type FindingKind } from '../finding.ts';
import type { ReviewedRun } from '../review.ts';
import { anchorOf, diffSection } from './diff.ts';
import { html, Markup } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { timelineSection } from './timeline.ts';
import { factCards, heading } from './verdict.ts';

/**
 * The report as one page that opens from disk and asks no network for anything. Of what the implementer wrote nothing can
 * run: all of it is escaped, and the policy of the page lets only this one style and this one script through.
 */
export function reportPage(run: ReviewedRun): string {
  const { result, files, findings, timeline } = run;
  const style = new Markup(STYLE);
  const script = new Markup(SCRIPT);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${result.status}: run ${result.runId}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header>${heading(run)}</header>
<nav aria-label="Sections">
<a href="#verdict">Verdict</a><a href="#findings">Findings <span class="count">${findings.length}</span></a><a href="#brief">Brief</a><a href="#report">Report</a><a href="#timeline">Timeline <span class="count">${timeline.entries.length}</span></a><a href="#diff">Diff <span class="count">${files.length}</span></a>
<button type="button" id="help-button" aria-haspopup="dialog">Keys <kbd>?</kbd></button>
</nav>
<main>
<section id="verdict"><h2>Verdict</h2>${factCards(run)}${gaps(run)}</section>
<section id="findings"><h2>Findings <span class="count">${findings.length}</span></h2>${findingList(run)}</section>
<section id="brief"><h2>Brief</h2>${longText(run.brief, 'The brief is empty.')}</section>
<section id="report"><h2>What the implementer says</h2>${longText(result.finalMessage, 'It left no final text.')}</section>
<section id="timeline"><h2>Timeline <span class="count">${timeline.entries.length}</span></h2>
<p class="tools"><label>Show only events with <input id="filter" type="search" autocomplete="off" spellcheck="false"></label> <output id="filter-count"></output></p>
${timelineSection(timeline)}</section>
<section id="diff"><h2>Diff <span class="count">${files.length}</span></h2>${files.length === 0 ? html`<p class="quiet">This run changed nothing that could be seen.</p>` : null}${diffSection(files, findings)}</section>
</main>
<footer>baton ${result.batonVersion}, run ${result.runId} in ${result.workdir}. A finding is a place to look at, never a verdict.</footer>
<dialog id="help" aria-label="Keys"><h2>Keys</h2><dl>
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous finding</dd>
<dt><kbd>Enter</kbd></dt><dd>from a finding to its line in the diff; <kbd>u</kbd> back to the finding</dd>
<dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next and previous file</dd>
<dt><kbd>o</kbd></dt><dd>fold and unfold what has the focus</dd>
<dt><kbd>e</kbd></dt><dd>fold and unfold all files</dd>
<dt><kbd>1</kbd> … <kbd>6</kbd></dt><dd>the sections</dd>
<dt><kbd>/</kbd></dt><dd>filter the timeline</dd>
</dl><form method="dialog"><button>Close</button></form></dialog>
<script>${script}</script>
</body>
</html>
`.text;
}

function hashOf(text: string): Markup {
  // Base64 has no sign that an attribute could be left with.
  return new Markup(`'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`);
}

function gaps({ notReviewed }: ReviewedRun): Markup | null {
  return notReviewed.length === 0
    ? null
    : html`<details class="gaps"><summary>${notReviewed.length === 1 ? 'One thing was' : `${notReviewed.length} things were`} not looked at</summary><ul>${notReviewed.map((gap) => html`<li>${gap}</li>`)}</ul></details>`;
}

/** So many of one kind are shown at first. */
const SHOWN_OF_KIND = 20;

function findingList(run: ReviewedRun): Markup {
  if (run.findings.length === 0)
    return html`<p class="quiet">None. That is no proof of anything: look at the diff.</p>`;
  const kinds = [...new Set(run.findings.map(({ kind }) => kind))];
  return html`${kinds.map((kind) => kindGroup(kind, run))}`;
}

function kindGroup(kind: FindingKind, run: ReviewedRun): Markup {
  const own = run.findings.filter((finding) => finding.kind === kind);
  const [shown, folded] = [own.slice(0, SHOWN_OF_KIND), own.slice(SHOWN_OF_KIND)];
  return html`<h3>${FINDING_KINDS[kind]} <span class="count">${own.length}</span></h3><ul class="findings ${kind}">${shown.map((finding) => findingItem(finding, run))}</ul>${
    folded.length === 0
      ? null
      : html`<details><summary>${folded.length} more</summary><ul class="findings ${kind}">${folded.map((finding) => findingItem(finding, run))}</ul></details>`
  }`;
}

function findingItem(finding: Finding, { files }: ReviewedRun): Markup {
  const anchor = anchorOf(finding, files);
  const place =
    finding.file === null
      ? null
      : `${finding.file}${finding.line === null ? '' : `:${finding.line}`}${finding.side === 'before' ? ' (before)' : ''}`;
  const where =
    place === null
      ? null
      : anchor === null
        ? html`<span class="place">${place}</span>`
        : html`<a class="place" href="#${anchor}">${place}</a>`;
  const text = finding.text === '' ? null : html`<code>${finding.text}</code>`;
  return html`<li tabindex="-1" class="finding">${where}<span class="detail">${finding.detail}</span>${text}</li>`;
}

function longText(text: string, none: string): Markup {
  if (text.trim() === '') return html`<p class="quiet">${none}</p>`;
  const lines = text.split('\n').length;
  const pre = html`<pre class="text">${text}</pre>`;
  return lines > 60 || text.length > 8000
    ? html`<details><summary>${lines} lines</summary>${pre}</details>`
    : pre;
}
