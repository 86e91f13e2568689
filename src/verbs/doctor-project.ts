import type { Env } from '../core/environment.ts';
import { messageOf } from '../core/errors.ts';
import { stateHome } from '../core/state-home.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import type { Implementer } from '../implementers/implementer.ts';
import { readJournal } from '../landing/journal.ts';
import { workshopFolder } from '../landing/workshop.ts';
import { DRIVEN_KEYS } from '../lanes/lane.ts';
import { type Fleet, readFleet } from '../lanes/fleet.ts';
import { listLanes } from '../lanes/resolve.ts';
import { treeHolder } from '../rundir/tree-lock.ts';
import { type Examined, fine, problem, warning } from './doctor-check.ts';
import { detect, listGates } from './gates.ts';
import { recoverLanding } from './recover.ts';
import { treeAt } from './run-at.ts';

export interface ProjectRequest {
  cd: string;
  env: Env;
  implementer: Implementer;
  /** Keys of implementers that work here. */
  usable: Promise<readonly string[]>;
}

/** What there is to say about the place where a run would work. */
export async function projectChecks(request: ProjectRequest): Promise<Examined[]> {
  const { cd, env } = request;
  const { repository, treeTop } = await treeAt({ cd, env });
  return [
    repositoryCheck(repository, request.implementer),
    ...treeChecks(cd, env, treeTop),
    ...laneChecks(readFleet({ repository, env }), await request.usable),
    ...('top' in repository ? [await gatesCheck(cd, env)] : []),
  ];
}

function repositoryCheck(repository: Repository | NoRepository, implementer: Implementer): Examined {
  if ('top' in repository) return fine('repository', `the repository ${repository.top}`);
  const { detail, hint, problem: kind } = repository;
  const remedy = kind === 'none' ? 'git init' : hint;
  return implementer.capabilities.skipGitRepoCheck
    ? problem(
        'repository',
        `${detail}: ${implementer.id} refuses to work here, unless with --skip-git-repo-check`,
        remedy,
      )
    : warning('repository', `${detail}: what a run changes here cannot be proven`, remedy);
}

function treeChecks(cd: string, env: Env, treeTop: string): Examined[] {
  const home = stateHome(env);
  const holder = treeHolder({ stateHome: home, treeTop });
  const interrupted = !holder && readJournal(workshopFolder(home, treeTop)) !== null;
  return [
    ...(holder
      ? [
          problem(
            'tree-lock',
            `run ${holder.runId} is at work in ${treeTop}, since ${holder.since}: a second one may only read`,
            'wait until it has ended, or: git worktree add <path>',
          ),
        ]
      : []),
    ...(interrupted
      ? [
          warning('interrupted-landing', `a landing in ${treeTop} was interrupted`, 'baton doctor --fix', {
            question: 'Complete that landing, or take it back, whichever is whole?',
            inRepository: true,
            apply: async () => {
              const recovery = await recoverLanding({ cd, env });
              return recovery
                ? `the ${recovery.kind} was ${recovery.outcome.replace('-', ' ')}`
                : 'nothing was left to do';
            },
          }),
        ]
      : []),
  ];
}

function laneChecks(fleet: Fleet, usable: readonly string[]): Examined[] {
  const { global, project, unseen } = fleet;
  const lanes = listLanes(fleet);
  const found: Examined[] = [];
  for (const file of [global, project])
    if (file && file.problem !== null)
      found.push(warning('lanes', `${file.path} is not used: ${file.problem}`, 'baton lanes validate'));
  if (unseen !== null) found.push(warning('lanes', unseen, 'git status'));
  if (project?.present && project.problem === null && !project.approved)
    found.push(
      warning('lanes', `${project.path} is not approved: its lanes are not used`, 'baton lanes approve'),
    );
  for (const lane of lanes) {
    if (lane.state === 'broken')
      found.push(
        warning(
          'lanes',
          `the ${lane.source} lane ${lane.name}: ${lane.problem ?? ''}`,
          'baton lanes validate',
        ),
      );
    else if (
      lane.state === 'usable' &&
      DRIVEN_KEYS.includes(lane.implementer ?? '') &&
      !usable.includes(lane.implementer ?? '')
    )
      found.push(
        warning(
          'lanes',
          `the ${lane.source} lane ${lane.name} is for ${lane.implementer}, which cannot work here yet`,
          `baton doctor --implementer ${lane.implementer}`,
        ),
      );
  }
  if (found.length > 0) return found;
  const names = lanes.filter(({ state }) => state === 'usable').map(({ name }) => name);
  return [fine('lanes', names.length === 0 ? 'no lanes are set' : `lanes: ${names.join(', ')}`)];
}

async function gatesCheck(cd: string, env: Env): Promise<Examined> {
  try {
    const config = await listGates({ cd, run: null, env });
    if (!config) return await gatesProposed(cd, env);
    const names = config.gates.map(({ name }) => name).join(', ');
    return config.approved
      ? fine('gates', `gates: ${names || 'none'} (${config.path})`)
      : warning(
          'gates',
          `${config.path} is not approved: its gates (${names || 'none'}) are not run`,
          'baton gates approve',
        );
  } catch (error) {
    return warning('gates', messageOf(error), 'baton gates list');
  }
}

async function gatesProposed(cd: string, env: Env): Promise<Examined> {
  const { proposals } = await detect({ cd, env, write: false });
  const names = proposals.map(({ name }) => name).join(', ');
  if (proposals.length === 0) return fine('gates', 'no gates are configured, and none were found');
  return warning(
    'gates',
    `no gates are configured; found in this project: ${names}`,
    'baton gates detect --write',
    {
      question: `Write these gates (${names}) to a baton.config.json? They are not approved by that.`,
      inRepository: true,
      apply: async () => {
        const { written } = await detect({ cd, env, write: true });
        return `wrote ${written ?? 'nothing'}: read it, and approve it with \`baton gates approve\``;
      },
    },
  );
}
