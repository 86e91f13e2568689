import { BatonError, UsageError } from '../core/errors.ts';
import { DEFAULT_LIMITS } from '../dispatch/options.ts';
import { showPath } from '../git/raw-path.ts';
import { gateStandingOf, type GateStanding } from '../gates/record.ts';
import { describeChange, land as commit, type LandingStep } from '../landing/land.ts';
import { withLandingLock } from '../landing/lock.ts';
import { type LandableRun, type LandingPlan, planLanding, treesOf } from '../landing/plan-landing.ts';
import { type GateFact, type LandedRecord, readLandingRecord } from '../landing/record.ts';
import { recover, type Recovery } from '../landing/recover.ts';
import { openWorkshop } from '../landing/workshop.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { Result, ViolationKind } from '../rundir/result.ts';
import { type Chain, chainAt, refuseSettled } from './chain.ts';
import type { RunChoice } from './run-at.ts';

export interface LandOptions extends RunChoice {
  /** The commit message; may be left out of a dry run. */
  message: string | null;
  /** Lands these paths or folders only; relative to the top. */
  only: readonly string[];
  /** Commits these as the run left them, with edits that were there before. */
  takeWhole: readonly string[];
  dryRun: boolean;
  /** Adds `Baton-Run` and `Baton-Implementer` to the message. */
  trailers: boolean;
  includeMyEdits: boolean;
  /** Commits that the implementer made give way to the landed one. Accepts them as violations. */
  takeCommits: boolean;
  acceptHookChanges: boolean;
  /** Kinds of violations. */
  acceptViolations: readonly string[];
  /** Why it is to be landed though its gates did not pass. */
  withoutGates: string | null;
  onStep?: (step: LandingStep) => void;
  onRecovered?: (recovery: Recovery) => void;
  signal?: AbortSignal;
}

export interface Landed {
  runIds: string[];
  /** What was made of an interrupted landing, first of all. */
  recovered: Recovery | null;
  /** What the commit changes, or would change. */
  changes: { status: string; path: string }[];
  tree: string;
  /** Edits of others since the run. */
  myEdits: { status: string; path: string }[];
  /** Changed by the run, and in no tree: too large, or in a repository of its own. */
  leftOut: string[];
  gates: GateFact;
  /** Paths of the run that decide about the gates themselves. */
  decidedBy: string[];
  /** Null for a dry run. */
  record: LandedRecord | null;
}

/**
 * Commits exactly what a run, or a chain of runs, changed. Rejects with a BatonError and nothing changed where that
 * cannot be told, is not allowed, or where a hook refuses.
 */
export async function land(options: LandOptions): Promise<Landed> {
  const { env, dryRun, message } = options;
  if (!dryRun && message === null)
    throw new UsageError('there is no commit message: give it with -m <message>');
  if (options.withoutGates?.trim() === '')
    throw new UsageError('--without-gates needs the reason, which is recorded');
  const chain = await chainAt(options);
  const { repository, stateHome, folder, runs, last } = chain;
  return withLandingLock({ repository, stateHome, runId: last.id }, async () => {
    const recovered = await recover(repository, { folder, env });
    if (recovered) options.onRecovered?.(recovered);
    const completed = completedBy(recovered, last);
    if (completed) return completed;
    refuseSettled(last);
    const acceptedViolations = acceptViolations(
      runs.map(({ result }) => result),
      [...options.acceptViolations, ...(options.takeCommits ? ['commit'] : [])],
    );
    const stores = runs.map(({ directory }) => artifactPath(directory, 'objects'));
    const workshop = await openWorkshop(repository, { folder, stores, env });
    const plan = await planLanding(workshop, { ...options, runs });
    const standing = await standingOf(chain, options);
    const gates = judgeGates(standing, plan, chain, options);
    const record =
      dryRun || message === null
        ? null
        : await commit(workshop, {
            ...options,
            runs,
            plan,
            message,
            acceptedViolations,
            gates,
            trailers: options.trailers ? trailersOf(chain) : [],
          });
    return {
      runIds: runs.map(({ id }) => id),
      recovered,
      changes: record?.changes ?? plan.changes.map(describeChange),
      tree: record?.tree ?? plan.tree,
      myEdits: plan.myEdits.map(describeChange),
      leftOut: leftOutOf(chain, plan),
      gates,
      decidedBy: standing.decidedBy,
      record,
    };
  });
}

/** Who lands again what a kill interrupted, and has it completed by that, has what was asked for. */
function completedBy(recovered: Recovery | null, { id, directory }: LandableRun): Landed | null {
  if (recovered?.kind !== 'land' || recovered.outcome !== 'completed' || !recovered.runIds.includes(id))
    return null;
  const record = readLandingRecord(directory);
  if (record?.state !== 'landed') return null;
  const { runIds, changes, tree, gates } = record;
  return { runIds, recovered, changes, tree, myEdits: [], leftOut: [], gates, decidedBy: [], record };
}

function trailersOf({ runs, last }: Chain): string[] {
  return [...runs.map(({ id }) => `Baton-Run: ${id}`), `Baton-Implementer: ${last.result.implementer}`];
}

/** The kinds that there are; throws for one that was not accepted by name, and for a name that is no kind. */
function acceptViolations(results: readonly Result[], accepted: readonly string[]): ViolationKind[] {
  const unknown = accepted.find((name) => !KINDS.has(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--accept-violations ${JSON.stringify(unknown)} is no kind of violation: choose from ${[...KINDS].join(', ')}`,
    );
  }
  const violations = results.flatMap(({ evidence }) => evidence.violations);
  const refused = violations.filter(({ kind }) => !accepted.includes(kind));
  if (refused.length > 0) {
    const kinds = [...new Set(refused.map(({ kind }) => kind))].join(',');
    throw new BatonError(
      'violations',
      `the run broke its bounds: ${refused.map(({ detail }) => detail).join('; ')}`,
      {
        hint: `look at it; to land all the same: --accept-violations ${kinds}`,
      },
    );
  }
  return [...new Set(violations.map(({ kind }) => kind))];
}

const KINDS: ReadonlySet<string> = new Set<ViolationKind>([
  'commit',
  'ref',
  'stash',
  'index',
  'hooks',
  'git-config',
  'agent-settings',
  'scope',
  'read-only',
  'outside',
]);

function standingOf({ repository, last }: Chain, { env }: LandOptions): Promise<GateStanding> {
  return gateStandingOf({
    runDir: last.directory,
    repository,
    evidence: last.result.evidence,
    env,
    gitTimeoutMs: DEFAULT_LIMITS.gitMs,
  });
}

/** Throws where the gates do not vouch for what is to be landed, and nobody said why that is to be so. */
function judgeGates(
  { state, tree }: GateStanding,
  plan: LandingPlan,
  { last }: Chain,
  { withoutGates, dryRun }: LandOptions,
): GateFact {
  const ranOn = [plan.tree, plan.workingTree, treesOf(last).after].includes(tree ?? '');
  const bound = tree === null ? null : tree === plan.tree ? 'landed-tree' : 'working-tree-only';
  const fact: GateFact = { state, tree, bound, without: withoutGates };
  if (dryRun || withoutGates !== null || state === 'none-configured') return fact;
  const hint = 'run them with `baton check`, or say why not: --without-gates "<reason>"';
  if (state !== 'passed')
    throw new BatonError('gates', `the gates of run ${last.id} have not passed: ${state}`, { hint });
  if (!ranOn)
    throw new BatonError('gates', `the gates of run ${last.id} passed on another tree than this one`, {
      hint,
    });
  return fact;
}

/** What the evidence names and no tree holds. */
function leftOutOf({ runs }: Chain, plan: LandingPlan): string[] {
  const held = new Set(plan.ran.map(showPath));
  const named = runs.flatMap(({ result }) => result.evidence.changes.map(({ path }) => path));
  return [...new Set(named)].filter((path) => !held.has(path));
}
