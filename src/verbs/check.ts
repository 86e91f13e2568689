import { BatonError, UsageError } from '../core/errors.ts';
import { copyEnv } from '../core/environment.ts';
import { stateHome } from '../core/state-home.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { DEFAULT_LIMITS, type DispatchOptions } from '../dispatch/options.ts';
import { takeBaseline } from '../gates/baseline.ts';
import { checkRun, type CheckProgress } from '../gates/check-run.ts';
import { configInTree } from '../gates/config-source.ts';
import type { GatesRecord } from '../gates/gate.ts';
import { gatesFromFlags } from '../gates/gate-flag.ts';
import { type GateStanding, standingOf } from '../gates/record.ts';
import { GATE_LIMITS } from '../gates/run-gate.ts';
import { readResult } from '../rundir/read-result.ts';
import type { Result } from '../rundir/result.ts';
import { acquireTreeLock } from '../rundir/tree-lock.ts';
import { runDirectoryAt, type RunChoice, treeAt } from './run-at.ts';

export interface CheckOptions extends RunChoice {
  /** `name=command`, besides the configured gates or in place of one of that name. */
  gates: readonly string[];
  /** Ends the gate that runs; the others are not run. */
  signal: AbortSignal;
  /** Skips the waits. */
  hurry: AbortSignal;
  onProgress?: (progress: CheckProgress) => void;
}

export interface Checked {
  runId: string;
  /** The run directory: `output` of each gate is relative to it. */
  directory: string;
  record: GatesRecord;
  standing: GateStanding;
}

/**
 * Runs the gates of a finished run in its working tree, which nothing else may write meanwhile, and keeps `gates.json`.
 * Rejects with a BatonError where there is no such run, or where its gates cannot be told.
 */
export async function check(options: CheckOptions): Promise<Checked> {
  const flags = gatesFromFlags(options.gates);
  const run = await runDirectoryAt(options);
  const { evidence } = readResult(run.path);
  const lock = acquireTreeLock({ stateHome: stateHome(options.env), treeTop: run.treeTop, runId: run.id });
  try {
    const record = await checkRun({
      ...options,
      runDir: run.path,
      runId: run.id,
      repository: run.repository,
      top: run.treeTop,
      evidence,
      flags,
      limits: {
        ...GATE_LIMITS,
        maxUntrackedBytes: DEFAULT_LIMITS.maxUntrackedBytes,
        gitTimeoutMs: DEFAULT_LIMITS.gitMs,
      },
    });
    return { runId: run.id, directory: run.path, record, standing: standingOf(record) };
  } finally {
    lock.release();
  }
}

export interface GatedDispatch extends DispatchOptions {
  gates: readonly string[];
  /** Runs the gates after a run that completed. */
  check: boolean;
  /** Runs them before the run as well. */
  baseline: boolean;
  /** What starts the run, such as a rework. Default: an ordinary dispatch. */
  start?: (options: DispatchOptions) => Promise<Result>;
  signal: AbortSignal;
  hurry: AbortSignal;
  onGate?: (when: 'before' | 'after', progress: CheckProgress) => void;
}

/** What became of the gates after a dispatch. */
export type GatedResult =
  | { result: Result; checked: Checked }
  /** They were not run, or not to be told, and why; null where nobody asked for them. */
  | { result: Result; checked: null; why: string | null };

/**
 * A dispatch with gates around it. What would keep them from being run is refused before anything is made: rejects
 * with a UsageError for a configuration that is broken, absent or not approved.
 */
export async function dispatchWithGates(options: GatedDispatch): Promise<GatedResult> {
  const { gates, check: after, baseline, start = dispatch, onGate, ...dispatching } = options;
  const env = options.env ?? copyEnv(process.env);
  const cd = options.cd ?? process.cwd();
  const flags = gatesFromFlags(gates);
  const { repository, treeTop } = await requireGates({ cd, env }, flags.length > 0);
  const result = await start({
    ...dispatching,
    env,
    ...(baseline && {
      beforeLook: async (run) => {
        await takeBaseline({
          ...run,
          runDir: run.directory,
          repository,
          top: treeTop,
          flags,
          env,
          limits: GATE_LIMITS,
          onProgress: (progress) => onGate?.('before', progress),
        });
      },
    }),
  });
  if (!after) return { result, checked: null, why: null };
  if (result.status !== 'completed')
    return { result, checked: null, why: `the run did not complete (${result.status})` };
  try {
    const checked = await check({
      cd,
      run: result.runId,
      env,
      gates,
      signal: options.signal,
      hurry: options.hurry,
      onProgress: (progress) => onGate?.('after', progress),
    });
    return { result, checked };
  } catch (error) {
    // The run and its result are there all the same.
    if (error instanceof BatonError) return { result, checked: null, why: error.message };
    throw error;
  }
}

async function requireGates(
  place: Parameters<typeof treeAt>[0],
  named: boolean,
): Promise<Awaited<ReturnType<typeof treeAt>>> {
  const tree = await treeAt(place);
  const config = 'problem' in tree.repository ? null : await readConfig(tree.repository);
  if (config && config.gates.length > 0 && !config.approved) {
    throw new UsageError(`${config.path} is not approved: its gates would not be run`, {
      hint: APPROVE_HINT,
    });
  }
  if (!config?.gates.length && !named) {
    throw new UsageError('there are no gates to run: none is configured', {
      hint: "`baton gates detect` proposes some; or name one with --gate 'test=npm test'",
    });
  }
  return tree;
}

/** Before a run, a broken configuration is a fault of the call. */
async function readConfig(repository: Parameters<typeof configInTree>[0]): ReturnType<typeof configInTree> {
  try {
    return await configInTree(repository);
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    throw new UsageError(error.message, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}

const APPROVE_HINT = 'read its commands with `baton gates list`, and approve them with `baton gates approve`';
