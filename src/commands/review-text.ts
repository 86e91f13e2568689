import { oneLine } from '../core/text.ts';
import { FINDING_KINDS, type Finding, type FindingKind } from '../review/finding.ts';
import type { Review } from '../verbs/review.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** So many findings of a kind; the page and the JSON have them all. */
const MAX_OF_KIND = 15;
const MAX_GAPS = 10;

/** Findings for a person, by kind. What the implementer wrote cannot drive the terminal. */
export function reviewText(review: Review, style: Style): string {
  const { findings, files, notReviewed, pagePath } = review;
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const blocks = [
    [headline(review, style)],
    ...kinds.map((kind) => kindBlock(kind, findings, style)),
    gapsBlock(notReviewed, style),
    pagePath === null ? [] : [`${style.dim('report     ')}${visible(pagePath)}`],
    findings.length > 0
      ? [style.dim('each is a place to look at, not a verdict')]
      : [
          style.dim(
            `looked at ${count(files.length, 'changed file')}; that nothing was found proves nothing`,
          ),
        ],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function headline({ runId, runIds, findings, files }: Review, style: Style): string {
  const found = findings.length === 0 ? 'no findings' : count(findings.length, 'finding');
  const together = runIds.length > 1 ? ` with ${count(runIds.length - 1, 'run')} that it reworks` : '';
  return `${style.bold(found)}  ${style.dim(`run ${runId}${together}, ${count(files.length, 'changed file')}`)}`;
}

function kindBlock(kind: FindingKind, findings: readonly Finding[], style: Style): string[] {
  const own = findings.filter((finding) => finding.kind === kind);
  const more = own.length - MAX_OF_KIND;
  return [
    `${style.yellow(FINDING_KINDS[kind])} ${style.dim(String(own.length))}`,
    ...own.slice(0, MAX_OF_KIND).flatMap((finding) => findingLines(finding, style)),
    ...(more > 0 ? [style.dim(`  … and ${more} more (--json and --html have them all)`)] : []),
  ];
}

function findingLines({ file, line, side, detail, text }: Finding, style: Style): string[] {
  const place =
    file === null
      ? ''
      : `${style.cyan(`${visible(file)}${line === null ? '' : `:${line}`}`)}${side === 'before' ? style.dim(' (before)') : ''}  `;
  return [`  ${place}${oneLine(detail)}`, ...(text === '' ? [] : [style.dim(`    ${oneLine(text)}`)])];
}

function gapsBlock(gaps: readonly string[], style: Style): string[] {
  const more = gaps.length - MAX_GAPS;
  return [
    ...gaps.slice(0, MAX_GAPS).map((gap) => style.yellow(`not reviewed  ${oneLine(gap)}`)),
    ...(more > 0 ? [style.yellow(`not reviewed  … and ${more} more (--json has them all)`)] : []),
  ];
}

function count(n: number, one: string): string {
  return `${n} ${n === 1 ? one : `${one}s`}`;
}
