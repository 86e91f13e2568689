import { systemClock } from '../core/clock.ts';
import { BatonError, messageOf, systemCode } from '../core/errors.ts';
import type { EvidenceReport } from '../evidence/contract.ts';
import type { AgentClaim } from '../implementers/events.ts';
import type { Result, ViolationKind } from '../rundir/result.ts';
import { writeArtifact } from '../rundir/artifact.ts';
import { writeResult } from '../rundir/write-result.ts';
import type { RunOutcome } from '../running/contract.ts';
import type { AbortWatch } from './abort.ts';
import { finalClaim } from './claim.ts';
import { composeResult } from './compose.ts';
import { judge, judgeAbort, judgePreflight, type Verdict } from '../running/judge.ts';
import { elapsed } from './launch.ts';
import type { FirstLook } from './look-first.ts';
import { isDirectoryLost, whatBroke } from './lost-directory.ts';
import { NO_STREAM, noProcess, unseenEvidence } from './not-started.ts';
import type { Run } from './open-run.ts';

/** The run is over, but its result could not be kept: the disk is full, or the run directory was removed. */
export class ResultNotWritten extends BatonError {
  override readonly name = 'ResultNotWritten';
  readonly result: Result;

  constructor(result: Result, cause: unknown) {
    super('result-not-written', `the result could not be written: ${messageOf(cause)}`, { cause });
    this.result = result;
  }
}

/** Looks at the tree again, judges, and writes the result: the one file that callers wait for, written last. */
export async function settle(
  run: Run,
  look: FirstLook,
  outcome: RunOutcome | null,
  abort: AbortWatch,
): Promise<Result> {
  run.live.phase('settling');
  await abort.settled();
  const report = await lookAgain(run, look, outcome);
  const claim = finalClaim(run, outcome);
  const result = composeResult({
    run,
    finishedAt: new Date(systemClock.wall()),
    verdict: verdictOf(run, look, outcome, claim, abort),
    claim,
    process: outcome?.process ?? noProcess(unstartedExit(abort), elapsed(run)),
    stream: outcome?.stream ?? NO_STREAM,
    report,
    sandboxMissing: outcome?.stopped?.kind === 'sandbox',
  });
  try {
    if (isDirectoryLost(run)) throw new Error('the run directory is gone');
    const kept = keepFinalText(run.directory, result.finalMessage);
    writeResult(run.directory, result);
    // The room that was put aside for the result is free now.
    if (!kept) keepFinalText(run.directory, result.finalMessage);
  } catch (error) {
    throw new ResultNotWritten(result, whatBroke(run, error));
  }
  run.live.phase('finished');
  return result;
}

/** False on a full disk, which must not cost the run its result: the text is in there all the same. */
function keepFinalText(directory: string, text: string): boolean {
  try {
    writeArtifact(directory, 'final', text);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'ENOSPC' && systemCode(error) !== 'EDQUOT') throw error;
    return false;
  }
}

function unstartedExit(abort: AbortWatch): 'aborted' | 'not-started' {
  return abort.cause() === null ? 'not-started' : 'aborted';
}

function verdictOf(
  run: Run,
  look: FirstLook,
  outcome: RunOutcome | null,
  claim: AgentClaim,
  abort: AbortWatch,
): Verdict {
  const { implementer, clockFlags, limits } = run.request;
  const cause = abort.cause();
  if (cause !== null && (outcome === null || outcome.process.exit === 'aborted')) return judgeAbort(cause);
  if (outcome === null) return judgePreflight(implementer, look.probe, limits.preflightMs);
  return judge({ id: implementer.id, unavailable: implementer.unavailable, claim, clockFlags }, outcome);
}

async function lookAgain(run: Run, look: FirstLook, outcome: RunOutcome | null): Promise<EvidenceReport> {
  const readOnly = run.request.profile === 'read-only';
  if (look.before === null)
    return unseenEvidence('the run was ended before the working tree had been looked at', readOnly);
  // What was seen before lay there; and to look again would make the directory again.
  if (isDirectoryLost(run))
    return unseenEvidence('the run directory was removed while the run was under way', readOnly);
  try {
    return await look.before.after({
      killed: outcome?.killed ?? false,
      possible: possibleViolations(run, outcome),
      gaps: [...run.gaps, ...(outcome?.gaps ?? []), ...sandboxGap(run, outcome)],
    });
  } catch (error) {
    // What cannot be seen is unknown, never clean; the result is still owed.
    return unseenEvidence(`the working tree could not be compared: ${messageOf(error)}`, readOnly);
  }
}

/** The sandbox excludes something only where the CLI itself said that it was on. */
function possibleViolations(run: Run, outcome: RunOutcome | null): (kind: ViolationKind) => boolean {
  const { implementer, profile, allowHooks, allowWrite } = run.request;
  if (outcome === null) return () => false;
  const trusted = !run.known.plan.sandboxRequired || run.reader.claim().sandboxEnabled === true;
  if (!trusted || run.gaps.length > 0) return () => true;
  const { lines } = implementer.containment({ profile, platform: process.platform, allowHooks, allowWrite });
  return (kind) =>
    lines.every((line) => line.kind !== kind) || lines.some((line) => line.kind === kind && line.possible);
}

function sandboxGap(run: Run, outcome: RunOutcome | null): string[] {
  if (outcome === null || !run.known.plan.sandboxRequired || run.reader.claim().sandboxEnabled !== null)
    return [];
  return [`this version of ${run.request.implementer.id} did not say whether its shell sandbox was on`];
}
