import { BRIEF_KINDS, type BlockName, type BriefKind } from './kinds.ts';
import type { BriefFacts, BriefWish, DeltaFacts } from './facts.ts';

export interface Draft {
  kind: BriefKind;
  wish: BriefWish;
  facts: BriefFacts;
  /** Of the run that is sent back; null where there is none. */
  delta: DeltaFacts | null;
}

/** More than these help nobody: a brief is read by somebody who also reads the notes. */
const MOST_RULES = 20;

/** The text of a brief: what the repository says is filled in, what only its writer knows is marked `[fill in: …]`. Pure. */
export function draftBrief(draft: Draft): string {
  return BRIEF_KINDS[draft.kind].map((name) => `<${name}>\n${BLOCKS[name](draft)}\n</${name}>\n`).join('\n');
}

const BLOCKS: { readonly [name in BlockName]: (draft: Draft) => string } = {
  task: ({ kind, wish, delta }) =>
    [
      wish.task ?? `[fill in: ${TASKS[kind]}]`,
      ...(kind === 'delta'
        ? [`The rest of the work${delta ? ` of run ${delta.runId}` : ''} stays as it is.`]
        : ['Out of scope: [fill in: what looks as if it belonged to it, and does not]']),
    ].join('\n'),

  repo_constraints: ({ kind, wish, facts, delta }) => {
    const rules = facts.rules
      .slice(0, MOST_RULES)
      .map(({ text, file, line }) => `- ${foreign(text)} (${file}:${line})`);
    return [kind === 'read-only' ? readScope(wish, facts) : scope(wish, facts, delta), ...rules].join('\n');
  },

  verification_loop: ({ kind, facts }) =>
    kind === 'read-only'
      ? 'Before you answer, look each statement up once more in the file that it is about. Run nothing that writes.'
      : [
          'Run these until they pass, exactly as written:',
          ...(facts.gates.length > 0
            ? facts.gates.map(({ command, from }) => `- ${code(command)} (${from})`)
            : ['- [fill in: a command that must pass, in backquotes]']),
          'Failing before the work: [fill in: which of them, or "none"]',
          'If one still fails after five tries, stop, and report what is left.',
        ].join('\n'),

  action_safety: ({ kind }) =>
    kind === 'read-only'
      ? 'Change no file. Do not commit, stage, stash or push.'
      : [
          'Do not commit, stage, stash or push: the work is reviewed and committed by somebody else.',
          'Do not delete, skip or loosen a test, and do not change gates, CI or agent settings.',
          'No new dependency.',
        ].join('\n'),

  structured_output_contract: ({ kind }) => (kind === 'read-only' ? ANSWER : REPORT),

  completeness_contract: ({ kind }) =>
    kind === 'migration'
      ? [
          'Every place that uses the old form is changed: [fill in: the search that finds them all].',
          'That search finds nothing more when you are done. Leave no shim and no second way, unless it is named here.',
        ].join('\n')
      : [
          'Done means: [fill in: each behaviour that is there afterwards, one a line].',
          'Each of them has a test that fails without the work. No stub, no TODO.',
        ].join('\n'),

  missing_context_gating: ({ kind }) =>
    kind === 'debugging'
      ? [
          'Reproduce the fault first, and write it down as a failing test: [fill in: how it shows itself].',
          'Find the cause before you change anything. If you cannot reproduce it, stop, and report what you tried.',
        ].join('\n')
      : 'Where something that decides the result is not in this brief or in the repository, do not guess: stop, and ask under Questions.',

  grounding_rules: () =>
    [
      'Each statement names its file and line. What you infer is marked as inference.',
      'Say what you did not look at. "Not found" is an answer.',
    ].join('\n'),

  review_delta: ({ delta }) => {
    const points = [
      ...(delta?.failedGates ?? []).map(
        ({ name, command, output }) =>
          `- The gate ${foreign(name)} fails: ${code(command)}\n${indented(output)}`,
      ),
      ...(delta?.points ?? []).map((point) => `- ${foreign(point)}`),
    ];
    return [
      ...(points.length > 0 ? points : ['- [fill in: what is wrong, where, and how you know]']),
      'Mend these, and nothing else.',
    ].join('\n');
  },
};

const TASKS: { readonly [kind in BriefKind]: string } = {
  feature: 'what is different when the work is done, seen from outside; why; where to begin',
  debugging: 'what happens, what should happen instead, since when',
  migration: 'from what to what, and why',
  'read-only': 'the question, and what the answer is needed for',
  delta: 'in a sentence, what is still wrong',
};

function scope({ touch }: BriefWish, { topLevel }: BriefFacts, delta: DeltaFacts | null): string {
  if (touch.length > 0) return `Only these paths may change: ${listed(touch)}.`;
  if (delta && delta.changed.length > 0)
    return `Only these paths may change: ${listed(delta.changed)}, and [fill in: others, or nothing].`;
  return `Only these paths may change: [fill in: paths or globs, in backquotes${hereAre(topLevel)}].`;
}

function readScope({ touch }: BriefWish, { topLevel }: BriefFacts): string {
  if (touch.length > 0) return `Look at these paths: ${listed(touch)}.`;
  return `Look at these paths: [fill in: paths or globs, in backquotes${hereAre(topLevel)}].`;
}

function hereAre(topLevel: readonly string[]): string {
  const names = topLevel.filter((name) => /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(name) && !/[`<>[\]]/.test(name));
  return names.length > 0 ? `; here are ${names.slice(0, 20).join(' ')}` : '';
}

function listed(paths: readonly string[]): string {
  return paths.map(code).join(', ');
}

function indented(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const lines = text.split('\n').map(foreign);
  return [fence, ...lines, fence].map((line) => `  ${line}`.trimEnd()).join('\n');
}

/** In backquotes, whatever stands in it, and on one line. */
function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = fence.length > 1 ? ' ' : '';
  return `${fence}${pad}${foreign(text.replace(/\s*\n\s*/g, ' '))}${pad}${fence}`;
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}

const TAG = new RegExp(`<(/?(?:${[...new Set(Object.values(BRIEF_KINDS).flat())].join('|')}))>`, 'gi');

/** What the repository or an implementer wrote: it cannot end the block that it stands in, nor hide a sign. */
function foreign(text: string): string {
  return text
    .replace(TAG, '[$1]')
    .replace(/\s/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '');
}

const REPORT = `End with a report in Markdown, with exactly these headings:
## Changed
What changed and why, in a few sentences.
## Files
- path: what was done there
## Gates
- \`command\`: passed | failed | not run, and what it printed if it did not pass
## Deviations
- where you left this brief, and why; "none" if nowhere
## Questions
- what you need answered; "none" if nothing`;

const ANSWER = `Answer in Markdown: first the answer in a few sentences, then the evidence, file and line each.
## Questions
- what you need answered; "none" if nothing`;
