import { formatDuration } from '../core/duration.ts';
import { SESSION_ID_FORM } from '../core/ids.ts';
import { oneLine, truncate } from '../core/text.ts';
import type { Change, Result } from '../rundir/result.ts';
import type { Style } from './style.ts';

const MAX_LISTED = 20;

/**
 * The result for a person. How it ended, what the implementer says, and what baton saw stand apart; the last line
 * never says that nothing was committed when something was.
 */
export function summaryOf(result: Result, style: Style, { resumable }: { resumable: boolean }): string {
  const blocks = [
    heading(result, style),
    facts(result, style),
    changes(result, style),
    warnings(result, style),
    stderrBlock(result, style),
    report(result, style),
    ending(result, style, resumable),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function heading(result: Result, style: Style): string[] {
  const paint = result.status === 'completed' ? style.green : style.red;
  const details = [
    `exit ${result.exitCode}`,
    ...(result.signal ? [result.signal] : []),
    formatDuration(result.process.durationMs),
  ];
  const lines = [
    `${style.bold(paint(result.status))}  ${result.implementer}  ${style.dim(details.join(', '))}`,
  ];
  if (result.error) lines.push(paint(oneLine(result.error)));
  if (result.agent.claim === 'success' && result.status !== 'completed') {
    lines.push(
      style.yellow(
        `the implementer claims success, the process did not end well: judge the work by the evidence`,
      ),
    );
  }
  return lines;
}

function facts(result: Result, style: Style): string[] {
  const rows: [string, string][] = [
    ['version', result.claudeVersion ?? result.codexVersion ?? 'none'],
    [
      'permission',
      `${result.permissionMode ?? result.sandbox ?? 'unknown'}, shell sandbox ${result.shellSandbox}`,
    ],
    ['session', sessionOf(result) ?? 'none'],
    ['claim', claimLine(result)],
    ['turns', `${result.numTurns ?? 'unknown'}, ${count(result.agent.toolCalls, 'tool call')}`],
    ['cost', costLine(result)],
  ];
  if (result.lane !== null) rows.push(['lane', laneLine(result)]);
  if (result.cleanEnv)
    rows.push(['environment', `clean, kept: ${result.keepEnv?.join(', ') || 'nothing more'}`]);
  if (result.widened) rows.push(['widened', widenedLine(result.widened)]);
  return rows.map(([name, value]) => `${style.dim(name.padEnd(11))}${oneLine(value)}`);
}

function sessionOf(result: Result): string | null {
  return result.sessionId ?? result.threadId ?? null;
}

function claimLine({ agent }: Result): string {
  const retry = agent.retryAt ? `, retry after ${agent.retryAt}` : agent.retryable ? ', can be retried' : '';
  const retries = agent.retries > 0 ? `, ${agent.retries} retries` : '';
  return `${agent.claim}${agent.reason ? ` (${agent.reason})` : ''}${retry}${retries}`;
}

function costLine({ cost }: Result): string {
  const usd = cost.usd === null ? 'unknown' : `$${cost.usd.toFixed(4)}`;
  const tokens = [
    cost.inputTokens === null ? null : `${cost.inputTokens} in`,
    cost.cachedTokens ? `${cost.cachedTokens} cached` : null,
    cost.outputTokens === null ? null : `${cost.outputTokens} out`,
  ].filter((part) => part !== null);
  return tokens.length > 0 ? `${usd}, tokens ${tokens.join(', ')}` : usd;
}

/** The lane, and which dials are the way they are by it. */
function laneLine({ lane, laneSource, laneDials = [] }: Result): string {
  return `${lane} (${laneSource})${laneDials.length > 0 ? `, which set ${laneDials.join(', ')}` : ''}`;
}

function widenedLine(widened: NonNullable<Result['widened']>): string {
  return [
    ...(widened.hooks ? ['agent hooks (they run outside the sandbox)'] : []),
    ...widened.write.map((path) => `write ${path}`),
    ...widened.domains.map((host) => `host ${host}`),
  ].join(', ');
}

function changes(result: Result, style: Style): string[] {
  const { tree, changes: list } = result.evidence;
  if (tree === 'unknown')
    return [
      style.yellow('what changed is unknown'),
      ...result.evidence.coverage.gaps.map((gap) => `  ${oneLine(gap)}`),
    ];
  if (list.length === 0) return ['this run changed nothing in the working tree'];
  const lines = [
    style.bold(`this run changed ${count(list.length, 'file')}`),
    ...list.slice(0, MAX_LISTED).map((change) => changeLine(change, style)),
  ];
  if (list.length > MAX_LISTED) lines.push(style.dim(`  … and ${list.length - MAX_LISTED} more`));
  return lines;
}

const MARKS: { [kind in Change['kind']]: string } = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  mode: 'X',
  type: 'T',
};

function changeLine(change: Change, style: Style): string {
  const paint = change.kind === 'added' ? style.green : change.kind === 'deleted' ? style.red : style.yellow;
  const name =
    change.from === undefined ? visible(change.path) : `${visible(change.from)} -> ${visible(change.path)}`;
  const size =
    change.added === null || change.deleted === null ? 'binary' : `+${change.added} -${change.deleted}`;
  const dirty = change.preexisting ? ', had uncommitted changes before' : '';
  return `  ${paint(MARKS[change.kind])} ${name}  ${style.dim(`${size}${dirty}`)}`;
}

/**
 * A file name may hold anything: escape sequences, which must not drive the terminal, and signs that are not seen or turn
 * the reading direction, with which it would look like another.
 */
export function visible(path: string): string {
  return path
    .replace(
      /[\u0000-\u001f\u007f-\u009f]/g,
      (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replace(/[\u2028\u2029]|\p{Cf}/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function warnings(result: Result, style: Style): string[] {
  const lines: string[] = [];
  for (const { kind, detail, actor } of result.evidence.violations) {
    const who =
      actor === 'excluded-by-sandbox'
        ? ' (the sandbox excludes the implementer: look for another actor)'
        : '';
    lines.push(style.red(`violation  ${kind}: ${oneLine(detail)}${who}`));
  }
  if (result.readOnlyViolation === true)
    lines.push(style.red('violation  something was written during a read-only run'));
  for (const denial of result.agent.denials.slice(0, MAX_LISTED)) {
    const input = truncate(oneLine(JSON.stringify(denial.input) ?? ''), 120);
    lines.push(
      style.yellow(
        `denied     ${oneLine(denial.tool)} ${input}${denial.reason ? `: ${oneLine(denial.reason)}` : ''}`,
      ),
    );
  }
  for (const [name, said] of [
    ['deviation', result.agent.report?.deviations],
    ['question', result.agent.report?.questions],
  ] as const)
    for (const one of (said ?? []).slice(0, MAX_LISTED))
      lines.push(style.yellow(`${name.padEnd(11)}${truncate(oneLine(one), 200)}`));
  for (const notice of result.evidence.notices) lines.push(style.dim(`notice     ${oneLine(notice)}`));
  if (result.evidence.tree !== 'unknown') {
    for (const gap of result.evidence.coverage.gaps) lines.push(style.yellow(`not seen   ${oneLine(gap)}`));
  }
  const { swept, survivors } = result.process;
  if (swept.length > 0)
    lines.push(
      style.dim(
        `ended      ${count(swept.length, 'process', 'processes')} that the implementer left: ${names(swept)}`,
      ),
    );
  if (survivors.length > 0)
    lines.push(
      style.red(
        `alive      ${count(survivors.length, 'process', 'processes')} could not be ended: ${names(survivors)}`,
      ),
    );
  if (result.stream.truncated)
    lines.push(style.yellow('stream     it was cut: the last record is incomplete, or the log shrank'));
  if (result.stream.oversize > 0)
    lines.push(
      style.yellow(`stream     ${count(result.stream.oversize, 'record')} over the size limit skipped`),
    );
  return lines;
}

function names(processes: Result['process']['swept']): string {
  return processes.map(({ pid, command }) => `${pid} ${truncate(oneLine(command), 60)}`).join(', ');
}

function stderrBlock(result: Result, style: Style): string[] {
  if (!result.stderrTail || result.stderrTail.length === 0) return [];
  return [style.bold('last of stderr'), ...result.stderrTail.map((line) => `  ${oneLine(line)}`)];
}

function report(result: Result, style: Style): string[] {
  if (result.finalMessage.trim() === '') return ['the implementer left no final text'];
  // Codex's terminal event never has a text.
  const expected = result.resultSubtype !== undefined;
  const source =
    expected && result.agent.finalTextSource === 'assistant' ? ' (its last text, the result had none)' : '';
  return [
    style.bold(`report of the implementer${source}`),
    ...result.finalMessage
      .trimEnd()
      .split('\n')
      .map((line) => `  ${visible(line)}`),
  ];
}

function ending(result: Result, style: Style, resumable: boolean): string[] {
  const lines: string[] = [];
  const session = sessionOf(result);
  // Claude is the default, and needs no name.
  const who = result.implementer === 'claude' ? '' : ` --implementer ${result.implementer}`;
  // An id is the implementer's word, and people copy this line into a shell.
  if (resumable && session !== null && SESSION_ID_FORM.test(session))
    lines.push(
      `${style.dim('resume     ')}baton dispatch${who} --session ${session} --cd ${quote(result.workdir)} --brief <file>`,
    );
  if (result.patchPath) lines.push(`${style.dim('patch      ')}${result.patchPath}`);
  if (result.resultPath) lines.push(`${style.dim('result     ')}${result.resultPath}`);
  lines.push(boundaryLine(result));
  return lines;
}

/** The one sentence that a caller may rely on: it names what was done against the rules, or what could not be seen. */
function boundaryLine(result: Result): string {
  const against = result.evidence.violations.filter(
    ({ kind }) => kind === 'commit' || kind === 'ref' || kind === 'stash',
  );
  if (against.length > 0) {
    return `baton committed nothing, but the repository's history was changed during the run: ${against.map(({ detail }) => oneLine(detail)).join('; ')}`;
  }
  if (result.evidence.tree === 'unknown')
    return 'baton committed nothing; whether the implementer did could not be seen';
  if (!result.evidence.coverage.complete)
    return 'baton committed nothing; no commit was seen during the run, but not everything could be seen';
  return 'baton committed nothing, and no commit was made during the run';
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

function quote(path: string): string {
  return /^[A-Za-z0-9_./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
