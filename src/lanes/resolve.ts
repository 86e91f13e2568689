import { UsageError } from '../core/errors.ts';
import type { FileLane } from './fleet-file.ts';
import type { Fleet, FleetFile, ProjectFleet } from './fleet.ts';
import { asText } from './as-text.ts';
import { DRIVEN_KEYS, IMPLEMENTER_KEYS, type Lane, type LaneSource } from './lane.ts';

/** A project may have any number of lanes, and a message ends. */
const MAX_NAMED = 30;

/** A lane of a name, and what a person should hear about it. */
export interface Resolved {
  lane: Lane;
  notes: string[];
}

/** A lane that stands in a file, and whether it counts. */
export type ListedLane = FileLane & {
  source: LaneSource;
  /**
   * `replaced`: the project has an approved lane of that name. `not-approved`: the project's file is not. `broken`:
   * see `problem`.
   */
  state: 'usable' | 'replaced' | 'not-approved' | 'broken';
};

/** Every lane of both files, in their order, the user's first. */
export function listLanes({ global, project }: Fleet): ListedLane[] {
  const replacing = project?.approved ? project.lanes : [];
  return [
    ...global.lanes.map((lane) => {
      const replaced = replacing.some(({ name }) => name === lane.name);
      return { ...lane, source: 'global' as const, state: replaced ? ('replaced' as const) : stateOf(lane) };
    }),
    ...(project?.lanes ?? []).map((lane) => ({
      ...lane,
      source: 'project' as const,
      state: project?.approved ? stateOf(lane) : ('not-approved' as const),
    })),
  ];
}

function stateOf(lane: FileLane): 'usable' | 'broken' {
  return lane.problem === null ? 'usable' : 'broken';
}

/**
 * The lane of a name: the approved project's one, else the user's. A project file that does not count takes nothing
 * away, and is only spoken of where it has to do with that name.
 *
 * Throws a UsageError for a name that is not known, a lane that is broken or not approved, and one that is bound to
 * another implementer than the one asked for.
 */
export function resolveLane(fleet: Fleet, name: string, implementer?: string): Resolved {
  const { global, project } = fleet;
  const ofProject = project?.lanes.find((lane) => lane.name === name);
  const ofUser = global.lanes.find((lane) => lane.name === name);
  const [file, lane, source] =
    project?.approved && ofProject
      ? ([project, ofProject, 'project'] as const)
      : ([global, ofUser, 'global'] as const);
  if (!lane) throw project && ofProject ? notApproved(project, name) : unknownLane(fleet, name);
  if (lane.problem !== null)
    throw new UsageError(`--lane ${asText(name)} cannot be used: ${lane.problem}`, {
      hint: `mend it in ${file.path}, or set it anew with \`baton lanes set\``,
    });
  const resolved = { name, source, implementer: lane.implementer, dials: { ...lane.dials } };
  requireSame(resolved, implementer);
  return { lane: resolved, notes: source === 'global' ? shadowNotes(fleet, ofProject) : [] };
}

/** What a global lane says where the project may mean another one by that name. */
function shadowNotes({ project, unseen }: Fleet, ofProject: FileLane | undefined): string[] {
  if (!project) return unseen === null ? [] : [unseen];
  if (ofProject)
    return [
      `the project has a lane ${asText(ofProject.name)} too, which is not used: ${project.path} is not approved (review it with \`baton lanes approve\`); the global one is`,
    ];
  const fault = faultOf(project);
  return fault === null ? [] : [fault];
}

/** The file may come from anybody: what it says counts once a person has looked at it. */
function notApproved({ path }: ProjectFleet, name: string): UsageError {
  return new UsageError(`--lane ${asText(name)} stands in ${path}, which is not approved as it is now`, {
    hint: 'in that repository, `baton lanes approve` shows the file and asks',
  });
}

function unknownLane({ global, project, unseen }: Fleet, name: string): UsageError {
  const whose = project?.approved ? 'project' : 'project, not approved';
  const known = [namesIn(global, 'global'), project && namesIn(project, whose)].filter(
    (text) => text !== null,
  );
  const faults = [faultOf(global), project ? faultOf(project) : unseen].filter((text) => text !== null);
  const none = `there are no lanes yet: make one with \`baton lanes set ${asText(name)} --implementer ${DRIVEN_KEYS[0]}\``;
  const lanes = known.length > 0 ? `there are ${known.join(' and ')}` : none;
  return new UsageError(`--lane ${asText(name)} is not known`, { hint: [lanes, ...faults].join('; ') });
}

/** `fast, hard (global: <path>)`; null where there are none. */
function namesIn({ path, lanes }: FleetFile, whose: string): string | null {
  const names = lanes.filter(({ problem }) => problem === null).map(({ name }) => name);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return names.length === 0 ? null : `${names.slice(0, MAX_NAMED).join(', ')}${more} (${whose}: ${path})`;
}

function faultOf({ path, problem }: FleetFile): string | null {
  return problem === null ? null : `${path} is not used: ${problem}`;
}

/** Never re-mapped: a lane's dials are chosen for one CLI, and mean something else to another. */
export function requireSame({ name, implementer }: Lane, asked: string | undefined): void {
  if (asked === undefined || asked === implementer) return;
  throw new UsageError(`--lane ${asText(name)} is bound to ${implementer}, not to ${asText(asked)}`, {
    hint: DRIVEN_KEYS.includes(implementer)
      ? `dispatch it to ${implementer}, or choose a lane of ${asked}`
      : `choose a lane of ${asked}`,
  });
}

/** Throws a UsageError for a lane of a CLI that baton does not start. */
export function requireDriven({ name, implementer }: Lane): void {
  if (DRIVEN_KEYS.includes(implementer)) return;
  const known = IMPLEMENTER_KEYS.includes(implementer) ? 'which baton does not drive' : 'which is not known';
  throw new UsageError(`--lane ${asText(name)} is bound to ${asText(implementer)}, ${known}`, {
    hint: `baton drives ${DRIVEN_KEYS.join(' and ')}`,
  });
}
