import { join } from 'node:path';
import { runCommand } from '../../core/command.ts';
import type { Env } from '../../core/environment.ts';
import { arrayOf } from '../../core/json.ts';
import { makePrivateFolder, readRecord, shortHash, writeRecord } from '../../rundir/state-folder.ts';

/** Flags that a version takes: `exec --json`, `resume --ephemeral` ... */
export type Features = readonly string[];

const COMMANDS = { exec: ['exec', '--help'], resume: ['exec', 'resume', '--help'] } as const;

export interface FeatureRequest {
  binary: string;
  /** What `--version` said: an update at the same path is another CLI. */
  version: string;
  env: Env;
  /** An empty folder: what is on PATH as `codex` may do anything instead of printing its help. */
  cwd: string;
  limitMs: number;
  signal: AbortSignal;
  /** Undefined: nothing is remembered. */
  stateHome: string | undefined;
}

/**
 * What this version of the CLI takes, from its own help texts. Remembered for this binary and version, so that it costs
 * one run two more starts of the CLI; where a help text could not be had, the next run asks again.
 */
export async function featuresOf(request: FeatureRequest): Promise<Features> {
  const record = request.stateHome === undefined ? null : recordPath(request.stateHome, request);
  const known = record === null ? null : remembered(record, request);
  if (known) return known;
  const found = await Promise.all([ask('exec', request), ask('resume', request)]);
  const features = found.flatMap((flags) => flags ?? []);
  if (record !== null && !found.includes(null)) remember(record, request, features);
  return features;
}

/** The flags of a help text, short and long, by command; null where it is no help text. */
export function flagsOf(command: keyof typeof COMMANDS, help: string): string[] | null {
  if (!/^\s*Usage:/m.test(help)) return null;
  // Only definitions: an example in a description names flags as well.
  const found = [...help.matchAll(/^\s+(?:(-[A-Za-z]), )?(--[a-z][\w-]*)/gm)].flatMap(([, short, long]) =>
    [short, long].flatMap((flag) => (flag === undefined ? [] : [`${command} ${flag}`])),
  );
  return found.length > 0 ? found : null;
}

async function ask(command: keyof typeof COMMANDS, request: FeatureRequest): Promise<string[] | null> {
  const answer = await runCommand({
    file: request.binary,
    args: COMMANDS[command],
    cwd: request.cwd,
    env: request.env,
    timeoutMs: request.limitMs,
    maxBytes: 1024 ** 2,
    signal: request.signal,
  });
  if (answer.end !== 'exited' || answer.code !== 0) return null;
  return flagsOf(command, answer.stdout.toString('utf8'));
}

function recordPath(stateHome: string, { binary, version }: FeatureRequest): string {
  return join(stateHome, 'probes', `codex-${shortHash(`${binary}\0${version}`)}.json`);
}

function remembered(path: string, { binary, version }: FeatureRequest): Features | null {
  const record = readRecord(path);
  if (record?.['binary'] !== binary || record['version'] !== version) return null;
  const features = arrayOf(record['features']).filter((one) => typeof one === 'string');
  return features.length > 0 ? features : null;
}

function remember(path: string, { binary, version, stateHome }: FeatureRequest, features: Features): void {
  if (stateHome === undefined) return;
  try {
    makePrivateFolder(join(stateHome, 'probes'));
    writeRecord(path, { binary, version, features });
  } catch {
    // It only saves time: a state folder that cannot be written costs the next run the same question.
  }
}
