import type { AgentEvent } from '../implementers/events.ts';
import { artifactPath } from '../rundir/layout.ts';
import { followRecords } from '../stream/follow-records.ts';
import type { Run } from './open-run.ts';

/** The run's events, read from its log: each iteration has its own place in the file, and holds one record at a time. */
export function eventsOf(opened: Promise<Run | null>, over: AbortSignal): AsyncIterable<AgentEvent> {
  return {
    async *[Symbol.asyncIterator]() {
      const run = await opened;
      if (!run) return;
      const reader = run.request.implementer.reader();
      const { maxRecordBytes } = run.request.limits;
      for await (const record of followRecords(artifactPath(run.directory, 'events'), {
        over,
        maxRecordBytes,
      })) {
        yield* reader.read(record);
      }
    },
  };
}
