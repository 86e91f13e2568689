import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** A process. `pid` alone may be another one tomorrow; `pid` and `birth` together never are. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** When it began, as a text to compare for equality: the boot and the clock tick on Linux, the second elsewhere. */
  birth: string;
  /** When it began, as a number that is only good to compare with another entry's. */
  started: number;
  /** False when it has ended and only waits to be reaped. */
  living: boolean;
}

export interface ProcessTable {
  entries: Map<number, ProcessEntry>;
  /** A process ended while the table was read: what it had just started may be missing from it. */
  stirred: boolean;
}

/** All living processes. Empty where the system tells nothing. */
export function readTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') return readProc();
  const living = readPs(['-A']).filter((entry) => entry.living);
  return { entries: new Map(living.map((entry) => [entry.pid, entry])), stirred: false };
}

/** One process, also when it only waits to be reaped; null when there is none. */
export function readEntry(pid: number, platform: NodeJS.Platform = process.platform): ProcessEntry | null {
  if (platform === 'linux') return readStat(pid);
  return readPs(['-p', String(pid)])[0] ?? null;
}

/** The ids of all processes as one text: as long as it is the same, no process was started. Null where that costs too much. */
export function readPids(platform: NodeJS.Platform = process.platform): string | null {
  return platform === 'linux' ? procNames().join(' ') : null;
}

function readProc(): ProcessTable {
  const entries = new Map<number, ProcessEntry>();
  let stirred = false;
  for (const name of procNames()) {
    const entry = readStat(Number(name));
    if (entry === null) stirred = true;
    else if (entry.living) entries.set(entry.pid, entry);
  }
  return { entries, stirred };
}

function procNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => name.charCodeAt(0) <= 0x39 && name.charCodeAt(0) >= 0x31);
  } catch {
    return [];
  }
}

function readStat(pid: number): ProcessEntry | null {
  let text: string;
  try {
    text = readFirstBlock(`/proc/${pid}/stat`);
  } catch {
    return null;
  }
  // The name stands in parentheses and may itself hold spaces and parentheses. Field 3, the state, comes after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const threads = Number(fields[17]);
  const ticks = fields[19];
  if (state === undefined || ticks === undefined) return null;
  // A main thread that has ended while others run looks like a zombie, but is none.
  const living = !((state === 'Z' && threads <= 1) || state === 'X');
  const started = Number(ticks);
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    birth: `${bootId()}/${ticks}`,
    started,
    living,
  };
}

/** A line of `stat` is far shorter. One buffer for all: a look reads hundreds of them, and `readFileSync` costs each twice as much. */
const block = Buffer.alloc(4096);

function readFirstBlock(path: string): string {
  const fd = openSync(path, 'r');
  try {
    return block.toString('latin1', 0, readSync(fd, block, 0, block.length, 0));
  } finally {
    closeSync(fd);
  }
}

let boot: string | undefined;

/** Ticks count from the boot: without its id, a process of before the last restart could pass for one of now. */
function bootId(): string {
  if (boot === undefined) {
    try {
      boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    } catch {
      boot = 'boot';
    }
  }
  return boot;
}

const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*\d{4})\s*$/;

/** macOS and others: whole seconds are all that their `ps` says of a birth. */
function readPs(selection: readonly string[]): ProcessEntry[] {
  const columns = ['-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  const { stdout } = spawnSync('ps', [...selection, ...columns], {
    encoding: 'latin1',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
    windowsHide: true,
  });
  return (stdout ?? '').split('\n').flatMap((row) => {
    const [, pid, parent, group, stat, lstart] = PS_ROW.exec(row) ?? [];
    if (stat === undefined) return [];
    const started = Date.parse(`${lstart} UTC`) / 1000;
    const living = !stat.startsWith('Z');
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        birth: `ps/${started}`,
        started,
        living,
      },
    ];
  });
}
