import { constants } from 'node:os';
import type { AgentClaim } from '../implementers/events.ts';
import type { Probe } from '../implementers/implementer.ts';
import type { Status } from '../rundir/result.ts';
import type { RunOutcome } from './contract.ts';

/** The verdict in the words of the contract. `error` says why, for everything but `completed`. */
export interface Verdict {
  status: Status;
  exitCode: number;
  signal: string | null;
  error: string | null;
}

export interface JudgedRun {
  id: string;
  unavailable: Status;
  claim: AgentClaim;
  /** The flag and value of each clock, as the person gave them. */
  clockFlags: { wall: string; firstEvent: string; idle: string };
}

/**
 * Exit 0 is no success, `subtype: "success"` is none, and a missing result is none: `completed` needs a clean exit
 * and a terminal event that claims success. A success claim with a bad exit stays failed, the claim stays as it is.
 */
export function judge(run: JudgedRun, outcome: RunOutcome): Verdict {
  const { process: ended, code, signal } = outcome;
  const failure = (error: string, exitCode = exitCodeOf(code, signal)): Verdict => ({
    status: 'failed',
    exitCode,
    signal,
    error,
  });

  if (outcome.launchError) return launchFailure(run, outcome.launchError);
  if (outcome.stopped) return failure(outcome.stopped.message);
  if (ended.exit === 'timeout') {
    return {
      status: 'timeout',
      exitCode: exitCodeOf(code, signal),
      signal,
      error: timeoutText(run, outcome),
    };
  }
  if (ended.endedAfterResult) {
    if (run.claim.claim === 'success') return { status: 'completed', exitCode: 0, signal: null, error: null };
    return { status: 'failed', exitCode: 1, signal: null, error: claimText(run.claim) };
  }
  if (signal) return failure(`${run.id} was ended by ${signal}, which baton did not send`);
  if (ended.exit === 'unobserved') return failure(`how ${run.id} ended could not be observed`);
  if (code !== 0) return failure(exitText(run, code));
  if (run.claim.claim === 'error') return failure(claimText(run.claim));
  if (run.claim.claim === 'none') {
    return failure(
      `${run.id} exited 0 without a terminal event: whether it finished is not known, so it counts as failed`,
    );
  }
  return { status: 'completed', exitCode: 0, signal: null, error: null };
}

/** The verdict on a run that was not started because the preflight said so. */
export function judgePreflight(
  run: Pick<JudgedRun, 'id' | 'unavailable'>,
  probe: Probe,
  limitMs: number,
): Verdict {
  if (probe.answer === 'hung') {
    const error = `the version preflight of ${run.id} gave no answer within ${limitMs / 1000} s: nothing was dispatched`;
    return { status: 'timeout', exitCode: 124, signal: null, error };
  }
  return missing(run, probe.why);
}

/** The signal that an abort stands for: its reason, where that is a signal's name. */
export function abortCause(signal: AbortSignal): string {
  return typeof signal.reason === 'string' && signal.reason.startsWith('SIG') ? signal.reason : 'SIGINT';
}

export function judgeAbort(signal: string): Verdict {
  return {
    status: 'aborted',
    exitCode: 128 + signalNumber(signal),
    signal,
    error: `baton got ${signal} and ended the run`,
  };
}

function launchFailure(run: JudgedRun, failure: { code: string; message: string }): Verdict {
  if (failure.code === 'ENOENT') return missing(run);
  return {
    status: 'failed',
    exitCode: 1,
    signal: null,
    error: `${run.id} could not be started (${failure.code}): ${failure.message}`,
  };
}

function missing(run: Pick<JudgedRun, 'id' | 'unavailable'>, why?: string): Verdict {
  return {
    status: run.unavailable,
    exitCode: 127,
    signal: null,
    error:
      why === undefined
        ? `no executable \`${run.id}\` on PATH: install it, or put its folder on PATH`
        : `the \`${run.id}\` on PATH cannot be started: ${why}; install it again`,
  };
}

function timeoutText(run: JudgedRun, { process: ended }: RunOutcome): string {
  if (ended.timeoutKind === 'first-event')
    return `no event from ${run.id} within ${run.clockFlags.firstEvent}: the run was ended`;
  if (ended.timeoutKind === 'idle')
    return `${run.id} was silent for ${run.clockFlags.idle}: the run was ended`;
  return `the run reached ${run.clockFlags.wall} and was ended`;
}

function exitText(run: JudgedRun, code: number | null): string {
  if (run.claim.claim === 'error' || run.claim.errorText !== null) return claimText(run.claim);
  if (run.claim.claim === 'success') return `${run.id} reported success but exited ${code}`;
  return `${run.id} exited ${code} without a terminal event`;
}

function claimText(claim: AgentClaim): string {
  return claim.errorText ?? 'the implementer reported an error without a text';
}

/** Never 0: only asked where the run did not succeed. */
function exitCodeOf(code: number | null, signal: string | null): number {
  if (signal) return 128 + signalNumber(signal);
  return code === null || code === 0 ? 1 : code;
}

function signalNumber(signal: string): number {
  const numbers: { [name: string]: number | undefined } = constants.signals;
  return numbers[signal] ?? 1;
}
