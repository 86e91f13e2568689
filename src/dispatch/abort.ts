import { systemClock } from '../core/clock.ts';
import { pause } from '../core/deferred.ts';
import { writeResult } from '../rundir/write-result.ts';
import { composeResult } from './compose.ts';
import { abortCause, judgeAbort } from '../running/judge.ts';
import { NO_STREAM, noProcess, unseenEvidence } from './not-started.ts';
import type { Run } from './open-run.ts';
import type { DispatchOptions } from './options.ts';

/** After an abort the tree is looked at again this much later: what was being written then has landed or died. */
const SETTLE_MS = 2_000;

export interface AbortWatch {
  signal: AbortSignal;
  hurry: AbortSignal;
  /** The signal that ended the run (`SIGTERM` ...); null while nobody did. */
  cause(): string | null;
  /** Resolves when the moment for the second result has come. */
  settled(): Promise<void>;
  stop(): void;
}

/**
 * Waits for the request to stop. A first result is written at once, since the one who asks may not wait: it says
 * `aborted` and that the tree was not compared yet. The ordinary end writes the second one.
 */
export function watchAbort(run: Run, options: DispatchOptions): AbortWatch {
  const signal = options.signal ?? new AbortController().signal;
  const hurry = options.hurry ?? new AbortController().signal;
  let at: number | null = null;
  const onAbort = (): void => {
    at = systemClock.monotonic();
    try {
      writeResult(run.directory, provisionalResult(run, abortCause(signal)));
    } catch {
      // The second result tells; if that one cannot be written either, the caller is told why.
    }
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal,
    hurry,
    cause: () => (signal.aborted ? abortCause(signal) : null),
    settled: () => pause(at === null ? 0 : at + SETTLE_MS - systemClock.monotonic(), hurry),
    stop: () => signal.removeEventListener('abort', onAbort),
  };
}

function provisionalResult(run: Run, cause: string): ReturnType<typeof composeResult> {
  const { request } = run;
  return composeResult({
    run,
    finishedAt: new Date(systemClock.wall()),
    verdict: judgeAbort(cause),
    claim: run.reader.claim(),
    process: { ...noProcess('aborted', systemClock.monotonic() - run.startedMonotonic), pid: run.known.pid },
    stream: NO_STREAM,
    report: unseenEvidence(
      'the run was being ended: the working tree was not compared yet',
      request.profile === 'read-only',
    ),
    sandboxMissing: false,
  });
}
