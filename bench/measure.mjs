import { spawnSync } from 'node:child_process';

/**
 * Runs all subjects once per round, one after the other, so that a slow moment of the machine meets each of them.
 * Returns each subject's values in the order of the rounds. The first round warms caches and is dropped.
 *
 * @template Value
 * @param {Record<string, () => Value | Promise<Value>>} subjects
 * @param {number} rounds
 * @returns {Promise<Record<string, Value[]>>}
 */
export async function interleave(subjects, rounds) {
  const values = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, subject] of Object.entries(subjects)) {
      const value = await subject();
      if (round > 0) values[name].push(value);
    }
  }
  return values;
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The medians of the fields of some measurements, field by field. */
export function medians(measurements) {
  const fields = Object.keys(measurements[0] ?? {});
  return Object.fromEntries(fields.map((field) => [field, median(measurements.map((one) => one[field]))]));
}

/**
 * Runs a command and measures it from outside, in milliseconds: `wall`, and `cpu` (user and system) of it and of all
 * descendants that were waited for. bash's `time` reads that from the kernel; Node only knows about itself.
 */
export function timeCommand(file, args, { cwd, env }) {
  const script = `TIMEFORMAT='%3R %3U %3S'; { time "$@" >/dev/null 2>&3 ; } 3>&1`;
  const run = spawnSync('bash', ['-c', script, 'bench', file, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [wall, user, system] = run.stderr.trim().split(' ').map(Number);
  if (run.status !== 0 || !Number.isFinite(system)) {
    throw new Error(
      `${[file, ...args].join(' ')} ended with ${run.status ?? run.signal}: ${run.stderr}${run.stdout}`,
    );
  }
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
}

/** Runs one of the bench's own Node programs and reads the JSON that it prints. */
export function runProgram(program, args, { env = process.env, nodeArgs = [] } = {}) {
  const run = spawnSync(process.execPath, [...nodeArgs, program, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status ?? run.signal}`);
  return JSON.parse(run.stdout);
}
