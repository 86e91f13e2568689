import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../src/core/errors.ts';
import { isAlive } from './processes.ts';
import { BUILT, PROJECT } from './project.ts';

const STAMP = join(PROJECT, '.cache', 'built-from.txt');
const LOCK = join(PROJECT, '.cache', 'build.lock');
const INPUTS = ['src', 'tsdown.config.ts', 'package.json', 'tsconfig.json'];

let ready: Promise<void> | undefined;

/**
 * Builds the project when its sources are not those of the last build. Every harness function that runs a built file
 * awaits it, so a test of a pure part never waits for a build. Throws with the build's output when it fails.
 */
export function ensureBuilt(): Promise<void> {
  ready ??= buildWhenStale();
  return ready;
}

async function buildWhenStale(): Promise<void> {
  if (isFresh(fingerprint())) return;
  mkdirSync(dirname(LOCK), { recursive: true });
  await lock();
  try {
    // Somebody else may have built while this process waited; and the sources are read before, not after, so that a
    // file saved in the middle of the build makes the next call build again.
    const sources = fingerprint();
    if (isFresh(sources)) return;
    build();
    writeFileSync(STAMP, sources);
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function build(): void {
  const tsdown = join(PROJECT, 'node_modules', '.bin', 'tsdown');
  const run = spawnSync(tsdown, { cwd: PROJECT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (run.status !== 0)
    throw new Error(`the build failed:\n${run.stdout}${run.stderr}${run.error?.message ?? ''}`);
  const missing = Object.values(BUILT).filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`the build made no ${missing.join(', ')}`);
}

function isFresh(sources: string): boolean {
  if (!Object.values(BUILT).every((file) => existsSync(file))) return false;
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources;
}

/** Name, size and time of every input, as one hash: deleting a file or going back to an older one counts too. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const input of INPUTS.flatMap((name) => filesOf(join(PROJECT, name)))) {
    const { size, mtimeMs } = statSync(input);
    hash.update(`${input}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** One build at a time, over all test processes on this tree. A lock whose holder is gone is taken over. */
async function lock(): Promise<void> {
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    if (!isAlive(holder())) rmSync(LOCK, { force: true });
    await sleep(200);
  }
}

function holder(): number {
  try {
    // Empty for the instant between creating and writing it: then it is held by somebody who is alive.
    return Number(readFileSync(LOCK, 'utf8') || process.pid);
  } catch {
    return process.pid;
  }
}
