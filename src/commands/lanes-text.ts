import { DIAL_NAMES, type Dials, DRIVEN_KEYS } from '../lanes/lane.ts';
import type { Fleet, FleetFile } from '../lanes/fleet.ts';
import type { FileLane } from '../lanes/fleet-file.ts';
import type { ListedLane } from '../lanes/resolve.ts';
import type { LaneReview } from '../verbs/approve-lanes.ts';
import type { Style } from './style.ts';
import { visible } from './summary.ts';

/** Both files, each with its lanes. */
export function fleetText(
  { global, project, unseen }: Fleet,
  lanes: readonly ListedLane[],
  style: Style,
): string {
  const of = (source: ListedLane['source']): string[] =>
    lanes.filter((lane) => lane.source === source).map((lane) => listedLine(lane, lanes, style));
  // A file that cannot be used cannot be approved either.
  const approval =
    project?.present && project.problem === null && !project.approved
      ? ['  not approved: `baton lanes approve` shows it and asks']
      : [];
  const lines = [
    ...fileLines('global', global, of('global'), style),
    ...(project
      ? [...fileLines('project', project, of('project'), style), ...approval.map(style.yellow)]
      : []),
    ...(unseen === null ? [] : [style.yellow(visible(unseen))]),
  ];
  const none =
    lanes.length === 0 ? ['', `make one: baton lanes set <name> --implementer ${DRIVEN_KEYS[0]}`] : [];
  return `${[...lines, ...none].join('\n')}\n`;
}

function fileLines(title: string, file: FleetFile, lanes: readonly string[], style: Style): string[] {
  const heading = `${style.bold(title)}  ${style.dim(visible(file.path))}`;
  if (!file.present) return [`${heading}  ${style.dim('(none)')}`];
  if (file.problem !== null) return [heading, style.red(`  not used: ${visible(file.problem)}`)];
  return [heading, ...(lanes.length > 0 ? lanes : [style.dim('  no lanes')])];
}

function listedLine(lane: ListedLane, all: readonly ListedLane[], style: Style): string {
  const notes = {
    usable: '',
    broken: '',
    replaced: 'replaced by the lane of the project',
    'not-approved': 'not approved',
  };
  const meant =
    lane.source === 'global' &&
    all.some((other) => other.name === lane.name && other.state === 'not-approved')
      ? 'used while the lane of the project is not approved'
      : notes[lane.state];
  return laneLine(lane, meant, style);
}

/** `  fast  claude  model opus, effort low  (a note)`. */
function laneLine(lane: FileLane, note: string, style: Style): string {
  const name = style.bold(visible(lane.name).padEnd(14));
  if (lane.problem !== null) return `  ${name} ${style.red(visible(lane.problem))}`;
  const foreign = DRIVEN_KEYS.includes(lane.implementer) ? '' : 'baton does not drive it';
  const notes = [foreign, note].filter((text) => text !== '').join('; ');
  const line = `  ${name} ${lane.implementer.padEnd(8)} ${visible(dialsText(lane.dials)) || style.dim('no dials')}`;
  return `${line}${notes === '' ? '' : style.yellow(`  (${notes})`)}`;
}

/** `model opus, timeout 30m, readOnly true`. */
export function dialsText(dials: Dials): string {
  return DIAL_NAMES.flatMap((dial) => (dials[dial] === undefined ? [] : `${dial} ${dials[dial]}`)).join(', ');
}

/** All of the project's file, and what it would do: what a person has to see before it is approved. */
export function reviewText({ file, lanes }: LaneReview, style: Style): string {
  const text = new TextDecoder().decode(file.bytes).trimEnd();
  return [
    `${style.bold(visible(file.path))}  ${style.dim(`sha256 ${file.hash}`)}`,
    ...text.split(/\r?\n/).map((line) => `  ${unmasked(line)}`),
    '',
    style.bold(
      lanes.length === 0 ? 'it has no lanes' : 'approved, each of these lanes can be named with --lane:',
    ),
    ...lanes.map((lane) => laneLine(lane, lane.replaces ? 'takes the place of your own' : '', style)),
    ...lanes.flatMap((lane) => openDoors(lane)).map((line) => style.red(`  ${line}`)),
    '',
  ].join('\n');
}

/** What a person should not read over. */
function openDoors({ name, dials }: FileLane): string[] {
  return dials?.sandbox === 'danger-full-access'
    ? [`${visible(name)} lets the implementer do whatever you may: it has no sandbox`]
    : [];
}

/** A line of a file as it may be shown to whoever is to approve it: a tab is no sign to hide behind. */
export function unmasked(line: string): string {
  return visible(line.replaceAll('\t', '  '));
}
