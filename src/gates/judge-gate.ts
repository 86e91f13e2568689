import { formatDuration } from '../core/duration.ts';
import type { Gate, GateState } from './gate.ts';
import type { GateOutcome } from './run-gate.ts';

export interface Judged {
  state: GateState;
  reason: string | null;
}

/**
 * What an outcome says about the work. `missing` is the dependency folder that is not there, if any: without it a
 * failure says nothing about the work.
 */
export function judgeGate(gate: Gate, outcome: GateOutcome, missing: string | null): Judged {
  if (!outcome.started) return { state: 'could-not-run', reason: outcome.reason };
  const { end, code, signal } = outcome;
  if (end === 'abort') return { state: 'not-run', reason: 'it was interrupted' };
  if (end === 'timeout')
    return { state: 'failed', reason: `it was still running after ${formatDuration(gate.timeoutMs)}` };
  if (end === 'too-much-output')
    return { state: 'failed', reason: `it was ended after ${outcome.outputBytes} bytes of output` };
  if (code === 0) return { state: 'passed', reason: null };
  if (code === 127)
    return { state: 'could-not-run', reason: 'a program that it needs was not found (exit 127)' };
  if (code === 126)
    return { state: 'could-not-run', reason: 'a program that it needs cannot be executed (exit 126)' };
  if (missing !== null)
    return { state: 'could-not-run', reason: `dependencies are not installed: ${missing} is missing` };
  if (code !== null) return { state: 'failed', reason: `exit ${code}` };
  return { state: 'failed', reason: `ended by ${signal ?? 'a signal'}` };
}
