import type { NoRepository, Repository } from '../git/repository.ts';
import { configInTree, type GateConfig } from './config-source.ts';
import { type Gate, GATES_SCHEMA, type GateResult, type GatesRecord, type SinceBefore } from './gate.ts';
import { withFlags } from './gate-flag.ts';
import { type GateSeries, runOneByOne } from './one-by-one.ts';
import { writeGates } from './record.ts';

export interface BaselineRequest
  extends Pick<GateSeries, 'runDir' | 'top' | 'env' | 'limits' | 'signal' | 'hurry' | 'onProgress'> {
  runId: string;
  repository: Repository | NoRepository;
  flags: readonly Gate[];
}

/**
 * Runs the gates before the run has begun, and keeps how they went. Whatever they write is there before the run, so that
 * it is not taken for the implementer's. `when` does not count: nobody knows yet what will change.
 */
export async function takeBaseline(request: BaselineRequest): Promise<GatesRecord> {
  const { repository, runDir, runId } = request;
  const config = 'problem' in repository ? null : await configInTree(repository);
  const baseline = await runOneByOne(withFlags(config?.gates ?? [], request.flags), {
    ...request,
    prefix: 'before-',
    unwanted: async (gate) => unapproved(gate, config),
    treeNow: async () => null,
    changedPaths: async () => [],
  });
  const record: GatesRecord = {
    schema: GATES_SCHEMA,
    runId,
    config: config && { path: config.path, hash: config.hash, approved: config.approved },
    tree: null,
    treeIs: 'unknown',
    decidedBy: [],
    gates: [],
    baseline,
    gaps: [],
    startedAt: null,
    finishedAt: null,
  };
  writeGates(runDir, record);
  return record;
}

function unapproved(gate: Gate, config: GateConfig | null): { applies: boolean; reason: string } | null {
  if (gate.source !== 'config' || config?.approved !== false) return null;
  return { applies: true, reason: `${config.path} is not approved` };
}

/** The same results, with what became of each failure since the look before the run. */
export function withBaseline(
  results: readonly GateResult[],
  baseline: readonly GateResult[] | null,
): GateResult[] {
  return results.map((result) => {
    const before = baseline?.find(
      ({ name, command, cwd }) => name === result.name && command === result.command && cwd === result.cwd,
    );
    return { ...result, since: before ? sinceBefore(before, result) : null };
  });
}

/** Only two verdicts can be compared. */
function sinceBefore(before: GateResult, now: GateResult): SinceBefore | null {
  if (before.state === 'failed' && now.state === 'failed') return 'already-there';
  if (before.state === 'failed' && now.state === 'passed') return 'mended';
  if (before.state === 'passed' && now.state === 'failed') return 'new';
  return null;
}
