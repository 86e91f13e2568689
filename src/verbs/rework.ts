import { BatonError, UsageError } from '../core/errors.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { DispatchOptions } from '../dispatch/options.ts';
import { withLandingLock } from '../landing/lock.ts';
import { readLandingRecord } from '../landing/record.ts';
import { recover, type Recovery } from '../landing/recover.ts';
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
  return dispatch({
    ...sameAs(last.result, asked.dangerouslySkipPermissions ?? false),
    ...asked,
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
  const { model, effort, maxTurns, maxBudgetUsd, timeout, autocompact, widened, cleanEnv, keepEnv } = result;
  return {
    implementer: result.implementer,
    cd: result.workdir,
    session,
    ...(result.readOnly && { readOnly: true }),
    ...(model !== null && { model }),
    ...(effort !== null && { effort }),
    ...(maxTurns !== null && { maxTurns }),
    ...(maxBudgetUsd !== null && { maxBudgetUsd }),
    ...(timeout !== null && { timeout }),
    ...(autocompact !== undefined && { autocompact }),
    ...(widened && { allowHooks: widened.hooks, allowWrite: widened.write, allowDomains: widened.domains }),
    ...(cleanEnv && { cleanEnv, keepEnv: keepEnv ?? [] }),
  };
}
