import type { AgentClaim } from '../implementers/events.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { RunOutcome } from '../running/contract.ts';
import { stderrTail } from '../running/stderr-tail.ts';
import type { Run } from './open-run.ts';

/** What the implementer said of itself; of one that left before its first record, what its stderr says of that. */
export function finalClaim(run: Run, outcome: RunOutcome | null): AgentClaim {
  const claim = run.reader.claim();
  const leftAtOnce = outcome?.process.exit === 'code' && outcome.code !== 0 && outcome.stream.events === 0;
  const { implementer } = run.request;
  const start = leftAtOnce
    ? implementer.falseStart?.(stderrTail(artifactPath(run.directory, 'stderr')))
    : null;
  if (!start) return claim;
  return { ...claim, reason: start.reason, retryable: start.retryable, errorText: start.text };
}
