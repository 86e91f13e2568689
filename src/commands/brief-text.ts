import type { BriefFinding } from '../briefs/check/finding.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** A finding in two lines: what, and the way out. */
export function findingText({ rule, severity, line, message, remedy }: BriefFinding, style: Style): string {
  const head = severity === 'error' ? style.red('error  ') : style.yellow('warning');
  const where = line === null ? '' : `line ${line}: `;
  return `${head}  ${where}${visible(message)} ${style.dim(rule)}\n         ${visible(remedy)}\n`;
}
