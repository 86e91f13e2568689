import { BatonError, UsageError } from '../core/errors.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { DispatchOptions } from '../dispatch/options.ts';
import { withLandingLock } from '../landing/lock.ts';
import { readLandingRecord } from '../landing/record.ts';
import { recover, type Recovery } from '../landing/recover.ts';
import type { Dials, Lane } from '../lanes/lane.ts';
import type { Result } from '../rundir/result.ts';
import { chainAt } from './chain.ts';
import type { RunChoice } from './run-at.ts';

/** What a rework may set anew; all else is as it was in the run. */
export interface ReworkOptions
  extends RunChoice,
    Pick<
      DispatchOptions,
      | 'brief'
      | 'timeout'
      | 'maxTurns'
      | 'maxBudgetUsd'
      | 'touch'
      | 'dangerouslySkipPermissions'
      | 'signal'
      | 'hurry'
      | 'onEvent'
      | 'onStderr'
      | 'onStart'
      | 'onWarning'
      | 'beforeLook'
    > {
  onRecovered?: (recovery: Recovery) => void;
}

/**
 * Goes on with the session of a run, with a brief that says what is still wrong: same implementer, directory, profile
 * and widening. The new run is chained to it, so that both are shown, landed and discarded together. Rejects with a
 * BatonError where the run has no session, or was discarded.
 */
export async function rework({ cd, run, env, onRecovered, ...asked }: ReworkOptions): Promise<Result> {
  const { repository, stateHome, folder, last } = await chainAt({ cd, run, env });
  await withLandingLock({ repository, stateHome, runId: last.id }, async () => {
    const recovered = await recover(repository, { folder, env });
    if (recovered) onRecovered?.(recovered);
  });
  if (readLandingRecord(last.directory)?.state === 'discarded') {
    throw new BatonError(
      'discarded',
      `run ${last.id} was discarded: its session believes in files that are gone`,
      {
        hint: `take that back first (baton undo ${last.id}), or dispatch anew`,
      },
    );
  }
  const { dangerouslySkipPermissions: bypass = false, ...others } = asked;
  return dispatch({
    ...sameAs(last.result, bypass),
    ...others,
    ...(bypass && bypassOf(last.result)),
    env,
    parent: last.id,
  });
}

function sameAs(result: Result, bypass: boolean): Omit<DispatchOptions, 'brief'> {
  const session = result.sessionId ?? result.threadId ?? null;
  if (session === null)
    throw new BatonError('no-session', `run ${result.runId} has no session to go on with`);
  if (result.dangerouslySkipPermissions && !bypass) {
    throw new UsageError(`run ${result.runId} had no permission checks: that is never taken over unsaid`, {
      hint: 'say --dangerously-skip-permissions again',
    });
  }
  const { maxTurns, maxBudgetUsd, autocompact, widened, cleanEnv, keepEnv } = result;
  const { lane, dials } = dialsOf(result);
  return {
    implementer: result.implementer,
    cd: result.workdir,
    session,
    ...dials,
    ...(lane && { lane }),
    ...(maxTurns !== null && { maxTurns }),
    ...(maxBudgetUsd !== null && { maxBudgetUsd }),
    ...(autocompact !== undefined && { autocompact }),
    ...(widened && { allowHooks: widened.hooks, allowWrite: widened.write, allowDomains: widened.domains }),
    ...(cleanEnv && { cleanEnv, keepEnv: keepEnv ?? [] }),
  };
}

/** The same words again, said by the person: codex calls it by its sandbox. */
function bypassOf({ sandbox }: Result): Pick<DispatchOptions, 'sandbox' | 'dangerouslySkipPermissions'> {
  return sandbox === 'danger-full-access' ? { sandbox } : { dangerouslySkipPermissions: true };
}

/**
 * The dials that the run had, each from where it came: the lane's as they were then, whatever its file says by now, and
 * the others as flags. A sandbox is not among them: the session keeps its own.
 */
function dialsOf(result: Result): { dials: Partial<DispatchOptions>; lane: Lane | null } {
  const { model, effort, timeout, readOnly, implementer, lane: name, laneSource: source } = result;
  const all: Dials = {
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    ...(timeout !== null && { timeout }),
    ...(readOnly && { readOnly }),
  };
  if (name === null || source === null) return { dials: all, lane: null };
  const ofLane = (entry: [string, unknown]): boolean => result.laneDials?.includes(entry[0]) ?? false;
  const entries = Object.entries(all);
  return {
    dials: Object.fromEntries(entries.filter((entry) => !ofLane(entry))),
    lane: { name, source, implementer, dials: Object.fromEntries(entries.filter(ofLane)) },
  };
}
