import { join } from 'node:path';
import { formatDuration } from '../core/duration.ts';
import { oneLine, truncate } from '../core/text.ts';
import type { Beginning } from '../gates/check-run.ts';
import type { GateResult, GateState } from '../gates/gate.ts';
import type { GateConfig } from '../gates/config-source.ts';
import type { GateStanding } from '../gates/record.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import type { ExitCode } from './io.ts';
import { outputTail } from './output-tail.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

const MAX_NAMED = 10;
const TAIL_LINES = 6;

/** What a person should know before reading how the gates went. */
export function beginningText(beginning: Beginning, style: Style): string {
  const { runId, decidedBy, treeIs, config, gaps } = beginning;
  const lines: string[] = [];
  if (decidedBy.length > 0)
    lines.push(style.yellow(`this run changed what decides about the gates: ${named(decidedBy)}`));
  if (treeIs === 'other')
    lines.push(style.yellow('the working tree is not what the run left: something was changed since'));
  if (treeIs === 'unknown')
    lines.push(style.yellow('whether the working tree is what the run left is not known'));
  for (const gap of gaps) lines.push(style.yellow(oneLine(gap)));
  if (config && !config.approved)
    lines.push(
      style.yellow(
        `${config.path} as it was before the run is not approved (sha-256 ${config.hash}): its gates are not run`,
      ),
      `  read its commands:  baton gates list --run ${runId}`,
      `  approve them:       baton gates approve --run ${runId}`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

/** One gate, how it went, the last words of one that failed, and where to read more. `directory`: of the run. */
export function gateText(gate: GateResult, directory: string, style: Style): string {
  const time = gate.output === null ? '' : formatDuration(gate.durationMs);
  const lines = [`${painted(gate, style)}  ${visible(gate.name)}  ${style.dim(time)}`.trimEnd()];
  if (gate.reason !== null) lines.push(`  ${oneLine(truncate(gate.reason, 400))}${sinceText(gate)}`);
  else if (gate.since === 'mended') lines.push('  it failed before the run');
  if (gate.changedTree !== null && gate.changedTree.length > 0)
    lines.push(style.yellow(`  it changed the working tree: ${named(gate.changedTree)}`));
  if (gate.left.length > 0)
    lines.push(style.yellow(`  it left processes behind, which were ended: ${named(gate.left)}`));
  if (gate.survivors.length > 0)
    lines.push(style.red(`  processes that could not be ended: ${named(gate.survivors)}`));
  if (gate.state === 'failed' || gate.state === 'could-not-run') {
    if (gate.withheld.length > 0)
      lines.push(style.dim(`  variables that it did not get: ${gate.withheld.map(visible).join(', ')}`));
    if (gate.output !== null) {
      const file = join(directory, gate.output);
      lines.push(
        ...outputTail(file, TAIL_LINES).map((line) => `  | ${truncate(line, 200)}`),
        style.dim(`  ${file}`),
      );
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** The last line: what all of it comes to, and of which tree. */
export function standingText(
  { state, tree, gates }: GateStanding,
  treeIs: Beginning['treeIs'],
  style: Style,
): string {
  if (gates.length === 0)
    return `${style.yellow('no gates are configured')}: \`baton gates detect\` proposes some\n`;
  const counts = (['passed', 'failed', 'could-not-run', 'not-run'] as const)
    .map((one) => [gates.filter((gate) => gate.state === one).length, one.replaceAll('-', ' ')] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  const paint = state === 'passed' ? style.green : state === 'failed' ? style.red : style.yellow;
  const where =
    tree === null
      ? ''
      : ` on tree ${tree.slice(0, 12)}${treeIs === 'after' ? ', exactly what the run left' : ''}`;
  return `${style.bold(paint(`gates: ${counts.join(', ')}`))}${where}\n`;
}

/** What a project's configuration asks for, for `baton gates list`. */
export function configText(config: GateConfig | null, style: Style): string {
  if (!config) return 'no gates are configured: `baton gates detect` proposes some\n';
  const lines = config.gates.flatMap(({ name, command, cwd, when, timeoutMs, env }) => [
    `${style.bold(name)}  ${visible(command)}`,
    ...(cwd === '.' ? [] : [style.dim(`  in ${visible(cwd)}`)]),
    ...(when.length === 0 ? [] : [style.dim(`  when ${when.map(visible).join(', ')} changed`)]),
    ...Object.entries(env).map(([key, value]) =>
      style.dim(`  ${key}${value === true ? ' is passed on' : `=${visible(value)}`}`),
    ),
    style.dim(`  at most ${formatDuration(timeoutMs)}`),
  ]);
  const standing = config.approved
    ? style.green(`${config.path} is approved`)
    : `${style.yellow(`${config.path} is not approved`)}: its commands are not run. If they are what you want, approve them with \`baton gates approve\``;
  return `${[...lines, `${standing} ${style.dim(`(sha-256 ${config.hash})`)}`].join('\n')}\n`;
}

/**
 * 0 where every gate that applies passed, or none applies; 1 where one failed; 3 where it cannot be said: one could not
 * run or was not run, or there is none; 128+n where a signal ended it.
 */
export function gatesExitCode({ state, gates }: GateStanding, signal: AbortSignal): ExitCode {
  if (signal.aborted) return judgeAbort(abortCause(signal)).exitCode;
  if (state === 'passed' || (state === 'none-configured' && gates.length > 0)) return 0;
  return state === 'failed' ? 1 : 3;
}

const WORDS: { [state in GateState]: string } = {
  passed: 'passed       ',
  failed: 'FAILED       ',
  'could-not-run': 'could not run',
  'not-run': 'not run      ',
};

function painted({ state, applies }: GateResult, style: Style): string {
  const word = WORDS[state];
  if (state === 'passed') return style.green(word);
  if (state === 'failed') return style.red(word);
  return applies ? style.yellow(word) : style.dim(word);
}

function sinceText({ since }: GateResult): string {
  if (since === 'new') return ' (it passed before the run)';
  return since === 'already-there' ? ' (it failed before the run too)' : '';
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map(visible).join(', ');
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}
