import type { Check } from '../implementers/inspection.ts';
import type { Diagnosis } from '../verbs/doctor.ts';
import type { Mending } from './doctor.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** What was looked at, what is wrong with each command that mends it, and whether a dispatch would start. */
export function diagnosisText(diagnosis: Diagnosis, fixing: boolean, style: Style): string {
  const lines = diagnosis.checks.flatMap((check) => checkLines(check, style));
  return [...lines, verdict(diagnosis, fixing, style)].map((line) => `${line}\n`).join('');
}

function checkLines({ state, text, remedy }: Check, style: Style): string[] {
  const line = `${painted(state, style)}  ${visible(text)}`;
  return remedy === undefined || state === 'ok' ? [line] : [line, `         ${style.bold(visible(remedy))}`];
}

function painted(state: Check['state'], style: Style): string {
  if (state === 'ok') return style.green('ok     ');
  return state === 'warning' ? style.yellow('warning') : style.red('PROBLEM');
}

function verdict(
  { ok, implementer, others, checks, fixes }: Diagnosis,
  fixing: boolean,
  style: Style,
): string {
  const count = (state: Check['state'], word: string): string[] => {
    const number = checks.filter((check) => check.state === state).length;
    return number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`];
  };
  const counts = [...count('problem', 'problem'), ...count('warning', 'warning')].join(', ');
  const name = visible(implementer);
  const says = ok
    ? style.bold(style.green(`a dispatch to ${name} would start`))
    : style.bold(style.red(`a dispatch to ${name} would not start`));
  const other = others[0];
  const hints = [
    ...(fixes.length > 0 && !fixing
      ? [`\`baton doctor --fix\` mends ${fixes.length} of these, and asks first`]
      : []),
    ...(!ok && other !== undefined
      ? [`${other} has no problem of its own: \`baton doctor --implementer ${other}\``]
      : []),
  ];
  return [counts === '' ? says : `${says} (${counts})`, ...hints].join('\n');
}

/** What was mended, and what was not. */
export function mendingText(mendings: readonly Mending[], style: Style): string {
  return mendings
    .map(({ done, text }) => `${done ? style.green('mended ') : style.yellow('left   ')}  ${visible(text)}\n`)
    .join('');
}
