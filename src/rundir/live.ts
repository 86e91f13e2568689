import { join } from 'node:path';
import { numberOf, objectOf, stringOf, toJsonFile } from '../core/json.ts';
import { birthOf, isAlive } from '../process/birth.ts';
import { writeArtifact } from './artifact.ts';
import { ARTIFACTS } from './layout.ts';
import { readRecord } from './state-folder.ts';

export const LIVE_SCHEMA = 'baton.run.v1';

/** Where a run is. The order is that of a run; `settling` is from the implementer's end to that of its descendants. */
export type Phase = 'starting' | 'preflight' | 'before' | 'running' | 'settling' | 'after' | 'finished';

/** A process, told apart from a later one with the same id by the moment of its birth. */
export interface ProcessIdentity {
  pid: number;
  /** As `birthOf` gives it; null where the platform cannot say. */
  birth: string | null;
}

/** `run.json`: what is known about a run while it is under way. */
export interface LiveState {
  schema: typeof LIVE_SCHEMA;
  runId: string;
  phase: Phase;
  /** The baton process that watches the run. */
  supervisor: ProcessIdentity;
  /** The agent CLI, once it was launched. */
  implementer: ProcessIdentity | null;
  treeTop: string;
  /** ISO 8601. */
  startedAt: string;
  /** ISO 8601: when the supervisor last wrote this. */
  heartbeat: string;
}

const HEARTBEAT_MS = 10_000;

/**
 * Keeps the `run.json` of one run up to date, with a heartbeat that holds no process open. After the first write nothing here
 * throws: the record tells others about the run, and a full disk must not end the run through it.
 */
export class LiveRecord {
  readonly #dir: string;
  readonly #heartbeat: NodeJS.Timeout;
  #state: LiveState;

  private constructor(dir: string, state: LiveState) {
    this.#dir = dir;
    this.#state = state;
    this.#heartbeat = setInterval(() => this.#update({}), HEARTBEAT_MS).unref();
  }

  /** Writes the first `run.json`, with this process as the supervisor. Throws the system's error. */
  static start(dir: string, run: { runId: string; treeTop: string }): LiveRecord {
    const now = new Date().toISOString();
    const state: LiveState = {
      schema: LIVE_SCHEMA,
      runId: run.runId,
      phase: 'starting',
      supervisor: thisProcess(),
      implementer: null,
      treeTop: run.treeTop,
      startedAt: now,
      heartbeat: now,
    };
    write(dir, state);
    return new LiveRecord(dir, state);
  }

  phase(phase: Phase): void {
    this.#update({ phase });
  }

  /** The implementer was launched: the run is under way. */
  started(implementer: ProcessIdentity): void {
    this.#update({ phase: 'running', implementer });
  }

  /**
   * The run is over, with a result or without one: a supervisor that lives on (a library's host) must not make it look
   * alive for ever.
   */
  close(): void {
    clearInterval(this.#heartbeat);
    if (this.#state.phase !== 'finished') this.phase('finished');
  }

  #update(change: { phase?: Phase; implementer?: ProcessIdentity }): void {
    this.#state = { ...this.#state, ...change, heartbeat: new Date().toISOString() };
    // Somebody removed our record and gave the directory to another run: that one's record is not ours to replace.
    if ((readLive(this.#dir)?.runId ?? this.#state.runId) !== this.#state.runId) return;
    try {
      write(this.#dir, this.#state);
    } catch {
      // The older record stays whole; whether the run lives is judged by its supervisor, not by the heartbeat.
    }
  }
}

function write(dir: string, state: LiveState): void {
  writeArtifact(dir, 'live', toJsonFile(state));
}

/** This process. It is asked for several times in a start, and a birth does not change. */
export function thisProcess(): ProcessIdentity {
  self ??= { pid: process.pid, birth: birthOf(process.pid) };
  return self;
}

let self: ProcessIdentity | undefined;

/**
 * `running`: its supervisor lives and has not finished. `finished`: it came to its end. `lost`: the supervisor is gone
 * (killed, or the machine went down) and nobody will finish it.
 */
export type Liveness = 'running' | 'finished' | 'lost';

/** Judges the run in a directory by the process that watches it: a killed run must not look alive for ever. */
export function liveness(dir: string): Liveness {
  const live = readLive(dir);
  if (live?.phase === 'finished') return 'finished';
  if (live && isAlive(live.supervisor.pid, live.supervisor.birth)) return 'running';
  const result = readRecord(join(dir, ARTIFACTS.result));
  if (!result) return 'lost';
  return !live || result['runId'] === live.runId ? 'finished' : 'lost';
}

/** What `run.json` says, read tolerantly; null where it is absent or names no run or no supervisor. */
export function readLive(
  dir: string,
): (Pick<LiveState, 'runId' | 'supervisor' | 'startedAt'> & { phase: string }) | null {
  const record = readRecord(join(dir, ARTIFACTS.live));
  const supervisor = readIdentity(record?.['supervisor']);
  const runId = stringOf(record?.['runId']);
  if (!record || !supervisor || runId === null) return null;
  return {
    runId,
    supervisor,
    phase: stringOf(record['phase']) ?? '',
    startedAt: stringOf(record['startedAt']) ?? '',
  };
}

/** Null for what names no process. */
export function readIdentity(value: unknown): ProcessIdentity | null {
  const { pid, birth } = objectOf(value);
  const number = numberOf(pid);
  return number === null ? null : { pid: number, birth: stringOf(birth) };
}

/** The id of the run that a directory holds now; null where it holds none. Results of older relays name no run. */
export function runIdIn(dir: string): string | null {
  return readLive(dir)?.runId ?? stringOf(readRecord(join(dir, ARTIFACTS.result))?.['runId']);
}
