import { oneLine } from '../core/text.ts';
import type { AnswerReport, GenerationReport } from '../generate/generation.ts';
import type { CostBlock } from '../rundir/result.ts';
import { publishText } from './publish-text.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** One line for each answer as it comes, and below it what is wrong with it. */
export function answerText(
  { name, used, problems, warnings, raw, failure }: AnswerReport,
  style: Style,
): string {
  const { bold, green, red, yellow, dim } = style;
  const state = used ? green('answered') : red(failure ? 'failed' : 'not usable');
  const faults = [
    ...(failure ? [red(oneLine(failure.message))] : []),
    ...problems.map((text) => red(visible(text))),
    ...warnings.map((text) => yellow(visible(text))),
    ...(raw !== null && (!used || problems.length > 0) ? [dim(`the answer as it came: ${raw}`)] : []),
  ];
  return [`${state} ${bold(visible(name))}`, ...faults.map((text) => `  ${text}`)]
    .map((line) => `${line}\n`)
    .join('');
}

/** What came of it all. */
export function reportText(report: GenerationReport, style: Style): string {
  const { answers, files, notes, usage, kept, publication } = report;
  const used = answers.filter((answer) => answer.used).length;
  const lines = [
    ...notes.map((note) => style.yellow(visible(note))),
    ...(answers.length > 0
      ? [`${used} of ${answers.length} answers can be used${usage ? `, ${costOf(usage)}` : ''}`]
      : []),
    OUTCOME[report.outcome],
    ...(kept === null ? [] : [style.dim(`the answers as they came: ${kept}`)]),
    ...(publication === null ? [] : [style.dim('`baton skills undo` takes it back')]),
  ];
  return `${publishText({ files }, style)}${files.length > 0 ? '\n' : ''}${lines.join('\n')}\n`;
}

const OUTCOME: { [outcome in GenerationReport['outcome']]: string } = {
  published: 'written',
  'dry-run': 'nothing was written: this was a dry run',
  declined: 'nothing was written',
  'nothing-to-write': 'there was nothing to write',
  interrupted: 'interrupted: nothing was written',
};

function costOf({ usd, inputTokens, outputTokens }: CostBlock): string {
  const tokens = `${inputTokens ?? 'unknown'} tokens in, ${outputTokens ?? 'unknown'} out`;
  return usd === null ? tokens : `$${usd.toFixed(2)}, ${tokens}`;
}
