import { readFileSync } from 'node:fs';
import { commandLineOf } from './command-line.ts';
import { carriesMarker } from './marker.ts';
import { writesTo, type FileIdentity } from './open-files.ts';
import type { ProcessEntry, ProcessTable } from './table.ts';

/** The process that baton started, as it was right after the start. */
export interface Leader {
  pid: number;
  birth: string | null;
  /** As `ProcessEntry.started`; 0 where it is not known. */
  started: number;
}

export interface RunTraces {
  leader: Leader;
  /** Value of the run marker in the environment. */
  runId: string;
  /** The logs that the implementer writes: who holds one open for writing belongs to the run. */
  logs: readonly FileIdentity[];
}

/**
 * Tells which processes belong to a run. Tool shells live in sessions of their own and daemons lose their parent, so no
 * single trace finds them all: it takes the group, the parents, what was seen before, the marker and the open logs.
 */
export class Members {
  /** Processes of this user whose environment could not be looked into in the last search. */
  hidden: string[] = [];
  readonly #traces: RunTraces;
  readonly #platform: NodeJS.Platform;
  /** Seen as members at any time: pid and birth. */
  readonly #known = new Map<number, string>();

  constructor(traces: RunTraces, platform: NodeJS.Platform) {
    this.#traces = traces;
    this.#platform = platform;
    if (traces.leader.birth !== null) this.#known.set(traces.leader.pid, traces.leader.birth);
  }

  /** A quick look while the run goes on: remembers who descends from it, before anyone can lose their parent. */
  sample(table: ProcessTable): void {
    this.#collect(table, () => false);
  }

  /**
   * Everyone that is left, by every trace. `sure` is false when something ended or changed during the look, so that a
   * process could have been missed.
   */
  search(table: ProcessTable): { found: ProcessEntry[]; sure: boolean } {
    let sure = !table.stirred;
    this.hidden = [];
    const found = this.#collect(table, (entry) => {
      // The marker, as the logs, cannot have come to a process that is older than the run.
      if (this.#platform !== 'linux' || entry.started < this.#traces.leader.started) return false;
      const marked = carriesMarker(entry.pid, this.#traces.runId);
      if (marked === 'unclear') sure = false;
      if (marked === 'hidden' && isOurUsers(entry.pid)) {
        this.hidden.push(
          `the environment of process ${entry.pid} (${commandLineOf(entry.pid)}) could not be read`,
        );
      }
      return marked === 'yes' || writesTo(entry.pid, this.#traces.logs);
    });
    return { found, sure };
  }

  /**
   * Whether a signal to the whole group reaches nobody else: the leader still lives, or one of the members is known to
   * be ours by more than the group's number, which may have been given anew.
   */
  ownsGroup(found: readonly ProcessEntry[]): boolean {
    const { pid } = this.#traces.leader;
    const members = found.filter((entry) => entry.group === pid);
    if (members.some((entry) => entry.pid === pid)) return true;
    return members.some(
      (entry) => this.#platform === 'linux' && carriesMarker(entry.pid, this.#traces.runId) === 'yes',
    );
  }

  #collect(table: ProcessTable, belongs: (entry: ProcessEntry) => boolean): ProcessEntry[] {
    const untouchable = ourselvesAndAncestors(table);
    const group = this.#groupIn(table);
    const found = new Set<ProcessEntry>();
    for (const entry of table.entries.values()) {
      if (entry.pid <= 1 || untouchable.has(entry.pid)) continue;
      const known = this.#known.get(entry.pid) === entry.birth;
      if (known || entry.group === group || belongs(entry)) found.add(entry);
    }
    addDescendants(found, table, untouchable);
    for (const entry of found) this.#known.set(entry.pid, entry.birth);
    return [...found];
  }

  /** The number of the run's process group, or null when another process has been given that number since. */
  #groupIn(table: ProcessTable): number | null {
    const { pid, birth } = this.#traces.leader;
    if (pid <= 1) return null;
    const holder = table.entries.get(pid);
    return holder === undefined || birth === null || holder.birth === birth ? pid : null;
  }
}

function ourselvesAndAncestors(table: ProcessTable): Set<number> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = table.entries.get(pid)?.parent ?? 0)
    line.add(pid);
  return line;
}

function addDescendants(
  found: Set<ProcessEntry>,
  table: ProcessTable,
  untouchable: ReadonlySet<number>,
): void {
  if (found.size === 0) return;
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table.entries.values()) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  // A set hands out what is added to it while it is walked.
  for (const entry of found) {
    for (const child of children.get(entry.pid) ?? []) if (!untouchable.has(child.pid)) found.add(child);
  }
}

/** Other users' processes are hidden as a rule and cannot be the run's, short of a program that changes its user. */
function isOurUsers(pid: number): boolean {
  try {
    const uid = /^Uid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(uid) === process.getuid?.();
  } catch {
    return false;
  }
}
