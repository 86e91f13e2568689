import type { GateResult } from '../gates/gate.ts';
import { readGates } from '../gates/record.ts';

/** What a review has to know of a gate. */
export interface GateFact {
  name: string;
  command: string;
  outcome: GateResult['state'];
  /** A sentence, where there is more to say. */
  detail: string | null;
}

export interface GateFacts {
  /** Null where they were never run. */
  gates: GateFact[] | null;
  /** What their outcome does not tell. */
  gaps: string[];
}

/** What became of the gates that apply to a run. Throws a BatonError where the record is damaged. */
export function readGateFacts(runDir: string): GateFacts {
  const record = readGates(runDir);
  if (!record?.startedAt) return { gates: null, gaps: [] };
  return {
    gates: record.gates.filter(({ applies }) => applies).map(factOf),
    gaps: [
      ...record.gaps,
      ...(record.treeIs === 'after'
        ? []
        : ['the gates ran on a tree that is not, or may not be, what the run left']),
    ],
  };
}

const SINCE = {
  new: 'it passed before the run',
  'already-there': 'it failed before the run, too',
  mended: 'it failed before the run',
};

function factOf({ name, command, state, reason, since }: GateResult): GateFact {
  const more = [reason, since && SINCE[since]].filter((part) => part !== null);
  return { name, command, outcome: state, detail: more.length > 0 ? more.join('; ') : null };
}
