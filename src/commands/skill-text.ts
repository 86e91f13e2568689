import type { SkillChange } from '../verbs/skill-change.ts';
import type { SkillPlaceStatus, SkillStatus } from '../verbs/skill-status.ts';
import { publishText } from './publish-text.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** What was done, or would be: for each agent product its files, and what would change. */
export function skillChangesText(changes: readonly SkillChange[], style: Style): string {
  return changes
    .map(({ target, folder, files, left }) => {
      const nothing = left === null && files.length === 0 ? style.dim('nothing of it is there\n') : '';
      const kept = left === null ? '' : `${style.yellow('left as it is')}: ${visible(left)}\n`;
      return `${style.bold(target)} ${visible(folder)}\n${kept}${nothing}${publishText({ files }, style)}`;
    })
    .join('\n');
}

export function skillStatusText({ target, how, note, places, seenAt }: SkillStatus, style: Style): string {
  const elsewhere = seenAt !== null && !places.some(({ seen }) => seen);
  return [
    `${style.bold(target)} ${style.dim(`(${how}: ${visible(note)})`)}\n`,
    ...places.map((place) => placeText(place, { target, how }, style)),
    ...(elsewhere ? [`  the model reads of another one: ${visible(seenAt)}\n`] : []),
  ].join('');
}

function placeText(
  { scope, folder, state, version, edited, problems, seen, reasons }: SkillPlaceStatus,
  { target, how }: Pick<SkillStatus, 'target' | 'how'>,
  style: Style,
): string {
  const paint = state === 'installed' ? style.green : state === 'absent' ? style.dim : style.yellow;
  const which = state === 'absent' || version === null ? '' : ` (${visible(version)})`;
  const told =
    seen === null
      ? ''
      : seen
        ? `, ${style.green(`${target} ${how === 'asked' ? 'tells' : 'would tell'} its model of it`)}`
        : `, ${style.red(`${target} ${how === 'asked' ? 'does' : 'would'} not tell its model of it`)}`;
  return [
    `  ${scope.padEnd(7)} ${paint(state)}${which}${told}\n`,
    `    ${visible(folder)}\n`,
    ...edited.map((path) => `    edited: ${visible(path)}\n`),
    ...[...problems, ...reasons].map((reason) => `    ${visible(reason)}\n`),
    ...(state === 'older'
      ? [`    bring it up to date: baton skill install --${scope} --target ${target}\n`]
      : []),
  ].join('');
}
