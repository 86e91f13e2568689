import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BatonError } from '../core/errors.ts';
import { ARTIFACTS, artifactPath } from '../rundir/layout.ts';
import { missingDependencies } from './dependencies.ts';
import type { Gate, GateResult } from './gate.ts';
import { judgeGate } from './judge-gate.ts';
import { type GateOutcome, type GateRun, runGate } from './run-gate.ts';

/** What happens, as it happens. */
export type GateProgress =
  | {
      type: 'started';
      name: string;
      /** From 1. */
      number: number;
      count: number;
      /** Absolute: grows while the gate runs. */
      output: string;
    }
  | { type: 'finished'; result: GateResult };

export interface GateSeries extends Omit<GateRun, 'output'> {
  runDir: string;
  /** Begins the names of the output files; older ones that begin so are removed. */
  prefix: 'before-' | 'after-';
  /** Why a gate must not run; null where it may. */
  unwanted(gate: Gate): Promise<{ applies: boolean; reason: string } | null>;
  /** The tree id of the working tree; null where it cannot be told. */
  treeNow(): Promise<string | null>;
  changedPaths(before: string, after: string): Promise<string[]>;
  onProgress?: (progress: GateProgress) => void;
}

/** Runs gates in their order, each to its end, whatever became of the ones before it. */
export async function runOneByOne(gates: readonly Gate[], series: GateSeries): Promise<GateResult[]> {
  const folder = outputFolder(series);
  const results: GateResult[] = [];
  let tree = await series.treeNow();
  for (const [at, gate] of gates.entries()) {
    const skipped = series.signal.aborted
      ? { applies: true, reason: 'it was interrupted' }
      : await series.unwanted(gate);
    let result: GateResult;
    if (skipped) result = { ...blank(gate), ...skipped };
    else {
      const name = `${series.prefix}${String(at + 1).padStart(2, '0')}-${gate.name}.txt`;
      const output = join(folder, name);
      series.onProgress?.({ type: 'started', name: gate.name, number: at + 1, count: gates.length, output });
      const outcome = await runGate(gate, { ...series, output });
      const treeAfter = outcome.started ? await series.treeNow() : tree;
      result = {
        ...resultOf(gate, outcome, series.top),
        output: outcome.started ? `${ARTIFACTS.gateOutput}/${name}` : null,
        tree: outcome.started ? tree : null,
        changedTree: tree === null || treeAfter === null ? null : await series.changedPaths(tree, treeAfter),
      };
      tree = treeAfter;
    }
    results.push(result);
    series.onProgress?.({ type: 'finished', result });
  }
  return results;
}

function outputFolder({ runDir, prefix }: GateSeries): string {
  const folder = artifactPath(runDir, 'gateOutput');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new BatonError('run-directory', `${folder} is no folder of baton's: nothing is written there`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name));
  return folder;
}

function resultOf(gate: Gate, outcome: GateOutcome, top: string): GateResult {
  const judged = judgeGate(gate, outcome, missingDependencies(gate.command, top, gate.cwd));
  if (!outcome.started) return { ...blank(gate), ...judged };
  return {
    ...blank(gate),
    ...judged,
    exitCode: outcome.end === 'itself' ? outcome.code : null,
    signal: outcome.end === 'itself' ? outcome.signal : null,
    timedOut: outcome.end === 'timeout',
    durationMs: outcome.durationMs,
    outputBytes: outcome.outputBytes,
    left: outcome.end === 'itself' ? outcome.swept.map(({ pid, command }) => `${pid} ${command}`) : [],
    survivors: outcome.survivors.map(({ pid, command }) => `${pid} ${command}`),
    withheld: outcome.withheld,
  };
}

/** A gate that nothing was done about yet. */
function blank({ name, command, cwd, source }: Gate): GateResult {
  return {
    name,
    command,
    cwd,
    source,
    state: 'not-run',
    applies: true,
    reason: null,
    exitCode: null,
    signal: null,
    timedOut: false,
    durationMs: 0,
    output: null,
    outputBytes: 0,
    tree: null,
    changedTree: null,
    left: [],
    survivors: [],
    withheld: [],
    since: null,
  };
}
