import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LIVE_SCHEMA,
  LiveRecord,
  liveness,
  type LiveState,
  readLive,
  runIdIn,
  thisProcess,
} from '../../src/rundir/live.ts';
import { liveSchema } from '../../src/rundir/live-schema.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** No process has this id: it is above what Linux and macOS give out. */
const NOBODY = 2 ** 30;

let dir: string;
let record: LiveRecord | undefined;
beforeEach(() => {
  dir = temporaryFolder();
});
afterEach(() => {
  record?.close();
  record = undefined;
});

const onDisk = (): LiveState => JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8'));

function leave(change: Partial<LiveState>): void {
  const state: LiveState = {
    schema: LIVE_SCHEMA,
    runId: 'R1',
    phase: 'running',
    supervisor: thisProcess(),
    implementer: null,
    treeTop: '/repo',
    startedAt: '2026-11-30T16:45:33.271Z',
    heartbeat: '2026-11-30T16:45:33.271Z',
    ...change,
  };
  writeFileSync(join(dir, 'run.json'), JSON.stringify(state));
}

describe('run.json', () => {
  it('is valid against its schema in every phase, and whole at any moment', () => {
    record = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
    expect(liveSchema.parse(onDisk())).toMatchObject({
      phase: 'starting',
      implementer: null,
      supervisor: { pid: process.pid },
    });
    for (const phase of ['preflight', 'before', 'running', 'settling', 'after', 'finished'] as const) {
      record.phase(phase);
      expect(liveSchema.parse(onDisk()).phase).toBe(phase);
    }
    record.started({ pid: 4711, birth: 'then' });
    expect(onDisk().implementer).toEqual({ pid: 4711, birth: 'then' });
    expect(readdirSync(dir)).toEqual(['run.json']);
  });

  it('carries a heartbeat until it is closed', () => {
    vi.useFakeTimers();
    try {
      record = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
      const { heartbeat, startedAt } = onDisk();
      vi.advanceTimersByTime(10_000);
      expect(Date.parse(onDisk().heartbeat) - Date.parse(heartbeat)).toBe(10_000);
      expect(onDisk().startedAt).toBe(startedAt);
      record.close();
      const closed = onDisk();
      vi.advanceTimersByTime(60_000);
      expect(onDisk()).toEqual(closed);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends no run when it cannot be written, and makes no directory anew', () => {
    record = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
    rmSync(dir, { recursive: true });
    record.phase('running');
    record.close();
    expect(readLive(dir)).toBe(null);
  });

  it('does not replace the record of another run that was given the directory', () => {
    record = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
    leave({ runId: 'R2' });
    record.phase('settling');
    record.close();
    expect(onDisk()).toMatchObject({ runId: 'R2', phase: 'running' });
  });

  it('does not follow a link that was planted in its place', () => {
    record = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'precious');
    rmSync(join(dir, 'run.json'));
    symlinkSync(victim, join(dir, 'run.json'));
    expect(readLive(dir)).toBe(null);
    record.phase('running');
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(onDisk().phase).toBe('running');
  });
});

describe('liveness', () => {
  it('is running while the supervisor lives, and finished when it says so', () => {
    record = LiveRecord.start(dir, { runId: 'R1', treeTop: '/repo' });
    expect(liveness(dir)).toBe('running');
    record.close();
    expect(liveness(dir)).toBe('finished');
  });

  it('is lost when the supervisor is dead', () => {
    leave({ supervisor: { pid: NOBODY, birth: null } });
    expect(liveness(dir)).toBe('lost');
  });

  it("is lost when the supervisor's number is another process now", () => {
    leave({ supervisor: { pid: process.pid, birth: 'another moment' } });
    expect(liveness(dir)).toBe('lost');
  });

  it('is running after the first result of an abort, while the supervisor still settles', () => {
    leave({ phase: 'settling' });
    writeFileSync(join(dir, 'result.json'), '{"runId":"R1"}');
    expect(liveness(dir)).toBe('running');
  });

  it('is finished when the supervisor died after its result, but not by the result of another run', () => {
    leave({ supervisor: { pid: NOBODY, birth: null } });
    writeFileSync(join(dir, 'result.json'), '{"runId":"R1"}');
    expect(liveness(dir)).toBe('finished');
    writeFileSync(join(dir, 'result.json'), '{"runId":"R0"}');
    expect(liveness(dir)).toBe('lost');
  });

  it('goes by the result alone where there is no run.json, and is lost without either', () => {
    expect(liveness(dir)).toBe('lost');
    writeFileSync(join(dir, 'result.json'), '{"runId":"R1"}');
    expect(liveness(dir)).toBe('finished');
    expect(runIdIn(dir)).toBe('R1');
  });

  it.each([
    '',
    '{"runId":"R1"',
    '[]',
    'null',
    '{}',
    '{"runId":1,"supervisor":{"pid":1}}',
    '{"runId":"R1","supervisor":{"pid":"1"}}',
  ])('reads no life out of a damaged run.json: %s', (text) => {
    writeFileSync(join(dir, 'run.json'), text);
    expect(readLive(dir)).toBe(null);
    expect(liveness(dir)).toBe('lost');
  });
});
