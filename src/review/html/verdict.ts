import { formatDuration } from '../../core/duration.ts';
import { oneLine, truncate } from '../../core/text.ts';
import type { ReviewedRun } from '../review.ts';
import { html, type Markup } from './markup.ts';

type Tone = 'good' | 'bad' | 'warn' | 'plain';

export function heading({ result }: ReviewedRun): Markup {
  const tone: Tone = result.status === 'completed' ? 'good' : 'bad';
  const model = result.agent.model ?? result.model;
  return html`<h1><span class="pill ${tone}">${result.status}</span> ${result.implementer}${model === null ? null : html` <span class="quiet">${model}</span>`}</h1><p class="quiet">run ${result.runId} · ${result.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${formatDuration(result.process.durationMs)}</p>`;
}

/** How it ended, what it claims, what was seen, the gates, the cost: each a fact of its own. */
export function factCards(run: ReviewedRun): Markup {
  return html`<div class="cards">${[process(run), claim(run), evidence(run), gates(run), review(run), cost(run)]}</div>${gateTable(run)}`;
}

function card(title: string, tone: Tone, value: string, more: readonly string[]): Markup {
  return html`<div class="card ${tone}"><h3>${title}</h3><p class="value">${value}</p>${more.map((line) => html`<p>${line}</p>`)}</div>`;
}

function process({ result }: ReviewedRun): Markup {
  const { exit, survivors } = result.process;
  const tone = result.exitCode === 0 && survivors.length === 0 ? 'good' : 'bad';
  const how = exit === 'code' ? `exit ${result.exitCode}` : `${exit}, exit ${result.exitCode}`;
  return card('Process', tone, how, [
    ...(result.error === undefined ? [] : [truncate(oneLine(result.error), 200)]),
    ...(survivors.length > 0 ? [`${survivors.length} of its processes could not be ended`] : []),
  ]);
}

function claim({ result }: ReviewedRun): Markup {
  const { agent } = result;
  return card('Claim', agent.claim === 'error' ? 'bad' : 'plain', agent.claim, [
    ...(agent.reason === null ? [] : [agent.reason]),
    `${agent.toolCalls} tool calls${result.numTurns === null ? '' : `, ${result.numTurns} turns`}`,
    ...(agent.denials.length > 0 ? [`${agent.denials.length} denied`] : []),
  ]);
}

function evidence({ result }: ReviewedRun): Markup {
  const { tree, changes, violations, coverage } = result.evidence;
  const sum = (key: 'added' | 'deleted'): number =>
    changes.reduce((all, change) => all + (change[key] ?? 0), 0);
  const value =
    tree === 'changed' ? `${changes.length} ${changes.length === 1 ? 'file' : 'files'} changed` : tree;
  const tone: Tone =
    violations.length > 0 ? 'bad' : tree === 'unknown' || !coverage.complete ? 'warn' : 'good';
  return card('Evidence', tone, value, [
    ...(tree === 'changed' ? [`+${sum('added')} −${sum('deleted')} lines`] : []),
    violations.length === 0 ? 'no violation seen' : `${violations.length} against the rules of a run`,
    ...(coverage.complete ? [] : ['not everything could be seen']),
  ]);
}

function gates({ gates: all }: ReviewedRun): Markup {
  if (all === null) return card('Gates', 'warn', 'not run', ['baton check runs them']);
  const bad = all.filter(({ outcome }) => outcome === 'failed').length;
  const other = all.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'passed').length;
  const tone = bad > 0 ? 'bad' : other > 0 ? 'warn' : 'good';
  return card(
    'Gates',
    tone,
    bad > 0 ? `${bad} failed` : `${all.length - other} of ${all.length} passed`,
    other > 0 ? [`${other} did not run`] : [],
  );
}

function review({ findings }: ReviewedRun): Markup {
  const kinds = new Set(findings.map(({ kind }) => kind)).size;
  return findings.length === 0
    ? card('Review', 'plain', 'no findings', [])
    : card('Review', 'warn', `${findings.length} to look at`, [
        `of ${kinds} ${kinds === 1 ? 'kind' : 'kinds'}`,
      ]);
}

function cost({ result }: ReviewedRun): Markup {
  const { usd, inputTokens, outputTokens, cachedTokens } = result.cost;
  const tokens = (count: number): string => count.toLocaleString('en-US');
  return card('Cost', 'plain', usd === null ? 'unknown' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`, [
    ...(inputTokens === null
      ? []
      : [`${tokens(inputTokens)} tokens in${cachedTokens ? `, ${tokens(cachedTokens)} cached` : ''}`]),
    ...(outputTokens === null ? [] : [`${tokens(outputTokens)} tokens out`]),
  ]);
}

function gateTable({ gates: all }: ReviewedRun): Markup | null {
  if (all === null || all.length === 0) return null;
  return html`<table><thead><tr><th>Gate</th><th>Outcome</th><th>Command</th></tr></thead><tbody>${all.map(
    ({ name, outcome, command, detail }) =>
      html`<tr class="${outcome}"><td>${name}</td><td>${outcome}${detail === null ? null : html`<br><span class="quiet">${detail}</span>`}</td><td><code>${command}</code></td></tr>`,
  )}</tbody></table>`;
}
