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
  /** The live record: phase, processes, heartbeat. */
  live: 'run.json',
  result: 'result.json',
  /** Exactly what the run changed, binary-safe. */
  patch: 'changes.patch',
  /** Git objects of both sides of every changed path, and the private index. */
  objects: 'objects',
  snapshot: 'snapshot',
  /** Freed when the disk is full, so that the result can still be written. */
  reserve: '.reserve',
} as const;

export type ArtifactName = keyof typeof ARTIFACTS;

/** The absolute path of an artifact of the run directory `dir`. */
export function artifactPath(dir: string, name: ArtifactName): string {
  return join(dir, ARTIFACTS[name]);
}
