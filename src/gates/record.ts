import { BatonError } from '../core/errors.ts';
import { toJsonFile } from '../core/json.ts';
import { lookLater } from '../evidence/later.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import type { Env } from '../core/environment.ts';
import { readRegularFile, writeArtifact } from '../rundir/artifact.ts';
import { artifactPath } from '../rundir/layout.ts';
import type { EvidenceBlock } from '../rundir/result.ts';
import { parseRecord } from '../rundir/state-folder.ts';
import { configOf } from './config-source.ts';
import type { GateResult, GatesRecord } from './gate.ts';
import { gatesSchema } from './record-schema.ts';

export type StandingState = 'passed' | 'failed' | 'could-not-run' | 'not-run' | 'none-configured';

/** What the gates say about a run. */
export interface GateStanding {
  /**
   * The worst that is said: `failed` before `could-not-run` before `not-run`. `passed`: every gate that applies to what
   * changed did. `none-configured`: there is none, or none that applies.
   */
  state: StandingState;
  /** The one tree that every gate ran on; null where they ran on several, on an unknown one, or not at all. */
  tree: string | null;
  /** As in `gates.json`; empty where they were never run. */
  gates: GateResult[];
  /** Paths of the run that decide about the gates themselves: a person should hear of them first. */
  decidedBy: string[];
}

/**
 * The record of a run, with fields that this version does not know; null where its gates were never run. Throws a
 * BatonError `damaged-gates`.
 */
export function readGates(runDir: string): GatesRecord | null {
  const path = artifactPath(runDir, 'gates');
  const text = readRegularFile(path);
  if (text === null) return null;
  const value = parseRecord(text);
  requireGates(path, value);
  return value;
}

function requireGates(path: string, value: unknown): asserts value is GatesRecord {
  const fault = gatesSchema.safeParse(value).error?.issues.find(({ code }) => code !== 'unrecognized_keys');
  if (!fault) return;
  throw new BatonError('damaged-gates', `${path} is damaged: ${fault.path.join('.')}: ${fault.message}`, {
    hint: 'run the gates again with `baton check`',
  });
}

export function writeGates(runDir: string, record: GatesRecord): void {
  writeArtifact(runDir, 'gates', toJsonFile(record));
}

export interface StandingRequest {
  runDir: string;
  repository: Repository | NoRepository;
  evidence: EvidenceBlock;
  env: Env;
  gitTimeoutMs: number;
}

/**
 * What is known about the gates of a run, without running any. Where they were never run, the configuration before the
 * run tells whether there are any. Rejects with a BatonError where that cannot be read.
 */
export async function gateStandingOf(request: StandingRequest): Promise<GateStanding> {
  const record = readGates(request.runDir);
  if (record?.startedAt) return standingOf(record);
  const configured = await isAnyConfigured(request);
  return { state: configured ? 'not-run' : 'none-configured', tree: null, gates: [], decidedBy: [] };
}

/** What a record says. */
export function standingOf({ gates, decidedBy }: Pick<GatesRecord, 'gates' | 'decidedBy'>): GateStanding {
  const applying = gates.filter(({ applies }) => applies);
  const trees = new Set(applying.map(({ tree }) => tree));
  const [tree = null] = trees.size === 1 ? trees : [];
  const worst = (['failed', 'could-not-run', 'not-run'] as const).find((state) =>
    applying.some((gate) => gate.state === state),
  );
  const state = applying.length === 0 ? 'none-configured' : (worst ?? 'passed');
  return { state, tree, gates, decidedBy };
}

async function isAnyConfigured(request: StandingRequest): Promise<boolean> {
  const { repository, evidence, runDir, env, gitTimeoutMs } = request;
  if ('problem' in repository || evidence.beforeTree === null) return false;
  const later = await lookLater({
    repository,
    runDir,
    name: 'standing',
    baseCommit: evidence.baseCommit,
    env,
    maxUntrackedBytes: 0,
    gitTimeoutMs,
  });
  const config = await configOf(repository, later, evidence.beforeTree);
  return config !== null && config.gates.length > 0;
}
