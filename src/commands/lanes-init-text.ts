import type { FileLane } from '../lanes/fleet-file.ts';
import type { ProposedLane, ProposedValue } from '../lanes/propose.ts';
import type { Fate, LanesStart } from '../verbs/init-lanes.ts';
import { dialsText, unmasked } from './lanes-text.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** A proposed lane, and what became of it. */
export interface DraftLane {
  lane: ProposedLane;
  fate: Fate;
  /** It is in the text that is shown. */
  taken: boolean;
}

/** All of the file as it would be, and of each proposed lane where its values came from. */
export function draftText(
  { opened, own }: LanesStart,
  lanes: readonly DraftLane[],
  text: string,
  style: Style,
): string {
  const { file, project } = opened;
  const state = file.present ? 'as it would be' : 'new';
  const lines = [
    `${style.bold(visible(file.path))}  ${style.dim(`(${state})`)}`,
    ...text
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => `  ${unmasked(line)}`),
    '',
    style.bold('where each value came from'),
    ...lanes.flatMap((lane) => originLines(lane, own, style)),
    '',
    ...(project
      ? ["this is the project's file: it has to be approved before it counts, here and in every clone", '']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Names the lane that is there, and the one that could take its place. */
export function takenQuestion({ name, ...proposed }: ProposedLane, by: FileLane): string {
  return `there is a lane ${name} already (${bindingText(by)}). Replace it by ${bindingText({ ...proposed })}?`;
}

function bindingText({ implementer, dials }: Pick<FileLane, 'implementer' | 'dials'>): string {
  if (implementer === null) return 'it is broken';
  return visible([implementer, dialsText(dials ?? {})].filter((part) => part !== '').join(', '));
}

function originLines({ lane, fate, taken }: DraftLane, own: readonly string[], style: Style): string[] {
  const heading = `  ${style.bold(lane.name)}`;
  if (fate.is === 'same') return [`${heading}  is there already, just so`];
  if (fate.is === 'taken' && !taken)
    return [`${heading}  ${style.yellow(`is there already, and stays as it is: ${bindingText(fate.by)}`)}`];
  const notes = [
    fate.is === 'taken' ? `replaces ${bindingText(fate.by)}` : null,
    own.includes(lane.name) ? 'takes the place of your own' : null,
  ].filter((note) => note !== null);
  return [
    notes.length === 0 ? heading : `${heading}  ${style.yellow(`(${notes.join('; ')})`)}`,
    ...lane.values.map((value) => valueLine(lane, value, style)),
  ];
}

const ORIGINS: { readonly [origin in ProposedValue['origin']]: string } = {
  default: 'default',
  discovered: 'discovered',
  answer: 'your answer',
};

function valueLine(lane: ProposedLane, { field, origin, why }: ProposedValue, style: Style): string {
  const value = field === 'implementer' ? lane.implementer : `${lane.dials[field]}`;
  const reason = why === '' ? '' : style.dim(`  (${visible(why)})`);
  return `    ${field.padEnd(12)} ${value.padEnd(8)} ${ORIGINS[origin]}${reason}`;
}
