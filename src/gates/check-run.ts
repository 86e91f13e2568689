import type { Env } from '../core/environment.ts';
import { BatonError, messageOf } from '../core/errors.ts';
import { type LaterLook, lookLater } from '../evidence/later.ts';
import type { NoRepository, Repository } from '../git/repository.ts';
import type { EvidenceBlock } from '../rundir/result.ts';
import { withBaseline } from './baseline.ts';
import { type GateConfig, configOf } from './config-source.ts';
import { decidedBy } from './decided-by.ts';
import { type Gate, GATES_SCHEMA, type GatesRecord, type TreeIs } from './gate.ts';
import { withFlags } from './gate-flag.ts';
import { matching } from './globs.ts';
import { type GateProgress, runOneByOne } from './one-by-one.ts';
import { readGates, writeGates } from './record.ts';
import type { GateLimits } from './run-gate.ts';

export interface CheckRequest {
  runDir: string;
  runId: string;
  repository: Repository | NoRepository;
  /** Top of the working tree, or the working directory outside git; a real path. */
  top: string;
  evidence: EvidenceBlock;
  /** Gates besides the configured ones. */
  flags: readonly Gate[];
  env: Env;
  limits: GateLimits & { maxUntrackedBytes: number; gitTimeoutMs: number };
  /** Ends the gate that runs; the others are not run. */
  signal: AbortSignal;
  /** Skips the wait for it. */
  hurry: AbortSignal;
  onProgress?: (progress: CheckProgress) => void;
}

/** What is known before the first gate starts. */
export type Beginning = Pick<GatesRecord, 'runId' | 'config' | 'tree' | 'treeIs' | 'decidedBy' | 'gaps'>;

export type CheckProgress = ({ type: 'began' } & Beginning) | GateProgress;

/**
 * Runs the gates of a run in its working tree as it is now, and writes `gates.json`. Which gates: those that the
 * configuration named before the run began, whatever the implementer made of it, and those of `flags`.
 *
 * Rejects with a BatonError where the gates cannot be told: a broken configuration, or a run without a known tree.
 */
export async function checkRun(request: CheckRequest): Promise<GatesRecord> {
  const startedAt = new Date().toISOString();
  const earlier = baselineOf(request.runDir);
  const scene = await look(request);
  const gates = withFlags(scene.config?.gates ?? [], request.flags);
  const seen = await begin(request, scene, gates);
  request.onProgress?.({ type: 'began', ...seen.beginning });
  const results = await runOneByOne(gates, {
    ...request,
    prefix: 'after-',
    unwanted: (gate) => unwanted(gate, scene.config, seen.changed),
    treeNow: () => seen.treeNow(),
    changedPaths: (before, after) => scene.later?.changedPaths(before, after) ?? Promise.resolve([]),
  });
  const record: GatesRecord = {
    schema: GATES_SCHEMA,
    ...seen.beginning,
    gates: withBaseline(results, earlier.baseline),
    baseline: earlier.baseline,
    gaps: [...seen.beginning.gaps, ...earlier.gaps],
    startedAt,
    finishedAt: new Date().toISOString(),
  };
  writeGates(request.runDir, record);
  return record;
}

/** A damaged record must not keep the gates from being run again. */
function baselineOf(runDir: string): Pick<GatesRecord, 'baseline' | 'gaps'> {
  try {
    return { baseline: readGates(runDir)?.baseline ?? null, gaps: [] };
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== 'damaged-gates') throw error;
    return { baseline: null, gaps: [error.message] };
  }
}

/** What the run left to look at. */
interface Scene {
  later: LaterLook | null;
  config: GateConfig | null;
}

async function look({ repository, evidence, runDir, flags, env, limits }: CheckRequest): Promise<Scene> {
  const { beforeTree, baseCommit } = evidence;
  if ('problem' in repository || beforeTree === null) {
    if (flags.length > 0) return { later: null, config: null };
    throw new BatonError(
      'gates-unknown',
      'the working tree before the run is not known, so its gates are not either',
      { hint: "name them with --gate 'test=npm test'" },
    );
  }
  const later = await lookLater({ repository, runDir, name: 'gates', baseCommit, env, ...limits });
  return { later, config: await configOf(repository, later, beforeTree) };
}

interface Seen {
  beginning: Beginning;
  /** Paths that differ from before the run; null where that is not known. */
  changed: string[] | null;
  /** The first answer is the tree of the beginning. */
  treeNow(): Promise<string | null>;
}

async function begin(
  { evidence, runId }: CheckRequest,
  { later, config }: Scene,
  gates: Gate[],
): Promise<Seen> {
  const gaps: string[] = [];
  const { beforeTree, afterTree } = evidence;
  const take = async (): Promise<string | null> => {
    if (!later || afterTree === null) return null;
    try {
      return await later.treeNow(afterTree);
    } catch (error) {
      gaps.push(`the working tree could not be looked at: ${messageOf(error)}`);
      return null;
    }
  };
  const tree = await take();
  let first: string | null | undefined = tree;
  const changed = await changedSince(later, evidence, tree);
  const deciding =
    later && beforeTree !== null && changed
      ? await decidedBy(
          {
            changed,
            read: async (path) => ({
              before: await textIn(later, beforeTree, path),
              now: tree === null ? null : await textIn(later, tree, path),
            }),
          },
          gates,
        )
      : [];
  return {
    beginning: {
      runId,
      config: config && { path: config.path, hash: config.hash, approved: config.approved },
      tree,
      treeIs: kindOf(tree, afterTree),
      decidedBy: deciding,
      gaps,
    },
    changed,
    treeNow: async () => {
      const known = first;
      first = undefined;
      return known === undefined ? take() : known;
    },
  };
}

function kindOf(tree: string | null, afterTree: string | null): TreeIs {
  if (tree === null || afterTree === null) return 'unknown';
  return tree === afterTree ? 'after' : 'other';
}

/** Everything that differs from before the run, files that are too large for a tree among them. */
async function changedSince(
  later: LaterLook | null,
  { beforeTree, changes }: EvidenceBlock,
  tree: string | null,
): Promise<string[] | null> {
  if (!later || beforeTree === null || tree === null) return null;
  const reported = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  return [...new Set([...(await later.changedPaths(beforeTree, tree)), ...reported])];
}

/** What is too large to be read counts as changed: no two trees have one id. */
async function textIn(later: LaterLook, tree: string, path: string): Promise<string | null> {
  try {
    return (await later.fileIn(tree, path))?.bytes.toString('utf8') ?? null;
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return tree;
  }
}

/** What a repository brings along is run only once a person approved it. */
async function unwanted(
  gate: Gate,
  config: GateConfig | null,
  changed: string[] | null,
): Promise<{ applies: boolean; reason: string } | null> {
  if (gate.when.length > 0 && changed !== null && (await matching(changed, gate.when)).length === 0)
    return { applies: false, reason: `nothing changed that matches ${gate.when.join(', ')}` };
  if (gate.source === 'config' && config?.approved === false)
    return { applies: true, reason: `${config.path} is not approved` };
  return null;
}
