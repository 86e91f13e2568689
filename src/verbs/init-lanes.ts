import { BatonError, UsageError } from '../core/errors.ts';
import { setLane } from '../lanes/edit.ts';
import type { FileLane } from '../lanes/fleet-file.ts';
import { type Binding, DIAL_NAMES, type LaneSource } from '../lanes/lane.ts';
import { type ProposalCli, proposalClis, type ProposedLane } from '../lanes/propose.ts';
import { approve } from '../trust/approval.ts';
import { discover } from './discover.ts';
import { type LaneFile, openLaneFile, writeLaneFile } from './lane-file.ts';
import { fleetAt, type LanePlace } from './lanes.ts';

export interface InitPlace extends LanePlace {
  scope: LaneSource;
}

/** What there is to begin with: a file that can be edited, and the CLIs that lanes can be made for. */
export interface LanesStart extends InitPlace {
  opened: LaneFile;
  clis: ProposalCli[];
  /** Lanes of the user's own, which a lane of the project would take the place of; none where it is the user's file. */
  own: readonly string[];
}

/**
 * Looks at the file, and for the CLIs of this machine. Rejects with a UsageError for a file that cannot be edited, and
 * with a BatonError `no-cli` where there is no CLI to make lanes for.
 */
export async function startLanes({
  signal,
  ...place
}: InitPlace & { signal: AbortSignal }): Promise<LanesStart> {
  const fleet = await fleetAt(place);
  const opened = openLaneFile(fleet, place.scope);
  const { path, problem } = opened.file;
  if (problem !== null)
    throw new UsageError(`${path} is broken, and left as it is: ${problem}`, {
      hint: 'mend it by hand first',
    });
  const clis = proposalClis(await discover({ cd: place.cd, env: place.env, signal }));
  if (clis.length === 0 && !signal.aborted)
    throw new BatonError(
      'no-cli',
      'there is no agent CLI here that baton can start, so there is nothing to propose',
      {
        hint: '`baton doctor` says what is missing',
      },
    );
  const own = opened.project ? fleet.global.lanes.map(({ name }) => name) : [];
  return { ...place, opened, clis, own };
}

/** What becomes of a proposed lane. */
export type Fate =
  | { is: 'new' }
  /** It stands there already, just so. */
  | { is: 'same' }
  /** Another lane has that name. `replaceable` is false where that one has fields that baton does not know. */
  | { is: 'taken'; by: FileLane; replaceable: boolean };

export function fateOf({ opened }: Pick<LanesStart, 'opened'>, lane: ProposedLane): Fate {
  const by = opened.file.lanes.find(({ name }) => name === lane.name);
  if (!by) return { is: 'new' };
  if (by.problem === null && textOf(by) === textOf(lane)) return { is: 'same' };
  return { is: 'taken', by, replaceable: canSet(opened.text, lane) };
}

function textOf({ implementer, dials }: Binding): string {
  return JSON.stringify([implementer, ...DIAL_NAMES.map((dial) => dials[dial] ?? null)]);
}

function canSet(text: string | null, lane: ProposedLane): boolean {
  try {
    setLane(text, lane.name, lane);
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/** The text of the file with these lanes in it. Everything else in it stays as it is. */
export function withLanes(
  { opened }: Pick<LanesStart, 'opened'>,
  lanes: readonly ProposedLane[],
): string | null {
  return lanes.reduce<string | null>((text, lane) => setLane(text, lane.name, lane), opened.text);
}

/**
 * Writes the text that a person agreed to, and returns its bytes. Rejects with a BatonError `lanes-file` where the file
 * was changed since it was shown, or cannot be written.
 */
export async function writeLanes({ opened, ...place }: LanesStart, text: string): Promise<Uint8Array> {
  const now = openLaneFile(await fleetAt(place), place.scope);
  if (now.text !== opened.text)
    throw new BatonError('lanes-file', `${opened.file.path} was changed meanwhile: nothing was written`, {
      hint: 'begin again',
    });
  return writeLaneFile(opened, text);
}

/** Approves the bytes that were shown and written, whatever the file holds by now. Returns the files that say so. */
export function approveWritten({ opened }: Pick<LanesStart, 'opened'>, bytes: Uint8Array): string[] {
  return opened.project ? approve(opened.project.repository, 'lanes', bytes) : [];
}
