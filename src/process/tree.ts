import { spawnSync } from 'node:child_process';
import { systemClock } from '../core/clock.ts';
import { isAlive } from './birth.ts';
import { commandLineOf } from './command-line.ts';
import { Members, type RunTraces } from './members.ts';
import { readEntry, readPids, readTable, type ProcessEntry } from './table.ts';
import { taskkill } from './windows-kill.ts';

const SAMPLE_MS = 1000;
/** What does not go within this long after the first KILL (a process in the kernel, or another user's) will not go. */
const KILL_LIMIT_MS = 5000;
/** Looks that are repeated at once because something moved during them. */
const MAX_REPEATS = 3;
/** Some processes are made to die with their parent, but not in the same instant. */
const SECOND_LOOK_MS = 20;

export interface FoundProcess {
  pid: number;
  command: string;
}

export interface TreeEnd {
  /** Everything that was found besides the leader. */
  swept: FoundProcess[];
  /** What could not be ended. */
  survivors: FoundProcess[];
  /** Something had to be KILLed. */
  killed: boolean;
  /** Where it was not possible to look. */
  gaps: string[];
}

export interface EndOptions {
  /** Milliseconds between TERM and KILL. */
  termGraceMs: number;
  /** Skips the wait. */
  hurry: AbortSignal;
}

/**
 * A process that baton started `detached`, with everything that came of it. While it runs its descendants are sampled;
 * at the end all that is left is ended. What clears its environment, leaves its session and redirects its output, all
 * between two samples, is not found.
 */
export class ProcessTree {
  /** Birth of the leader; null where the platform does not tell. */
  readonly birth: string | null;
  readonly #pid: number;
  readonly #platform: NodeJS.Platform;
  readonly #members: Members;
  readonly #sampling: NodeJS.Timeout;
  #lastPids: string | null = null;
  /** The last look found no list of processes at all. */
  #blind = false;

  /** Call it right after the start, before the leader can have been reaped. */
  constructor(
    traces: Omit<RunTraces, 'leader'> & { pid: number },
    platform: NodeJS.Platform = process.platform,
  ) {
    this.#pid = traces.pid;
    this.#platform = platform;
    const entry = platform === 'win32' ? null : readEntry(traces.pid, platform);
    this.birth = entry?.birth ?? null;
    const leader = { pid: traces.pid, birth: this.birth, started: entry?.started ?? 0 };
    this.#members = new Members({ leader, runId: traces.runId, logs: traces.logs }, platform);
    this.#sampling = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  /**
   * Ends whatever is left: TERM, the grace, KILL, until nothing is found. With nothing left, it costs one look and no
   * wait. Never signals baton itself or an ancestor of it.
   */
  async end(options: EndOptions): Promise<TreeEnd> {
    clearInterval(this.#sampling);
    const begun = systemClock.monotonic();
    const swept = new Map<string, FoundProcess>();
    const asked = new Set<string>();
    let killing: number | null = null;
    let found = this.#look();
    if (found.length > 0 && !found.some((entry) => entry.pid === this.#pid)) {
      await pause(SECOND_LOOK_MS, options.hurry);
      found = this.#look();
    }
    for (let wait = 5; found.length > 0; wait = Math.min(wait * 2, 100)) {
      for (const entry of found) this.#note(entry, swept);
      const now = systemClock.monotonic();
      const left = options.termGraceMs - (now - begun);
      if (killing === null && (left <= 0 || options.hurry.aborted)) [killing, wait] = [now, 5];
      if (killing !== null && now - killing > KILL_LIMIT_MS) break;
      if (killing !== null) this.#signal(found, 'SIGKILL');
      else this.#ask(found, asked);
      await pause(killing === null ? Math.min(wait, left) : wait, options.hurry);
      found = this.#look();
    }
    const survivors = found.map((entry) => ({ pid: entry.pid, command: this.#commandOf(entry.pid) }));
    return { swept: [...swept.values()], survivors, killed: killing !== null, gaps: this.#gaps() };
  }

  #sample(): void {
    const pids = readPids(this.#platform);
    if (pids !== null && pids === this.#lastPids) return;
    this.#lastPids = pids;
    if (this.#platform !== 'win32') this.#members.sample(readTable(this.#platform));
  }

  #look(): ProcessEntry[] {
    for (let repeat = 0; ; repeat += 1) {
      const table = this.#platform === 'win32' ? null : readTable(this.#platform);
      this.#blind = table === null || table.entries.size === 0;
      if (table === null || this.#blind) return this.#lookBlindly();
      const { found, sure } = this.#members.search(table);
      if (sure || found.length > 0 || repeat === MAX_REPEATS) return found;
    }
  }

  /** Where the system lists no processes, all that can be seen is whether the leader (or its group) is there. */
  #lookBlindly(): ProcessEntry[] {
    const there = this.#platform === 'win32' ? isAlive(this.#pid, null, 'win32') : send(-this.#pid, 0);
    const entry = {
      pid: this.#pid,
      parent: process.pid,
      group: this.#pid,
      birth: '',
      started: 0,
      living: true,
    };
    return there ? [entry] : [];
  }

  /** Once each: some programs take a second TERM as an order to skip their cleaning up. */
  #ask(found: readonly ProcessEntry[], asked: Set<string>): void {
    const fresh = found.filter((entry) => !asked.has(keyOf(entry)));
    for (const entry of fresh) asked.add(keyOf(entry));
    const groupIsFresh = !found.some((entry) => entry.group === this.#pid && !fresh.includes(entry));
    this.#signal(fresh, 'SIGTERM', groupIsFresh);
  }

  #signal(entries: readonly ProcessEntry[], signal: 'SIGTERM' | 'SIGKILL', mayUseGroup = true): void {
    if (this.#platform === 'win32') {
      const { file, args } = taskkill(this.#pid);
      spawnSync(file, args, { stdio: 'ignore', windowsHide: true, timeout: KILL_LIMIT_MS });
      return;
    }
    const wholeGroup = mayUseGroup && this.#members.ownsGroup(entries) && send(-this.#pid, signal);
    for (const entry of entries) {
      if (wholeGroup && entry.group === this.#pid) continue;
      // Another process may have been given the number since we looked.
      if (readEntry(entry.pid, this.#platform)?.birth === entry.birth) send(entry.pid, signal);
    }
  }

  #note(entry: ProcessEntry, swept: Map<string, FoundProcess>): void {
    const key = keyOf(entry);
    if (entry.pid === this.#pid || swept.has(key)) return;
    swept.set(key, { pid: entry.pid, command: this.#commandOf(entry.pid) });
  }

  #commandOf(pid: number): string {
    return this.#platform === 'win32' ? `process ${pid}` : commandLineOf(pid, this.#platform);
  }

  #gaps(): string[] {
    if (this.#platform === 'linux' && !this.#blind) return this.#members.hidden;
    return [
      `${this.#platform} shows no environments and open files: a descendant that left its group and parent between two samples could not be found`,
    ];
  }
}

function keyOf(entry: ProcessEntry): string {
  return `${entry.pid} ${entry.birth}`;
}

/** Sends a signal to a process, or to a group when negative. Returns whether it was taken. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isInteger(target) || Math.abs(target) <= 1) return false;
  try {
    process.kill(target, signal);
    return true;
  } catch {
    // It is gone, or another user's: the next look tells.
    return false;
  }
}

function pause(ms: number, hurry: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      hurry.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    hurry.addEventListener('abort', done, { once: true });
  });
}
