import { join } from 'node:path';

/** Every file that baton itself makes in a run directory, and what for. */
export const ARTIFACTS = {
  /** The brief, byte for byte. */
  brief: 'brief.txt',
  /** The implementer's stdout, byte for byte: it writes here itself. */
  events: 'events.jsonl',
  stderr: 'stderr.txt',
  /** The final text, also when it is empty. */
  final: 'final.txt',
  /** What the implementer may do, as its CLI reads it. */
  profile: 'profile.json',
  /** The JSON Schema that the answer must match, for a CLI that takes it as a file. */
  outputSchema: 'output-schema.json',
  /** The live record: phase, processes, heartbeat. */
  live: 'run.json',
  result: 'result.json',
  /** Exactly what the run changed, binary-safe. */
  patch: 'changes.patch',
  /** What became of the run's changes: landed, discarded, undone. */
  landing: 'landing.json',
  /** Git objects of both sides of every changed path, and the private index. */
  objects: 'objects',
  snapshot: 'snapshot',
  /** The last time that the gates were run, and the look at them before the run. */
  gates: 'gates.json',
  /** The review as a page, made on request. */
  report: 'report.html',
  /** What each gate printed. */
  gateOutput: 'gate-output',
  /** Freed when the disk is full, so that the result can still be written. */
  reserve: '.reserve',
} as const;

export type ArtifactName = keyof typeof ARTIFACTS;

/** The absolute path of an artifact of the run directory `dir`. */
export function artifactPath(dir: string, name: ArtifactName): string {
  return join(dir, ARTIFACTS[name]);
}

/** Holds a reused directory for the moment in which one run clears it. */
export const CLAIM = '.baton-claim';

/**
 * Whether baton itself gives this name to something in a run directory, if only for a moment: an artifact, the new file
 * beside one that is about to replace it, or the claim. Such a name is never a change of the implementer's.
 */
export function isOwnName(name: string): boolean {
  return OWN_NAMES.has(name) || isTemporaryName(name) || name === CLAIM || name.startsWith(`${CLAIM}.`);
}

/** Whether this is the new file of an atomic write of an artifact; a kill in its middle leaves it behind. */
export function isTemporaryName(name: string): boolean {
  const match = /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(name);
  return match?.[1] !== undefined && OWN_NAMES.has(match[1]);
}

const OWN_NAMES: ReadonlySet<string> = new Set(Object.values(ARTIFACTS));
