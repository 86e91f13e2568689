import { oneLine, truncate } from '../../core/text.ts';
import type { Note, Timeline, TimelineEntry, ToolCall } from '../timeline.ts';
import { html, type Markup } from './markup.ts';

/** So many entries are laid out together, and only when they come into sight. */
const CHUNK = 50;
/** A longer text is folded. */
const SHORT_TEXT = 700;

export function timelineSection({ entries, leftOut }: Timeline): Markup {
  if (entries.length === 0) return html`<p class="quiet">The implementer printed no events.</p>`;
  const chunks: Markup[] = [];
  for (let at = 0; at < entries.length; at += CHUNK)
    chunks.push(
      html`<div class="chunk">${entries.slice(at, at + CHUNK).map((entry, i) => entryMarkup(entry, at + i + 1))}</div>`,
    );
  const more =
    leftOut > 0
      ? html`<p class="quiet">${leftOut} more are in events.jsonl: a page cannot hold them.</p>`
      : null;
  return html`${chunks}${more}`;
}

function entryMarkup(entry: TimelineEntry, number: number): Markup {
  const sub = entry.subagent ? html` <span class="tag">subagent</span>` : null;
  return entry.kind === 'tool' ? toolMarkup(entry, number, sub) : noteMarkup(entry, number, sub);
}

function toolMarkup(call: ToolCall, number: number, sub: Markup | null): Markup {
  const state = call.ok === null ? 'open' : call.ok ? 'ok' : 'failed';
  const aim = truncate(oneLine(call.command ?? call.path ?? call.input), 160);
  return html`<details class="event tool ${state}"><summary><span class="no">${number}</span><span class="what">${call.tool}</span>${sub} <code>${aim}</code>${state === 'ok' ? null : html` <span class="tag ${state}">${state === 'failed' ? 'failed' : 'no end seen'}</span>`}</summary><pre class="text">${call.input}</pre>${call.output === '' ? null : html`<pre class="text out">${call.output}</pre>`}</details>
`;
}

const TITLES: { [kind in Note['kind']]: string } = {
  session: 'session',
  text: 'says',
  thinking: 'thinks',
  denied: 'denied',
  notice: 'notice',
  'needs-input': 'asks',
  finished: 'finished',
  unknown: 'unknown record',
};

function noteMarkup({ kind, text }: Note, number: number, sub: Markup | null): Markup {
  const head = html`<span class="no">${number}</span><span class="what">${TITLES[kind]}</span>${sub}`;
  const folded = kind === 'unknown' || kind === 'thinking' || text.length > SHORT_TEXT;
  return folded
    ? html`<details class="event ${kind}"><summary>${head} ${truncate(oneLine(text), 160)}</summary><pre class="text">${text}</pre></details>
`
    : html`<div class="event ${kind}">${head} <span class="words">${text}</span></div>
`;
}
